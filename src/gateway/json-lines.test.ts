import { expect, test } from 'vitest';
import { JsonLineReader } from './json-lines.ts';

function read(chunks: readonly (string | Uint8Array)[], limit?: number): { messages: unknown[]; junk: string[] } {
  const messages: unknown[] = [];
  const junk: string[] = [];
  const reader = new JsonLineReader(
    { message: (message) => messages.push(message), junk: (line) => junk.push(line) },
    limit,
  );
  for (const chunk of chunks) reader.append(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  return { messages, junk };
}

const message = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });

test('finds messages in whatever pieces they come', () => {
  const text = `${message(1)}\n${message(2)}\r\n\n  ${message(3)}  \n`;
  const whole = read([text]);
  expect(whole.messages).toHaveLength(3);
  expect(read(Array.from({ length: text.length }, (_value, index) => text.slice(index, index + 1)))).toEqual(whole);
});

test('GW-20 reads a character that was cut by the end of a chunk', () => {
  const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{"text":"ü€😀"}}\n');
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const { messages, junk } = read([bytes.slice(0, cut), bytes.slice(cut)]);
    expect(junk).toEqual([]);
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { text: 'ü€😀' } }]);
  }
});

test('GW-20 anything that is no message is junk, and the next line is read', () => {
  const junk = [
    'Starting',
    '{"level":"info"}',
    '[]',
    'null',
    '42',
    '"text"',
    '{"jsonrpc":"1.0","id":1}',
    '[{"jsonrpc":"2.0","id":1,"result":{}},7]',
    '{"half":',
  ];
  const result = read([`${junk.join('\n')}\n\ufeff${message(9)}\n`]);
  expect(result.junk).toEqual(junk);
  expect(result.messages).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }]);
});

test('a batch of older servers is taken apart', () => {
  expect(read([`[${message(1)},${message(2)}]\n`]).messages).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, result: {} },
  ]);
});

test('a line without an end is dropped at the limit, once, and reading goes on after it', () => {
  const { messages, junk } = read(['x'.repeat(40), 'y'.repeat(100), 'z'.repeat(100), `\n${message(1)}\n`], 120);
  expect(junk).toEqual([`(more than 120 bytes without an end of line) ${'x'.repeat(40)}`]);
  expect(messages).toHaveLength(1);
});
