import { describe, expect, it } from 'vitest';
import type { Message } from '../core/message.ts';
import { fitInput } from './fit-input.ts';
import { fitQuestion, questionSize } from './question-size.ts';
import { estimateTokens, jsonStringBytes, utf8Bytes } from './text-size.ts';

const current: Message = { role: 'user', content: 'Which harbour has the higher tide?' };
const window: readonly Message[] = [
  { role: 'system', content: 's'.repeat(1500) },
  { role: 'user', content: 'a'.repeat(3000) },
  { role: 'assistant', content: 'b'.repeat(3000) },
  current,
];
const longest = { bytes: 100, tokens: 30 };

describe('fitInput', () => {
  it('does not measure and cuts nothing when there is no limit', () => {
    const { input, bytes, cut } = fitInput(window, current, 4000, {}, longest);
    expect([bytes, cut]).toEqual([0, false]);
    expect(JSON.stringify(input)).toContain('b'.repeat(3000));
  });

  it('leaves what fits as it is, and measures it', () => {
    const { input, bytes, cut } = fitInput([current], current, 4000, { maxRequestBytes: 10_000 }, longest);
    expect(cut).toBe(false);
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify(input)));
  });

  it.each([3000, 1500, 700, 400, 200, 120])(
    'keeps within %i tokens and never loses the current message',
    (maxInputTokens) => {
      const { input, cut } = fitInput(window, current, 4000, { maxInputTokens }, longest);
      expect(cut).toBe(maxInputTokens < 3000);
      expect(estimateTokens(JSON.stringify(input)) + longest.tokens).toBeLessThanOrEqual(maxInputTokens);
      expect(JSON.stringify(input)).toContain('Which harbour');
    },
  );

  it('leaves out old messages before system messages', () => {
    const { input } = fitInput(window, current, 4000, { maxInputTokens: 250 }, longest);
    const roles = (input['messages'] as readonly { role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['system', 'user']);
  });

  it('cuts the current message itself when it is too long alone', () => {
    const long: Message = { role: 'user', content: `start ${'x'.repeat(5000)} end` };
    const { input, cut } = fitInput([long], long, 4000, { maxInputTokens: 140 }, longest);
    expect(cut).toBe(true);
    expect(estimateTokens(JSON.stringify(input)) + longest.tokens).toBeLessThanOrEqual(140);
    expect(JSON.stringify(input)).toContain('start');
  });

  it('keeps a shorter length that the user set', () => {
    const { input } = fitInput(window, current, 300, { maxInputTokens: 500 }, longest);
    const texts = (input['messages'] as readonly { text: string }[]).map(({ text }) => text.length);
    expect(Math.max(...texts)).toBeLessThanOrEqual(300);
  });

  it('treats developer messages as system messages', () => {
    const developer: readonly Message[] = [
      { role: 'developer', content: 'd'.repeat(200) },
      { role: 'user', content: 'a'.repeat(3000) },
      current,
    ];
    const { input } = fitInput(developer, current, 4000, { maxInputTokens: 220 }, longest);
    expect((input['messages'] as readonly { role: string }[]).map(({ role }) => role)).toEqual(['developer', 'user']);
  });

  it('leaves room for questions in the bytes of a request', () => {
    const { bytes } = fitInput(window, current, 4000, { maxRequestBytes: 4000 }, longest);
    expect(bytes).toBeLessThanOrEqual(3000);
  });
});

describe('fitQuestion', () => {
  const question = { type: 'yes-no' as const, text: `Is it useful? ${'It reads. '.repeat(500)}` };

  it('leaves a question that fits, and any without limits', () => {
    expect(fitQuestion(question, {})).toBe(question);
    expect(fitQuestion(question, { maxInputTokens: 32_000 })).toBe(question);
  });

  it('cuts to a third of the tokens and a quarter of the bytes, the same way each time', () => {
    const cut = fitQuestion(question, { maxInputTokens: 2048 });
    expect(questionSize(cut).tokens).toBeLessThanOrEqual(2048 / 3);
    expect(cut.text.startsWith('Is it useful?')).toBe(true);
    expect(fitQuestion(question, { maxInputTokens: 2048 })).toBe(cut);
    expect(questionSize(fitQuestion(question, { maxRequestBytes: 2000 })).bytes).toBeLessThanOrEqual(500);
  });

  it('cuts an uneven text to what is safe', () => {
    const uneven = { type: 'yes-no' as const, text: `${'ascii '.repeat(300)}${'漢'.repeat(900)}` };
    expect(questionSize(fitQuestion(uneven, { maxInputTokens: 900 })).tokens).toBeLessThanOrEqual(300);
  });
});

describe('text sizes', () => {
  it('counts bytes as UTF-8 does, halves of pairs and the borders of each length too', () => {
    const odd = [
      '\u007f\u0080',
      '\u07ff\u0800',
      '漢\u{de00}',
      '\u{d83d}x',
      '\u{d83d}漢',
      '\u{d83d}\u{d83d}',
      '\u{dbff}\u{dfff}',
      '\u{d800}\u{dc00}',
      '\u{e000}\u{dc00}',
      'x\u{d83d}',
      '\u{d83d}\u{e000}',
    ];
    for (const text of odd) expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
    for (const text of ['', 'abc', 'é', '漢', '😀', 'a😀b', '\u{d83d}', '\u{de00}x'])
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
    expect(jsonStringBytes('a"\n')).toBe(7);
  });

  it('estimates tokens on the high side', () => {
    expect(estimateTokens('abcdef')).toBe(2);
    expect(estimateTokens('abcdefg')).toBe(3);
    expect(estimateTokens('漢字ab')).toBe(3);
    expect(estimateTokens('\u007f\u0080')).toBe(2);
    expect(estimateTokens('')).toBe(0);
  });
});
