import { expect, test } from 'vitest';
import { maximumCharacters, maximumTurns, readConversation } from './conversation.ts';

test('takes the last user message, and what was said before it newest first', () => {
  expect(
    readConversation([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'answer' },
      { role: 'tool', content: [{ type: 'tool-result', output: 'x' }] },
      { role: 'user', content: [{ type: 'text', text: ' second ' }] },
    ]),
  ).toEqual({
    last: 'second',
    before: [
      { role: 'assistant', text: 'answer' },
      { role: 'user', text: 'first' },
    ],
  });
});

test('what the assistant said after the last user message is not read', () => {
  expect(
    readConversation([
      { role: 'user', content: 'ask' },
      { role: 'assistant', content: 'on it' },
    ]),
  ).toEqual({ last: 'ask', before: [] });
});

test('messages without text count as not there', () => {
  expect(readConversation([{ role: 'user', content: [{ type: 'file' }] }])).toEqual({ last: '', before: [] });
  expect(readConversation([])).toEqual({ last: '', before: [] });
});

test('long messages and long conversations are cut', () => {
  const conversation = readConversation([
    ...Array.from({ length: 30 }, (_, place) => ({ role: 'user', content: `message ${place}` })),
    { role: 'user', content: 'x'.repeat(maximumCharacters + 5) },
  ]);
  expect(conversation.last).toHaveLength(maximumCharacters);
  expect(conversation.before).toHaveLength(maximumTurns);
  expect(conversation.before[0]?.text).toBe('message 29');
});
