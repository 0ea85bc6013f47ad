import { describe, expect, it } from 'vitest';
import { addUsage } from './usage.ts';

describe('addUsage', () => {
  it('adds what is counted and leaves out what is not', () => {
    expect(addUsage({ inputTokens: 1, outputTokens: 2 }, { inputTokens: 10, outputTokens: 20 })).toEqual({
      inputTokens: 11,
      outputTokens: 22,
    });
    expect(addUsage({ inputTokens: 1 }, { outputTokens: 2 })).toEqual({ inputTokens: 1, outputTokens: 2 });
    expect(addUsage({ inputTokens: 1 }, { inputTokens: 2 })).toEqual({ inputTokens: 3 });
    expect(addUsage({ inputTokens: 1 }, undefined)).toEqual({ inputTokens: 1 });
    expect(addUsage(undefined, { inputTokens: 1 })).toEqual({ inputTokens: 1 });
    expect(addUsage(undefined, undefined)).toBeUndefined();
  });
});
