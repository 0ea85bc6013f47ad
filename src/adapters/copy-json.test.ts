import { describe, expect, it } from 'vitest';
import { copyJson, isSameJson } from './copy-json.ts';

describe('copyJson', () => {
  it('copies plain data through and through, and all else as the platform does', () => {
    const day = new Date(0);
    const value = { to: ['ada', { deep: null }], note: undefined, day };
    const copy = copyJson(value) as typeof value;
    expect(copy).toEqual(value);
    expect(copy.to).not.toBe(value.to);
    expect(copy.to[1]).not.toBe(value.to[1]);
    expect(copy.day).not.toBe(day);
    expect(copyJson('text')).toBe('text');
    const hostile: unknown = JSON.parse('{"__proto__":{"admin":true}}');
    expect(Object.keys(copyJson(hostile) as object)).toEqual(['__proto__']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('isSameJson', () => {
  it('compares structure and values, not the order of keys', () => {
    expect(isSameJson({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toBe(true);
    for (const other of [{ a: 1, b: 2 }, { a: 2 }, { b: 1 }, { a: [1] }, [1], null, 'x', undefined])
      expect(isSameJson({ a: 1 }, other)).toBe(false);
    expect(isSameJson([1, 2], [1])).toBe(false);
    expect(isSameJson([1], { 0: 1 })).toBe(false);
    expect(isSameJson({ a: undefined }, { b: undefined })).toBe(false);
    expect(isSameJson(new Date(0), new Date(0))).toBe(false);
  });
});
