import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEvaluationSet } from '../load-evaluation-set.ts';
import { runCasesCommand } from './run-cases-command.ts';
import type { CasesCommandOptions } from './run-cases-command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolgate-cases-'));
  await writeFile(join(folder, 'tools.jsonl'), '{"id":"mail","name":"send_mail"}\n{"id":"w","name":"get_weather"}\n');
  await writeFile(
    join(folder, 'chat.json'),
    JSON.stringify([
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', function: { name: 'get_weather', arguments: '{}' } }],
      },
      { role: 'user', content: 'mail it' },
      { role: 'assistant', content: null, tool_calls: [{ id: '2', function: { name: 'vanished', arguments: '{}' } }] },
      { role: 'user', content: 'thanks' },
    ]),
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function command(options: CasesCommandOptions): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCasesCommand(
    { from: ['chat.json'], tools: 'tools.jsonl', out: 'cases.jsonl', directory: folder, ...options },
    { stdout: (text) => (out += text), stderr: (text) => (err += text), isTty: false },
  );
  return { code, out, err };
}

describe('runCasesCommand', () => {
  it('takes calls as labels where all of them are known, into a set that loads', async () => {
    const { code, err, out } = await command({ acceptCalls: true });
    expect(code).toBe(0);
    expect(out).toBe('');
    expect(err).toContain('3 drafts from 1 conversation.');
    expect(err).toContain('Called, but not in the catalogue: vanished.');
    expect(err).toContain('2 cases added');
    const set = await loadEvaluationSet(folder);
    expect(set.cases.map(({ relevant, irrelevant }) => [relevant, irrelevant])).toEqual([
      [['w'], false],
      [[], true],
    ]);
  });

  it('asks again only about what has no label yet', async () => {
    const asked: number[] = [];
    const ask: NonNullable<CasesCommandOptions['ask']> = ({ number, total }) => {
      asked.push(number, total);
      return Promise.resolve(number === 1 ? { relevant: ['mail'] } : 'stop');
    };
    const first = await command({ ask });
    expect(first.err).toContain('1 case added');
    expect(first.err).toContain('Run the same command again to go on.');
    await command({ ask });
    expect(asked).toEqual([1, 3, 2, 3, 1, 2, 2, 2]);
    expect((await readFile(join(folder, 'cases.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  it('prints drafts and writes nothing', async () => {
    const { out } = await command({ drafts: true, out: undefined });
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { called: unknown }).called),
    ).toEqual([['w'], [], []]);
    await expect(readFile(join(folder, 'cases.jsonl'))).rejects.toThrow('ENOENT');
  });

  it('reads one JSON value per line', async () => {
    const lines = [
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', function: { name: 'get_weather', arguments: '{}' } }],
      },
    ];
    await writeFile(join(folder, 'chat.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    expect((await command({ from: ['chat.jsonl'], acceptCalls: true })).err).toContain('1 draft from 1 conversation.');
  });

  it.each([
    [{ from: [] }, /--from FILE/],
    [{ tools: undefined }, /--tools tools.jsonl/],
    [{ out: undefined, acceptCalls: true }, /--out cases.jsonl/],
    [{}, /Labelling needs a terminal/],
    [{ from: ['none.json'], acceptCalls: true }, /none\.json cannot be read/],
    [{ from: ['tools.jsonl'], acceptCalls: true }, /No conversation found/],
    [{ tools: 'chat.json', acceptCalls: true }, /A tool must be a JSON object/],
  ] as const)('explains %j and exits with 2', async (options, message) => {
    const { code, err } = await command(options);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
