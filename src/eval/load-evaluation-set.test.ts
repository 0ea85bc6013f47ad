import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolgateError } from '../core/errors.ts';
import { loadEvaluationSet } from './load-evaluation-set.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolgate-eval-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const tools = [
  {
    id: 'a',
    name: 'send_mail',
    description: 'Sends',
    inputSchema: { type: 'object' },
    server: 'mail',
    serverDescription: 'Mail',
  },
  { id: 'b', name: 'send_mail', description: null },
  { id: 'c', name: 'find' },
];
const user = (content: string): object[] => [{ role: 'user', content }];

async function write(name: string, rows: readonly unknown[]): Promise<void> {
  await writeFile(
    join(folder, name),
    rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'),
  );
}

async function failure(cases: readonly unknown[], catalogue: readonly unknown[] = tools): Promise<ToolgateError> {
  await write('tools.jsonl', catalogue);
  await write('cases.jsonl', cases);
  return loadEvaluationSet(folder).then(
    () => {
      throw new Error('expected a failure');
    },
    (error: unknown) => error as ToolgateError,
  );
}

describe('loadEvaluationSet', () => {
  it('reads tools and cases', async () => {
    await write('tools.jsonl', tools);
    await write('cases.jsonl', [
      { id: '1', kind: 'x', messages: user('write'), relevant: ['a', 'a'], alternatives: { a: ['b'] } },
      '',
      { id: '2', messages: user('thanks'), relevant: [], irrelevant: true, candidates: ['b', 'c'], extra: 1 },
    ]);
    const set = await loadEvaluationSet(folder, 'mine');
    expect(set.name).toBe('mine');
    expect(set.tools.map((tool) => tool.definition.name)).toEqual(['send_mail', 'send_mail_2', 'find']);
    expect(set.tools[0]?.definition.server).toEqual({ name: 'mail', identity: 'mail', description: 'Mail' });
    expect(set.tools[1]?.definition.description).toBeUndefined();
    expect(set.cases[0]).toMatchObject({ id: '1', kind: 'x', relevant: ['a'], irrelevant: false });
    expect(set.cases[0]?.alternatives.get('a')).toEqual(['b']);
    expect(set.cases[1]).toMatchObject({ kind: 'case', irrelevant: true, candidates: ['b', 'c'] });
    expect(set.positions.get('c')).toBe(2);
  });

  it('takes messages without content, as those that only call tools', async () => {
    await write('tools.jsonl', tools);
    const messages = [
      ...user('a'),
      { role: 'assistant', content: null },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
    ];
    await write('cases.jsonl', [{ id: '1', messages, relevant: ['a'] }]);
    const set = await loadEvaluationSet(folder);
    expect(set.cases[0]?.messages).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '' },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
    ]);
  });

  it('does not cut lines at the separators that JSON texts may hold, and drops a byte order mark', async () => {
    await write('tools.jsonl', ['\uFEFF' + JSON.stringify({ id: 'a', name: 'x' })]);
    await writeFile(
      join(folder, 'cases.jsonl'),
      `{"id":"1","messages":[{"role":"user","content":"a\u2028b\u2029c\u0085d 😀 日本"}],"relevant":["a"]}\r\n`,
    );
    const set = await loadEvaluationSet(folder);
    expect(set.cases[0]?.messages[0]?.content).toBe('a\u2028b\u2029c\u0085d 😀 日本');
  });

  it('reads characters that lie across two chunks of the stream', async () => {
    const text = '😀'.repeat(40_000);
    await write('tools.jsonl', [{ id: 'a', name: 'x', description: `y${text}` }]);
    await write('cases.jsonl', [{ id: '1', messages: user(text), relevant: ['a'] }]);
    const set = await loadEvaluationSet(folder);
    expect(set.tools[0]?.definition.description).toBe(`y${text}`);
    expect(set.cases[0]?.messages[0]?.content).toBe(text);
  });

  it('does not trip over names that objects inherit', async () => {
    await write('tools.jsonl', [
      { id: '__proto__', name: 'constructor' },
      { id: 'toString', name: 'x' },
    ]);
    await write('cases.jsonl', [
      '{"id":"constructor","messages":[{"role":"user","content":"a"}],"relevant":["__proto__"],"alternatives":{"__proto__":["toString"]}}',
    ]);
    const set = await loadEvaluationSet(folder);
    expect(set.cases[0]?.alternatives.get('__proto__')).toEqual(['toString']);
    expect((await failure([{ id: '1', messages: user('a'), relevant: ['hasOwnProperty'] }])).data['line']).toBe(1);
  });

  it.each([
    ['no JSON', '{"id": ', /line 2: Not a JSON value/],
    ['no object', '[]', /line 2: A case must be a JSON object/],
    ['no id', { messages: user('a'), relevant: ['a'] }, /`id` must be/],
    ['an id twice', { id: 'ok', messages: user('a'), relevant: ['a'] }, /Case ok stands already in line 1/],
    [
      'an unknown tool',
      { id: '2', messages: user('a'), relevant: ['zz'] },
      /`relevant` names zz, which is no tool of this set/,
    ],
    [
      'an unknown candidate',
      { id: '2', messages: user('a'), relevant: ['a'], candidates: ['zz'] },
      /`candidates` names zz/,
    ],
    ['nothing relevant', { id: '2', messages: user('a'), relevant: [] }, /names no relevant tool/],
    ['both', { id: '2', messages: user('a'), relevant: ['a'], irrelevant: true }, /Keep one/],
    ['no messages', { id: '2', messages: [], relevant: ['a'] }, /at least one message/],
    [
      'no role',
      { id: '2', messages: [{ content: 'a' }], relevant: ['a'] },
      /message 1 must be an object with a `role`/,
    ],
    ['wrong content', { id: '2', messages: [{ role: 'user', content: 5 }], relevant: ['a'] }, /`content` of message 1/],
    [
      'a stray alternative',
      { id: '2', messages: user('a'), relevant: ['a'], alternatives: { c: ['b'] } },
      /names c, which is not in/,
    ],
  ])('says file and line for %s', async (_, row, message) => {
    const error = await failure([{ id: 'ok', messages: user('a'), relevant: ['a'] }, row]);
    expect(error.code).toBe('dataset-invalid');
    expect(error.message).toMatch(message);
    expect(error.data).toEqual({ file: join(folder, 'cases.jsonl'), line: 2 });
  });

  it.each([
    [
      'a tool twice',
      [
        { id: 'a', name: 'x' },
        { id: 'a', name: 'y' },
      ],
      /Tool a stands already in line 1/,
    ],
    ['no name', [{ id: 'a', name: ' ' }], /`name` must be/],
    ['a wrong schema', [{ id: 'a', name: 'x', inputSchema: [] }], /`inputSchema` must be/],
    ['no tools', [], /holds no tool/],
  ])('says what is wrong with a catalogue that has %s', async (_, catalogue, message) => {
    const error = await failure([], catalogue);
    expect(error.code).toBe('dataset-invalid');
    expect(error.message).toMatch(message);
  });

  it('says which file is missing, and where bytes are not UTF-8', async () => {
    await expect(loadEvaluationSet(join(folder, 'none'))).rejects.toMatchObject({
      code: 'dataset-invalid',
      message: expect.stringMatching(/tools\.jsonl, line 1: The file cannot be read/),
    });
    await writeFile(join(folder, 'tools.jsonl'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    await expect(loadEvaluationSet(folder)).rejects.toMatchObject({ message: expect.stringMatching(/not UTF-8/) });
  });
});
