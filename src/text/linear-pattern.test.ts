import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from './linear-pattern.ts';

function test(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.pattern.test(text, { left: 1_000_000 });
}

describe('compilePattern', () => {
  it.each([
    ['weather', 'get_WEATHER', true],
    ['^get_', 'get_weather', true],
    ['^get_', 'forget_it', false],
    ['log$', 'read_log', true],
    ['log$', 'log_read', false],
    ['(create|delete)_issue', 'delete_issue', true],
    ['(?:create|delete)_issue', 'list_issue', false],
    ['[a-c]+x', 'zzabcx', true],
    ['[^_]{3}_', 'ab_cd_', false],
    ['[^_]{3}_', 'abc_', true],
    ['\\bmail\\b', 'send mail now', true],
    ['\\bmail\\b', 'email', false],
    ['\\Bmail', 'email', true],
    ['v\\d{1,2}', 'api_v12', true],
    ['v\\d{3,}', 'api_v12', false],
    ['.*', '', true],
    ['a.c', 'a\nc', true],
    ['(?i)ÄRGER', 'ärger', true],
    ['\\.', 'a.b', true],
    ['\\.', 'ab', false],
    ['[]x]', ']', true],
    ['[a-]', '-', true],
    ['a{2}', 'aa', true],
    ['x{', 'x{', true],
    ['', 'anything', true],
    ['(a*)*b', 'aaab', true],
    ['😀+', 'a😀😀', true],
    ['a|', 'zzz', true],
  ])('/%s/ on %j: %s', (pattern, text, expected) => {
    expect(test(pattern, text)).toBe(expected);
  });

  it.each([
    ['(?=a)', 'looking around'],
    ['(?<!a)b', 'looking around'],
    ['(a)\\1', 'a reference to what was matched'],
    ['(a', 'not closed'],
    ['a)', 'closing bracket'],
    ['[a', 'not closed'],
    ['*a', 'nothing before'],
    ['a{3,2}', 'wrong way round'],
    ['[z-a]', 'wrong way round'],
    ['\\', 'at the end'],
    ['\\q', 'not known'],
    ['a**', 'repetition of a repetition'],
    ['((a{999}){999}){999}', 'multiply'],
    ['('.repeat(60), 'groups in each other'],
    ['a'.repeat(1_001), 'characters'],
  ])('says what is wrong with /%s/', (pattern, problem) => {
    const compiled = compilePattern(pattern);
    expect(compiled.ok ? '' : compiled.problem).toContain(problem);
  });

  it('takes steps in proportion to the text for patterns that hold others up', () => {
    for (const pattern of ['(a+)+$', '(a|aa)+$', '(.*a){12}$', '(a|a)*b']) {
      const steps = [1_000, 2_000].map((length) => {
        const compiled = compilePattern(pattern);
        const budget = { left: 10_000_000 };
        if (compiled.ok) compiled.pattern.test(`${'a'.repeat(length)}!`, budget);
        return 10_000_000 - budget.left;
      });
      expect((steps[1] as number) / (steps[0] as number)).toBeLessThan(2.1);
    }
  });

  it('stops when the budget is used up', () => {
    const compiled = compilePattern('a+b');
    const budget = { left: 50 };
    expect(compiled.ok && compiled.pattern.test('a'.repeat(1_000), budget)).toBe(false);
    expect(budget.left).toBeGreaterThan(-20);
  });

  it('agrees with the platform wherever both understand a pattern', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '(a|b)',
      '(ab)?',
      'a*',
      'b+',
      'a{1,2}',
      '^',
      '$',
      '\\b',
      '|',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.stringMatching(/^[ab ]{0,8}$/u), (pieces, text) => {
        const pattern = pieces.join('');
        expect(test(pattern, text)).toBe(new RegExp(pattern, 'isu').test(text));
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });
});
