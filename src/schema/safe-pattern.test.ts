import { describe, expect, it } from 'vitest';
import { judgePattern } from './safe-pattern.ts';

describe('judgePattern', () => {
  it.each([
    ['^[a-z]+$', 100_000],
    ['^[^@\\s]+@[^@\\s]+$', 100_000],
    ['^\\d{4}-\\d{2}-\\d{2}$', 100_000],
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 5_000],
    ['^(a+)$', 100_000],
    ['^(a*)a*$', 5_000],
    ['^(a*)a*b*$', 400],
    ['^(?:a|b|c)*$', 100_000],
    ['^#[0-9A-Fa-f]{6}$', 100_000],
    ['abc', 100_000],
    ['[a-z]+', 5_000],
    ['^.*\\.pdf$', 100_000],
    ['^.*a.*b$', 5_000],
    ['^\\p{L}+$', 100_000],
  ])('accepts %s', (pattern, maxLength) => {
    expect(judgePattern(pattern)).toEqual({ safe: true, maxLength });
  });

  it.each([
    ['^(a+)+$', 'repeats something that repeats'],
    ['^(a|a)*$', 'repeats something that repeats'],
    ['^(a|ab)*$', 'repeats something that repeats'],
    ['^(.*,)*$', 'repeats something that repeats'],
    ['(a*)*b', 'repeats something that repeats'],
    ['^(\\d+){3,}$', 'repeats something that repeats'],
    ['(a)\\1', 'refers back'],
    ['(?<n>a)\\k<n>', 'refers back'],
    ['^(?=.*a).*$', 'looks around'],
    ['(?<!a)b', 'looks around'],
    ['^.*.*.*.*$', 'may take too long'],
    ['(unclosed', 'not a valid'],
    ['a{5000}', 'repeats too often'],
    ['x'.repeat(1_001), 'longer than'],
  ])('refuses %s', (pattern, reason) => {
    const judged = judgePattern(pattern);
    expect(judged.safe ? '' : judged.reason).toContain(reason);
  });
});
