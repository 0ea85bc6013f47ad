import { isPlainObject } from '../core/json.ts';

/** A copy that nobody else changes. What is no plain data is copied by `structuredClone`. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isPlainObject(value)) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    // Assigned, this one would become the prototype of the copy.
    if (key === '__proto__') return structuredClone(value);
    copy[key] = copyJson(value[key]);
  }
  return copy;
}

/** True when both are the same plain data, whatever the order of keys. Written for a hundred schemas in every run. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (let at = 0; at < one.length; at += 1) if (!isSameJson(one[at], other[at])) return false;
    return true;
  }
  if (!isPlainObject(one) || !isPlainObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  for (const key of keys) if (!Object.hasOwn(other, key) || !isSameJson(one[key], other[key])) return false;
  return true;
}
