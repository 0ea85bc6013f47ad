/** Sets a key as the object's own, also `__proto__`, which a plain assignment would take for the prototype. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else (target as Record<string, unknown>)[key] = value;
}

/** The object's own value under a key; undefined for inherited ones. */
export function getOwn<Value>(target: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}

/** The object without some of its keys; the same object when it has none of them. */
export function omitKeys<Value extends object>(target: Value, keys: readonly string[]): Value {
  if (!keys.some((key) => Object.hasOwn(target, key))) return target;
  return Object.fromEntries(Object.entries(target).filter(([key]) => !keys.includes(key))) as Value;
}
