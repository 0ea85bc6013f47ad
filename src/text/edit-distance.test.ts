import { describe, expect, it } from 'vitest';
import { withinEditDistance } from './edit-distance.ts';

describe('withinEditDistance', () => {
  it.each([
    ['weather', 'weather', 0, true],
    ['wether', 'weather', 1, true],
    ['wetaher', 'weather', 1, true],
    ['weether', 'weather', 1, true],
    ['wehter', 'weather', 1, false],
    ['calender', 'calendar', 1, true],
    ['kalender', 'calendar', 1, false],
    ['kalender', 'calendar', 2, true],
    ['', 'ab', 2, true],
    ['', 'abc', 2, false],
  ])('%s to %s within %i: %s', (a, b, limit, expected) => {
    expect(withinEditDistance(a, b, limit)).toBe(expected);
    expect(withinEditDistance(b, a, limit)).toBe(expected);
  });
});
