import { expect, it } from 'vitest';
import { deniedInTurn } from './denied-in-turn.ts';

const user = { role: 'user', content: 'x' };
const call = (
  toolCallId: string,
  toolName: string,
  input: unknown = {},
): { type: string; toolCallId: string; toolName: string; input: unknown } => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
});
const asked = (
  ...content: readonly ReturnType<typeof call>[]
): { role: string; content: readonly ReturnType<typeof call>[] } => ({ role: 'assistant', content });
const answered = (
  ...parts: readonly (readonly [id: string, type: string])[]
): { role: string; content: readonly object[] } => ({
  role: 'tool',
  content: parts.map(([toolCallId, type]) => ({ type: 'tool-result', toolCallId, output: { type } })),
});
const no = 'execution-denied';
const names = (messages: readonly object[]): string[] =>
  deniedInTurn(messages as never).map(({ toolName }) => toolName);

it('finds the calls that were denied since the last user message', () => {
  expect(names([user, asked(call('1', 'a'), call('2', 'b')), answered(['1', no], ['2', 'text'])])).toEqual(['a']);
  expect(names([user, asked(call('1', 'a')), answered(['1', no]), asked(call('1', 'b')), answered(['1', no])])).toEqual(
    ['a', 'b'],
  );
  expect(names([user, asked(call('1', 'a')), answered(['1', no]), user])).toEqual([]);
  expect(
    names([user, asked(call('1', 'a')), answered(['1', no]), user, asked(call('1', 'b')), answered(['1', no])]),
  ).toEqual(['b']);
  expect(names([asked(call('1', 'a')), answered(['1', no])])).toEqual(['a']);
  expect(names([])).toEqual([]);
});

it('tells repeated and empty ids apart by their order', () => {
  expect(
    names([user, asked(call('', 'a'), call('', 'b'), call('', 'c')), answered(['', 'text'], ['', no], ['', 'text'])]),
  ).toEqual(['b']);
  expect(names([user, asked(call('1', 'a')), answered(['1', 'text'], ['1', no])])).toEqual([]);
  expect(names([user, asked(call('1', 'a')), answered(['2', no])])).toEqual([]);
});

it('is not confused by other parts', () => {
  const odd = {
    role: 'tool',
    content: [
      { type: 'text', text: 'x' },
      { type: 'tool-result', toolCallId: '1' },
      { type: 'tool-result', toolCallId: '2', output: null },
    ],
  };
  expect(names([user, asked(call('1', 'a'), call('2', 'b')), odd, { role: 'tool', content: 'text' }])).toEqual([]);
  const missing = { role: 'tool', content: [{ type: 'tool-result', output: { type: no } }] };
  expect(names([user, asked(call('', 'a')), missing])).toEqual(['a']);
});
