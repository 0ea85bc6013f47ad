import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EvaluationRun } from '../run-types.ts';
import { parseEvalOptions } from './eval-options.ts';
import type { EvalCommandOptions } from './eval-options.ts';
import { progressLine } from './progress-line.ts';
import { runEvalCommand } from './run-eval-command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolgate-eval-command-'));
  const tools = [
    { id: 'mail', name: 'send_mail', description: 'Sends an email to a person' },
    { id: 'weather', name: 'get_weather', description: 'Weather forecast for a city' },
  ];
  const cases = [
    { id: '1', messages: [{ role: 'user', content: 'email my boss' }], relevant: ['mail'] },
    { id: '2', messages: [{ role: 'user', content: 'forecast for Berlin' }], relevant: ['weather'] },
    { id: '3', messages: [{ role: 'user', content: 'zzz' }], relevant: ['weather'] },
  ];
  const lines = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
  await writeFile(join(folder, 'tools.jsonl'), lines(tools));
  await writeFile(join(folder, 'cases.jsonl'), lines(cases));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function command(options: EvalCommandOptions): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runEvalCommand(
    { set: ['mine=.'], directory: folder, ...options },
    { stdout: (text) => (out += text), stderr: (text) => (err += text), isTty: false },
  );
  return { code, out, err };
}

describe('runEvalCommand', () => {
  it.each(['local', 'bm25', 'simple', 'hybrid'])('measures with %s', async (scorer) => {
    const { code, out, err } = await command({ scorer });
    expect(err).toBe('mine: 3 cases\n');
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Scorer ${scorer}[, ]`));
    expect(out).toMatch(/^mine +2 +3/m);
  });

  it('prints JSON alone on standard output', async () => {
    const { out, err, code } = await command({ scorer: 'bm25', json: true, misses: true });
    const run = JSON.parse(out) as EvaluationRun;
    expect(code).toBe(0);
    expect(run.sets[0]).toMatchObject({ name: 'mine', tools: 2, cases: 3 });
    expect(Object.keys(run.sets[0]?.metrics ?? {})).toEqual(
      expect.arrayContaining([
        'recall@1',
        'recall@5',
        'recall@10',
        'ndcg@10',
        'complete@10',
        'lenient_recall@10',
        'needless',
        'brier',
        'ece',
        'ci',
      ]),
    );
    expect(Object.keys(run.sets[0]?.selection ?? {})).toEqual(['tools_mean', 'tokens_mean', 'recall', 'complete']);
    expect(Object.keys(run.sets[0]?.latency_ms ?? {})).toEqual(['p50', 'p95']);
    expect(run.sets[0]?.metrics.ci['recall@1']).toHaveLength(2);
    expect(err).toContain('asked   zzz');
  });

  it('says when it took a sample', async () => {
    const { err, out } = await command({ scorer: 'bm25', sample: '2' });
    expect(err).toContain('mine: 2 of 3 cases, drawn with seed 1 (--sample all takes every case).');
    expect(out).toContain('2 of 3');
  });

  it('writes the report and the run, and compares with it', async () => {
    const first = await command({ scorer: 'bm25', out: 'run.json', html: 'report.html' });
    expect(first.code).toBe(0);
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>.*<\/html>\n$/s);
    const second = await command({ scorer: 'bm25', against: 'run.json', failOnRegression: true });
    expect(second.out).toContain('Compared: bm25 before, bm25 now');
    expect(second.code).toBe(0);
    await command({ scorer: 'bm25', perCase: false, out: 'small.json' });
    expect(await readFile(join(folder, 'small.json'), 'utf8')).not.toContain('per_case');
  });

  it('runs a module, and fails with 3 when it is worse than before', async () => {
    const scorer = (value: string): string =>
      `export function createScorer(tools) { return { name: 'mod', score: () => ({ scores: tools.map((tool) => ${value}) }) }; }`;
    const cases = Array.from({ length: 40 }, (_, index) => ({
      id: `${index}`,
      messages: [{ role: 'user', content: 'x' }],
      relevant: ['mail'],
    }));
    await writeFile(join(folder, 'cases.jsonl'), cases.map((item) => JSON.stringify(item)).join('\n'));
    await writeFile(join(folder, 'good.mjs'), scorer(`tool.name === 'send_mail' ? 2 : 1`));
    await writeFile(join(folder, 'bad.mjs'), scorer(`tool.name === 'send_mail' ? 1 : 2`));
    await command({ scorer: './good.mjs', out: 'good.json' });
    const worse = await command({ scorer: './bad.mjs', against: 'good.json', failOnRegression: true });
    expect(worse.out).toMatch(/recall@1 +100\.0 +0\.0 +-100\.0.*worse/);
    expect(worse.code).toBe(3);
    expect((await command({ scorer: './bad.mjs', against: 'good.json' })).code).toBe(0);
  });

  it.each([
    [{ set: [] }, /--set NAME=DIR/],
    [{ set: ['=x'] }, /takes NAME=DIR/],
    [{ set: ['a=.', 'a=./'] }, /Two sets are named a/],
    [{ set: ['mine=none'] }, /tools\.jsonl, line 1: The file cannot be read/],
    [{ scorer: 'nope' }, /no scorer nope. Use one of local, bm25, simple, hybrid/],
    [{ scorer: './nope.mjs' }, /cannot be loaded/],
    [{ scorer: './tools.jsonl' }, /cannot be loaded|exports no function/],
    [{ against: 'tools.jsonl' }, /no result of toolgate eval/],
  ] as const)('explains %j and exits with 2', async (options, message) => {
    const { code, out, err } = await command(options);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message);
  });

  it('exits with 130 and says nothing when it is interrupted', async () => {
    const abort = new AbortController();
    abort.abort();
    expect(await command({ scorer: 'bm25', signal: abort.signal })).toEqual({
      code: 130,
      out: '',
      err: 'mine: 3 cases\n',
    });
  });

  it('exits with 1 when the scorer fails', async () => {
    await writeFile(
      join(folder, 'broken.mjs'),
      `export const createScorer = () => ({ name: 'x', score() { throw new Error('out of order'); } });`,
    );
    const { code, err } = await command({ scorer: './broken.mjs' });
    expect(code).toBe(1);
    expect(err).toContain('The evaluation failed: out of order');
  });
});

describe('parseEvalOptions', () => {
  it('has the documented defaults', () => {
    expect(parseEvalOptions({ set: ['a=b=c', 'dir'] })).toEqual({
      sets: [
        { name: 'a', path: 'b=c' },
        { name: undefined, path: 'dir' },
      ],
      scorer: 'local',
      window: 'conversation',
      sample: 2000,
      seed: 1,
      rule: undefined,
      misses: undefined,
    });
  });

  it('reads rules, samples and lists', () => {
    const parse = (options: EvalCommandOptions) => parseEvalOptions({ set: ['x=y'], ...options });
    expect(parse({ minProbability: '0.3' }).rule).toEqual({ minProbability: 0.3 });
    expect(parse({ expectedRecall: '0.9', maxTools: '12' }).rule).toEqual({
      keep: { expectedRecall: 0.9, maxTools: 12 },
    });
    expect(parse({ sample: 'all' }).sample).toBeNull();
    expect(parse({ misses: true }).misses).toBe(20);
    expect(parse({ misses: '7' }).misses).toBe(7);
  });

  it.each([
    [{ window: 'all' }, /--window takes/],
    [{ sample: '0' }, /--sample takes a whole number of 1/],
    [{ sample: '1.5' }, /--sample/],
    [{ seed: 'x' }, /--seed/],
    [{ minProbability: '2' }, /--min-probability takes a number from 0 to 1/],
    [{ expectedRecall: '0' }, /--expected-recall must be above 0/],
    [{ minProbability: '0.1', expectedRecall: '0.5' }, /either/],
    [{ maxTools: '3' }, /belongs to --expected-recall/],
    [{ failOnRegression: true }, /needs --against/],
  ] as const)('refuses %j', (options, message) => {
    expect(() => parseEvalOptions({ set: ['x=y'], ...options })).toThrow(message);
  });
});

describe('progressLine', () => {
  it('redraws one line on a terminal, only when it looks different', () => {
    const written: string[] = [];
    const line = progressLine({ stdout() {}, stderr: (text) => written.push(text), isTty: true });
    for (const done of [0, 1, 2, 3]) line.update({ set: 'mine', done, total: 1000 });
    line.update({ set: 'mine', done: 1000, total: 1000 });
    line.end();
    expect(written.map((text) => text.replaceAll('\u001B[2K', ''))).toEqual([
      `\r${'░'.repeat(24)}   0 % mine`,
      `\r${'█'.repeat(24)} 100 % mine`,
      '\r',
    ]);
  });
});
