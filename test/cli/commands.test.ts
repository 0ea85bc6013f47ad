import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const directory = mkdtempSync(join(tmpdir(), 'toolgate-cli-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

const catalogue = file(
  'tools.jsonl',
  [
    {
      name: 'write_file',
      description: 'Create a new file or overwrite an existing one',
      inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
      server: 'files',
    },
    {
      name: 'read_file',
      description: 'Read the complete contents of a file',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      server: 'files',
    },
    {
      name: 'get_weather',
      description: 'Current weather of a city',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      server: 'weather',
    },
    {
      name: 'send_mail',
      description: 'Sends an e-mail to somebody',
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
      server: 'mail',
    },
  ]
    .map((tool) => JSON.stringify(tool))
    .join('\n'),
);

describe('toolgate', () => {
  it('says what there is, and its version', async () => {
    const help = await runCli(['--help']);
    expect(help.code).toBe(0);
    for (const command of ['serve', 'demo', 'tools', 'select', 'search', 'call', 'inbox', 'decide', 'eval', 'cases'])
      expect(help.stdout).toContain(`  ${command}`);
    expect((await runCli(['--version'])).stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('suggests what was meant, and ends with 2, for unknown commands and options', async () => {
    expect(await runCli(['sreve'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean serve?') });
    expect(await runCli(['select', '--mesage', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--message'),
    });
    expect(await runCli(['serve', '--port', '99999'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a port from 0 to 65535'),
    });
  });

  it('says in one sentence which Node it needs', () => {
    const bin = resolve('bin/toolgate.js');
    const script = `Object.defineProperty(process.versions, 'node', { value: '20.11.0' }); process.argv = ['node', 'toolgate']; await import(${JSON.stringify(bin)});`;
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(result.status).toBe(2);
    expect(result.stderr).toBe('toolgate needs Node.js 22.13 or newer; this is 20.11.0.\n');
  });
});

describe('toolgate select', () => {
  it('shows each tool with probability, reason and tokens, and the totals', async () => {
    const { code, stdout } = await runCli([
      'select',
      '--tools',
      catalogue,
      '--message',
      'What is the weather in Rome?',
      '--max-tools',
      '1',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓\s+get_weather\s+\S+.*score/);
    expect(stdout).toMatch(/4 → 1 tools, \d+ → \d+ tokens/);
  });

  it('gives the whole report as JSON, and reads the conversation from a file or from standard input', async () => {
    const messages = file(
      'conversation.json',
      JSON.stringify([{ role: 'user', content: 'Write my notes into a file' }]),
    );
    const fromFile = JSON.parse(
      (await runCli(['select', '--tools', catalogue, '--messages', messages, '--json'])).stdout,
    ) as { entries: { name: string; probability: number }[] };
    expect(fromFile.entries.toSorted((a, b) => b.probability - a.probability)[0]?.name).toBe('write_file');
    const piped = await runCli(['select', '--tools', catalogue, '--json'], { stdin: 'Write my notes into a file' });
    expect((JSON.parse(piped.stdout) as typeof fromFile).entries.map(({ probability }) => probability)).toEqual(
      fromFile.entries.map(({ probability }) => probability),
    );
  });

  it('names file and line of what it cannot read', async () => {
    const broken = file('broken.jsonl', '{"name":"a","inputSchema":{"type":"object"}}\n{"name":');
    expect(await runCli(['select', '--tools', broken, '--message', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('broken.jsonl, line 2: not JSON'),
    });
    const noObject = file('no-object.jsonl', '{"name":"a","inputSchema":"string"}');
    expect(await runCli(['select', '--tools', noObject, '--message', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the input schema of a is not an object'),
    });
    expect(await runCli(['select', '--tools', catalogue, '--messages', broken])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('broken.jsonl'),
    });
    expect(await runCli(['select', '--tools', join(directory, 'missing.jsonl'), '--message', 'x'])).toMatchObject({
      code: 2,
    });
    expect(await runCli(['select', '--tools', catalogue])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no conversation'),
    });
    expect(await runCli(['select', '--tools', catalogue, '--message', 'x', '--model', 'nonsense'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Known are: local'),
    });
  });
});

describe('toolgate search and tools', () => {
  it('find tools as a model would', async () => {
    const { code, stdout } = await runCli(['search', 'overwrite', 'a', 'file', '--tools', catalogue]);
    expect(code).toBe(0);
    expect(stdout.split('\n')[2]).toContain('write_file');
    expect(stdout).not.toContain('catalogueSize');
    for (const strategy of ['local', 'bm25'])
      expect(await runCli(['search', 'xylophone', '--tools', catalogue, '--strategy', strategy])).toMatchObject({
        code: 3,
      });
    const json = JSON.parse((await runCli(['search', 'weather', '--tools', catalogue, '--json'])).stdout) as {
      found: { name: string }[];
    };
    expect(json.found[0]?.name).toBe('get_weather');
  });

  it('list them, and their JSON is a catalogue again', async () => {
    expect((await runCli(['tools', '--tools', catalogue])).stdout).toContain('4 tools, about');
    const again = file('again.jsonl', (await runCli(['tools', '--tools', catalogue, '--json'])).stdout);
    expect((await runCli(['tools', '--tools', again, '--json'])).stdout).toBe(
      (await runCli(['tools', '--tools', catalogue, '--json'])).stdout,
    );
  });

  it('cannot be made to write control characters by a tool’s name', async () => {
    const hostile = file(
      'hostile.jsonl',
      JSON.stringify({ name: 'a\u001b[31m\u202eb', description: 'x\u0007y', inputSchema: { type: 'object' } }),
    );
    const { stdout } = await runCli(['tools', '--tools', hostile]);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('toolgate serve', () => {
  it('names the place in a configuration that is wrong', async () => {
    const broken = file('broken.json', '{\n  "mcpServers": {\n    "a": { "command": 5 }\n  }\n}');
    const { code, stderr } = await runCli(['serve', '--config', broken]);
    expect(code).toBe(2);
    expect(stderr).toContain('broken.json:3');
    expect(stderr).toContain('command');
    const syntax = file('syntax.json', '{\n  "mcpServers": {,}\n}');
    expect(await runCli(['serve', '--config', syntax])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('syntax.json:2'),
    });
    expect(await runCli(['serve'], { directory })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no toolgate.config.json'),
    });
  });

  it('says when its port is in use', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const config = file('empty.json', JSON.stringify({ mcpServers: {}, stateDirectory: join(directory, 'state') }));
    const { code, stderr } = await runCli(['serve', '--config', config, '--port', String(port)]);
    await new Promise((done) => server.close(done));
    expect(code).toBe(2);
    expect(stderr).toContain(String(port));
    expect(stderr).toContain('in use');
  });

  it('runs, tells of itself in JSON, and ends when it is told to', async () => {
    const state = join(directory, 'running');
    mkdirSync(state);
    const config = file('running.json', JSON.stringify({ mcpServers: {}, stateDirectory: state }));
    const controller = new AbortController();
    const running = runCli(['serve', '--config', config, '--port', '0', '--json'], { signal: controller.signal });
    let tools = await runCli(['tools', '--state', state], { directory });
    for (let attempt = 0; attempt < 200 && tools.stderr !== ''; attempt += 1) {
      await new Promise((done) => setTimeout(done, 25));
      tools = await runCli(['tools', '--state', state], { directory });
    }
    expect(tools.stdout).toContain('0 tools');
    expect((await runCli(['inbox', '--state', state], { directory })).stdout).toBe('Nothing waits.\n');
    expect(await runCli(['decide', 'pause_x', '--approve', '--state', state], { directory })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pause_x'),
    });
    expect(await runCli(['decide', 'pause_x', '--state', state], { directory })).toMatchObject({ code: 2 });
    controller.abort();
    const { code, stdout } = await running;
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events[0]).toBe('listening');
    expect(events.at(-1)).toBe('closed');
    expect(await runCli(['inbox', '--state', state], { directory })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No gateway runs'),
    });
  });
});

describe('the program', () => {
  it('starts from the package’s own file', () => {
    expect(
      execFileSync(process.execPath, [resolve('bin/toolgate.js'), '--version'], { encoding: 'utf8' }).trim(),
    ).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
