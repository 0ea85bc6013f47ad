/**
 * `src/core` holds plain data and total functions: no I/O, no timers, no clock reads, no frameworks. It imports nothing
 * from the rest of the source, and everything else may import it.
 */

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Keys from outside are data: look them up with {@link Object.hasOwn}, never through the prototype. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for plain objects as `JSON.parse` makes them (and objects without a prototype), false for arrays and classes. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
