import { expect, test } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { createTokenizer } from '../text/tokenizer.ts';
import { createGramScores, recentCosines } from './gram-scores.ts';

const tool = (name: string): ToolDefinition => ({ name, inputSchema: { type: 'object', properties: {} } });
const tools = [tool('abcd'), tool('wxyz')];
const tokenizer = createTokenizer();

test('cosines are those of the index, and kept', () => {
  const grams = createGramScores(tools, tokenizer);
  const cosines = grams.cosines('abce');
  expect(cosines[0]).toBeCloseTo(1 / 3, 6);
  expect(cosines[1]).toBe(0);
  expect(grams.cosines('abce')).toBe(cosines);
  for (let count = 0; count < 40; count += 1) grams.cosines(`text ${count}`);
  expect(grams.cosines('abce')).not.toBe(cosines);
  expect(grams.cosines('abce')).toEqual(cosines);
});

test('older messages count less, those of the assistant less again', () => {
  const grams = createGramScores(tools, tokenizer);
  const sums = recentCosines(grams, {
    last: 'abcd',
    before: [
      { role: 'assistant', text: 'wxyz' },
      { role: 'user', text: 'wxyz' },
    ],
  });
  expect(sums[0]).toBeCloseTo(1, 6);
  expect(sums[1]).toBeCloseTo(0.6 * 0.7 + 0.36, 6);
  expect(grams.cosines('abcd')[1]).toBe(0);
});
