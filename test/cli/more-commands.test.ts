import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const directory = mkdtempSync(join(tmpdir(), 'toolgate-cli-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: string | object): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const require = createRequire(import.meta.url);
const memoryServer = {
  command: process.execPath,
  args: [require.resolve('@modelcontextprotocol/server-memory/dist/index.js')],
  env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') },
};

describe('toolgate policy test', () => {
  it('says what would have run, asked and been denied, and calls nothing', async () => {
    const tools = file(
      'tools.jsonl',
      [
        { name: 'read', inputSchema: { type: 'object' } },
        {
          name: 'pay',
          inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
        },
        { name: 'drop_all', inputSchema: { type: 'object' } },
      ]
        .map((tool) => JSON.stringify(tool))
        .join('\n'),
    );
    const config = file('policy.json', { mcpServers: {}, policy: { pay: 'confirm', 'drop_*': 'deny' } });
    const calls = file(
      'calls.jsonl',
      [
        '{"toolName":"read"}',
        '{"toolName":"pay","input":{"amount":5}}',
        '{"toolName":"pay","input":{}}',
        '{"toolName":"drop_all"}',
        '{"toolName":"nothing"}',
      ].join('\n'),
    );
    const { code, stdout } = await runCli([
      'policy',
      'test',
      '--calls',
      calls,
      '--config',
      config,
      '--tools',
      tools,
      '--json',
    ]);
    expect(code).toBe(0);
    const { calls: judged, totals } = JSON.parse(stdout) as { calls: { verdict: string }[]; totals: object };
    expect(judged.map(({ verdict }) => verdict)).toEqual(['run', 'ask', 'invalid', 'deny', 'unknown']);
    expect(totals).toEqual({ run: 1, ask: 1, deny: 1, invalid: 1, unknown: 1 });
    const broken = file('broken-calls.jsonl', '{"toolName":"read"}\n{"input":{}}');
    expect(await runCli(['policy', 'test', '--calls', broken, '--config', config, '--tools', tools])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('line 2: the call has no toolName'),
    });
  });
});

/** Thirty messages: the needed tool had 0.4 or 0.2, the others 0.05; a call may come in a second line of the same message. */
function labels(): string {
  const lines: string[] = [];
  for (let index = 0; index < 30; index += 1) {
    const needed = index % 2 === 0 ? 0.4 : 0.2;
    const of = (called: boolean) =>
      ['a', 'b', 'c', 'd'].map((name, position) => ({
        name,
        probability: position === index % 4 ? needed : 0.05,
        selected: position === index % 4 && needed > 0.3,
        called: called && position === index % 4,
        tokens: 100,
      }));
    lines.push(
      JSON.stringify({ id: `m${index}`, labels: of(false) }),
      JSON.stringify({ id: `m${index}`, labels: of(true) }),
    );
  }
  return lines.join('\n');
}

describe('toolgate report and tune', () => {
  it('say what was missed and saved, and which rule fits', async () => {
    const path = file('labels.jsonl', labels());
    const report = JSON.parse((await runCli(['report', path, '--json'])).stdout) as Record<string, unknown>;
    expect(report).toMatchObject({ messages: 30, called: 30, kept: 15, tokens: { all: 12_000, selected: 1500 } });
    expect((await runCli(['report', path])).stdout).toContain(
      'would have kept 15 of them (50.0 %) and saved 87.5 % of the tokens',
    );
    const config = file('tuned.json', { mcpServers: {}, mode: 'all' });
    const tuned = await runCli(['tune', '--labels', path, '--config', config, '--write', '--json']);
    const result = JSON.parse(tuned.stdout) as { changed: boolean; after: { recall: number; shown: number } };
    expect(tuned.code).toBe(result.changed ? 0 : 3);
    expect(result.changed).toBe(true);
    expect(result.after.recall).toBeGreaterThanOrEqual(0.9);
    const written = JSON.parse(readFileSync(config, 'utf8')) as { mode: string; selection: { rule: object } };
    expect(written.mode).toBe('all');
    expect(written.selection.rule).toBeDefined();
    expect((await runCli(['doctor', '--config', config])).stdout).not.toContain('selection');
  });

  it('refuse labels that are none, with file and line', async () => {
    const wrong = file(
      'wrong-labels.jsonl',
      '{"id":"a","labels":[]}\n{"id":"a","labels":[{"name":"x","probability":2}]}',
    );
    expect(await runCli(['report', wrong])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('line 2: a label needs a name and a probability'),
    });
    expect(await runCli(['tune'])).toMatchObject({ code: 2 });
  });
});

describe('toolgate import', () => {
  it('takes over servers of several clients, keeps different ones apart, and replaces nothing unasked', async () => {
    const a = file(
      'a.json',
      '{\n  // a comment\n  "mcpServers": { "files": { "command": "files", "args": ["/a"] } }\n}',
    );
    const b = file('b.json', {
      servers: { files: { command: 'files', args: ['/b'] }, web: { url: 'https://web.example/mcp' } },
    });
    const out = join(directory, 'imported.json');
    const { code, stdout } = await runCli(['import', a, b, '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('files-2');
    expect(Object.keys((JSON.parse(readFileSync(out, 'utf8')) as { mcpServers: object }).mcpServers)).toEqual([
      'files',
      'files-2',
      'web',
    ]);
    expect(await runCli(['import', a, '--out', out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is there already'),
    });
    expect(await runCli(['import', join(directory, 'none.json')])).toMatchObject({ code: 2 });
  });
});

describe('toolgate connect', () => {
  it('prints what each client needs', async () => {
    const config = file('own.json', { mcpServers: {} });
    const { code, stdout } = await runCli(['connect', 'vscode', '--stdio', '--config', config, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      servers: { toolgate: { command: 'npx', args: ['-y', 'toolgate', 'serve', '--stdio', '--config', config] } },
    });
    expect(await runCli(['connect', 'netscape'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Known are: claude-desktop'),
    });
  });
});

describe('toolgate doctor', () => {
  it('starts every server once and says which are missing and why', async () => {
    const config = file('doctor.json', {
      mcpServers: { memory: memoryServer, missing: { command: join(directory, 'no-such-program') } },
      stateDirectory: join(directory, 'doctor-state'),
      port: 0,
    });
    const { code, stdout } = await runCli(['doctor', '--config', config]);
    expect(code).toBe(3);
    expect(stdout).toContain('✓ memory: 9 tools');
    expect(stdout).toMatch(/✗ missing: failed, .*no-such-program/);
    expect(stdout).toContain('1 problem.');
    expect(existsSync(join(directory, 'doctor-state'))).toBe(true);
    expect(await runCli(['doctor', '--config', join(directory, 'absent.json')])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('toolgate import'),
    });
  });

  it('lists the tools of a configuration', async () => {
    const config = file('listed.json', { mcpServers: { memory: memoryServer } });
    const { code, stdout } = await runCli(['tools', '--config', config]);
    expect(code).toBe(0);
    expect(stdout).toContain('search_nodes');
    expect(stdout).toContain('9 tools, about');
  });
});
