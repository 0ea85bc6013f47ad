/**
 * A copy of a value as JSON holds it, so that a record looks the same from every store and shares nothing with its maker.
 * What JSON cannot hold (functions, undefined) is left out; big integers become text; cycles and the like become null.
 */
export function storedJson(value: unknown): unknown {
  if (value === undefined) return null;
  try {
    const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)) as
      | string
      | undefined;
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}
