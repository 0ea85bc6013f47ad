import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { omitKeys } from './own.ts';
import { resolveReference } from './pointer.ts';
import { isSubschema, mapSubschemas } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

/** What the shown schema may grow to while references are replaced by what they refer to. */
const mostInlined = 2_000;

/**
 * Replaces references by their targets where providers do not follow them: beside other keywords (which stay), to places
 * that are not root definitions, and for a property of the root, so that a model sees the fields. All of them when `all` is set.
 * A target that contains itself stays a reference, or ends in a schema that accepts anything when `all` is set.
 */
export function inlineReferences(root: JsonObject, all: boolean, note: (text: string) => void): JsonObject {
  let left = mostInlined;
  const circularTargets = new Map<unknown, boolean>();
  const isCircular = (target: unknown): boolean => {
    const known = circularTargets.get(target) ?? containsItself(root, target);
    circularTargets.set(target, known);
    return known;
  };
  const change = (schema: Subschema, open: readonly unknown[], isRootProperty: boolean): Subschema => {
    if (typeof schema === 'boolean') return schema;
    left -= 1;
    const reference: unknown = schema['$ref'];
    if (typeof reference === 'string') {
      const target = resolveReference(root, reference);
      const wanted =
        all || isRootProperty || Object.keys(schema).length > 1 || !/^#\/(\$defs|definitions)\/[^/]+$/.test(reference);
      if (wanted && isSubschema(target)) {
        const circular = open.includes(target) || isCircular(target);
        if (!circular && left > 0) {
          const siblings = omitKeys(schema, ['$ref']);
          const expanded = typeof target === 'boolean' ? (target ? {} : { not: {} }) : target;
          note(`the reference ${JSON.stringify(reference)} was replaced by its target`);
          return change({ ...expanded, ...siblings }, [...open, target], false);
        }
        if (all || !reference.startsWith('#')) {
          const siblings = omitKeys(schema, ['$ref']);
          if (open.includes(target) || left <= 0) {
            note(`the reference ${JSON.stringify(reference)} goes round in circles and was cut`);
            return siblings;
          }
          return change({ ...(target as JsonObject), ...siblings }, [...open, target], false);
        }
      }
    }
    return mapSubschemas(schema, (child, place) => {
      if (place[0] === '$defs' || place[0] === 'definitions')
        return schema === root && !all ? change(child, [child], false) : child;
      return change(child, open, schema === root && place[0] === 'properties');
    });
  };
  const result = change(root, [root], false) as JsonObject;
  if (!all || result === root) return result;
  return omitKeys(result, ['$defs', 'definitions']);
}

/** True when following references from the target leads to the target again. */
function containsItself(root: JsonObject, target: unknown): boolean {
  const seen = new Set<unknown>();
  const pending: unknown[] = [target];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (typeof current !== 'object' || current === null || seen.has(current)) continue;
    seen.add(current);
    for (const child of Object.values(current) as unknown[]) if (typeof child === 'object') pending.push(child);
    if (isPlainObject(current) && typeof current['$ref'] === 'string') {
      const next = resolveReference(root, current['$ref']);
      if (next === target) return true;
      pending.push(next);
    }
  }
  return false;
}
