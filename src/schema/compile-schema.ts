import { isPlainObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { isValidationKeyword } from './keywords.ts';
import { setOwn } from './own.ts';
import { resolveReference } from './pointer.ts';
import { judgePattern } from './safe-pattern.ts';
import { isSubschema, mapSubschemas } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

/** Formats that are checked; others are for readers only. Each is matched on texts of bounded length. */
const checkedFormats: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
  'hostname',
]);
const longestFormatted = 2_048;

/** A private copy for the validator. */
export interface CompiledSchema {
  readonly schema: JsonObject;
  /** True when items of arrays are compared with each other somewhere. */
  readonly comparesItems: boolean;
}

/**
 * A copy that holds only what takes part in validation: references resolved into one table, unsafe patterns left out,
 * texts with a pattern or format limited in length. `onVisit` is called whenever the validator looks at a schema object:
 * the validator reads a fixed set of keys of each schema it visits, and one of them is made an accessor.
 */
export function compileForValidation(root: JsonObject, onVisit: () => undefined): CompiledSchema {
  const names = new Map<string, string>();
  const pending: [name: string, target: Subschema][] = [];
  let comparesItems = false;

  const referTo = (reference: string): string | undefined => {
    if (reference === '#') return '#';
    const known = names.get(reference);
    if (known !== undefined) return known;
    const target = resolveReference(root, reference);
    if (!isSubschema(target)) return undefined;
    if (target === root) return '#';
    const name = `r${names.size}`;
    names.set(reference, `#/$defs/${name}`);
    pending.push([name, target]);
    return `#/$defs/${name}`;
  };

  /** `dropped` is set when something was left out, so that negations around it can be left out too. */
  const copy = (schema: Subschema, dropped: { any: boolean }): Subschema => {
    if (typeof schema === 'boolean') return schema;
    const own: Record<string, unknown> = {};
    for (const keyword of Object.keys(schema)) if (isValidationKeyword(keyword)) own[keyword] = schema[keyword];
    limitTexts(own, dropped);
    dropUnsafeKeyPatterns(own, dropped);
    if (own['uniqueItems'] === true) comparesItems = true;
    if (typeof own['$ref'] === 'string') {
      const target = referTo(own['$ref']);
      if (target === undefined) delete own['$ref'];
      else own['$ref'] = target;
    }
    const inside = { any: false };
    const copied = {
      ...mapSubschemas(own as JsonObject, (child, place) => copyInside(child, place[0], inside)),
    } as Record<string, unknown>;
    if (inside.any) {
      dropped.any = true;
      if (Array.isArray(copied['oneOf'])) {
        copied['anyOf'] ??= copied['oneOf'];
        delete copied['oneOf'];
      }
    }
    Object.defineProperty(copied, '__absolute_recursive_ref__', { get: onVisit, enumerable: false });
    return copied as JsonObject;
  };
  const copyInside = (child: Subschema, keyword: string, inside: { any: boolean }): Subschema | undefined => {
    const dropped = { any: false };
    const result = copy(child, dropped);
    inside.any ||= dropped.any;
    return dropped.any && (keyword === 'not' || keyword === 'if') ? undefined : result;
  };

  const schema = copy(root, { any: false }) as Record<string, unknown>;
  const definitions: Record<string, unknown> = {};
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    definitions[next[0]] = copy(next[1], { any: false });
  if (names.size > 0) schema['$defs'] = definitions;
  return { schema: schema as JsonObject, comparesItems };
}

function limitTexts(schema: Record<string, unknown>, dropped: { any: boolean }): void {
  let longest = Number.POSITIVE_INFINITY;
  if (typeof schema['pattern'] === 'string') {
    const judged = judgePattern(schema['pattern']);
    if (judged.safe) {
      longest = judged.maxLength;
    } else {
      delete schema['pattern'];
      dropped.any = true;
    }
  }
  if (Object.hasOwn(schema, 'format')) {
    if (checkedFormats.has(String(schema['format']))) longest = Math.min(longest, longestFormatted);
    else delete schema['format'];
  }
  if (longest === Number.POSITIVE_INFINITY) return;
  schema['maxLength'] = Math.min(longest, typeof schema['maxLength'] === 'number' ? schema['maxLength'] : longest);
}

function dropUnsafeKeyPatterns(schema: Record<string, unknown>, dropped: { any: boolean }): void {
  const patterns = schema['patternProperties'];
  if (!isPlainObject(patterns)) return;
  const kept: Record<string, unknown> = {};
  let complete = true;
  for (const pattern of Object.keys(patterns)) {
    const judged = judgePattern(pattern);
    if (judged.safe && judged.maxLength >= 100_000) setOwn(kept, pattern, patterns[pattern] as JsonValue);
    else complete = false;
  }
  schema['patternProperties'] = kept;
  if (complete) return;
  // Keys that the lost pattern would have taken must not count as additional ones.
  delete schema['additionalProperties'];
  delete schema['unevaluatedProperties'];
  dropped.any = true;
}
