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

/** True when both are the same plain data, whatever the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other);
  const prototype: unknown = Object.getPrototypeOf(one);
  if (prototype !== Object.getPrototypeOf(other)) return false;
  if (prototype === Array.prototype) return areSameItems(one as readonly unknown[], other as readonly unknown[]);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    const value = right[key];
    if (value === undefined && !Object.hasOwn(right, key)) return false;
    if (!isSameJson(left[key], value)) return false;
  }
  return true;
}

function areSameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (!isSameJson(one[at], other[at])) return false;
  return true;
}
