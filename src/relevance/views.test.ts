import { expect, test } from 'vitest';
import { createToolIndex } from '../index/tool-index.ts';
import { readViews } from './views.ts';

const index = createToolIndex();
index.set([{ name: 'get_weather', description: 'forecast', inputSchema: { type: 'object' } }]);

test('without history all readings are the last message', () => {
  const views = readViews({ last: 'weather in Paris', before: [] }, index);
  expect(views.hasHistory).toBe(false);
  expect(views.recent).toBe(views.last);
  expect(views.reply.terms.size).toBe(0);
});

test('older messages count less, the assistant less than the user', () => {
  const views = readViews(
    {
      last: 'Paris',
      before: [
        { role: 'assistant', text: 'city' },
        { role: 'user', text: 'weather' },
      ],
    },
    index,
  );
  const stem = (word: string): string => index.tokenizer.stem(word);
  expect(views.recent.terms.get(stem('paris'))).toBe(1);
  expect(views.recent.terms.get(stem('city'))).toBeCloseTo(0.6 * 0.7, 10);
  expect(views.recent.terms.get(stem('weather'))).toBeCloseTo(0.6 * 0.6, 10);
  expect([...views.reply.terms.keys()]).toEqual([stem('city')]);
});

test('a short last message leans on what was said before', () => {
  const short = readViews({ last: 'yes', before: [] }, index).lean;
  const long = readViews({ last: 'book a cheap flight from Rome to Oslo on Friday morning', before: [] }, index).lean;
  expect(short).toBeGreaterThan(long);
});

test('a message with several requests is cut into them', () => {
  const views = readViews(
    { last: 'Get the weather in Paris. Then send an email to Ann, and finally book a hotel room.', before: [] },
    index,
  );
  expect(views.segments).toHaveLength(3);
  expect(views.segments[1]?.terms.has(index.tokenizer.stem('email'))).toBe(true);
  expect(views.segments[1]?.terms.has(index.tokenizer.stem('hotel'))).toBe(false);
});

test('decimal numbers and abbreviations do not cut', () => {
  expect(readViews({ last: 'round the number 3.14 to 1.5 digits', before: [] }, index).segments).toHaveLength(1);
});
