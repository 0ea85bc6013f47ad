import { digestText } from '../core/digest.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { setOwn } from './own.ts';
import { forEachSubschema, mapSubschemas } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

/** Property names that every provider takes. */
const acceptedKey = /^[A-Za-z0-9_.-]{1,64}$/;

/** Renames properties whose names a strict provider refuses. One original name has one shown name in the whole schema. */
export function renameKeys(
  root: JsonObject,
  note: (text: string) => void,
): { readonly schema: JsonObject; readonly inverse: ReadonlyMap<string, string> } {
  const keys = new Set<string>();
  collectKeys(root, keys);
  const shown = new Map<string, string>();
  const inverse = new Map<string, string>();
  for (const key of keys) {
    if (acceptedKey.test(key)) continue;
    const base =
      key
        .normalize('NFKD')
        .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
        .replaceAll(/^_+|_+$/g, '')
        .slice(0, 40) || 'key';
    let name = base;
    for (let round = 0; keys.has(name) || inverse.has(name); round += 1)
      name = `${base}_${digestText(`${key}#${round}`).slice(7, 15)}`;
    shown.set(key, name);
    inverse.set(name, key);
    note(`the property ${JSON.stringify(key.slice(0, 80))} is shown as ${JSON.stringify(name)}`);
  }
  return { schema: shown.size === 0 ? root : (rename(root, shown) as JsonObject), inverse };
}

function collectKeys(schema: Subschema, keys: Set<string>): void {
  if (typeof schema === 'boolean') return;
  forEachSubschema(schema, (child, place) => {
    if (place[0] === 'properties') keys.add(String(place[1]));
    collectKeys(child, keys);
  });
}

function rename(schema: Subschema, shown: ReadonlyMap<string, string>): Subschema {
  if (typeof schema === 'boolean') return schema;
  const result: Record<string, unknown> = { ...mapSubschemas(schema, (child) => rename(child, shown)) };
  const list = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((key: unknown) => shown.get(key as string) ?? key) : value;
  for (const keyword of ['properties', 'dependentRequired', 'dependentSchemas', 'dependencies']) {
    const map = result[keyword];
    if (!isPlainObject(map)) continue;
    const next = {};
    for (const key of Object.keys(map))
      setOwn(next, shown.get(key) ?? key, keyword === 'properties' ? map[key] : list(map[key]));
    result[keyword] = next;
  }
  if (result['required'] !== undefined) result['required'] = list(result['required']);
  return result as JsonObject;
}
