import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isToolgateError } from '../core/errors.ts';
import type { ToolgateError } from '../core/errors.ts';
import { createConfig, loadConfig, parseConfig } from './load-config.ts';
import { configJsonSchema } from './schema.ts';

const environment = { HOME: '/h', PATH: '/bin', TOKEN: 'pa$$w0rd${X}', SECRET_OF_GATEWAY: 'never inherited' };

function refusal(text: string): ToolgateError {
  try {
    parseConfig(text, '/etc/toolgate.config.json', { environment });
  } catch (error) {
    if (isToolgateError(error)) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('parseConfig', () => {
  test('takes the block of a client as it is', () => {
    const { config, warnings } = parseConfig(
      `{
        // comments are fine
        "mcpServers": {
          "files": { "command": "npx", "args": ["-y", "server", "/tmp"], "env": { "DEBUG": 1 }, "timeout": 90 },
          "remote": { "type": "streamable-http", "url": "https://example.com/mcp", "headers": { "X-Key": "abcdefgh" } },
          "old": { "type": "sse", "url": "http://127.0.0.1:9/sse", "disabled": true },
          "either": { "url": "http://127.0.0.1:9/mcp" },
        }
      }`,
      '/etc/toolgate.config.json',
      { environment },
    );
    expect(warnings).toEqual([]);
    const [files, remote, old, either] = config.servers;
    expect(files?.transport).toEqual({
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'server', '/tmp'],
      env: { DEBUG: '1' },
      cwd: undefined,
    });
    expect(files?.timeouts).toEqual({ connectMs: 30_000, listMs: 30_000, callMs: 90_000, callTotalMs: 600_000 });
    expect(remote?.transport).toEqual({
      type: 'http',
      url: 'https://example.com/mcp',
      headers: { 'X-Key': 'abcdefgh' },
    });
    expect(remote?.secrets).toEqual(['abcdefgh']);
    expect(old?.transport.type).toBe('sse');
    expect(old?.disabled).toBe(true);
    expect(either?.transport.type).toBe('auto');
    expect(config).toMatchObject({
      mode: 'search',
      holdMs: 45_000,
      expiresMs: 86_400_000,
      host: '127.0.0.1',
      auth: true,
      acceptIn: 'page',
    });
    expect(config.environment).toEqual({ HOME: '/h', PATH: '/bin' });
    expect(config.stateDirectory).toMatch(/^\/h\/\.local\/state\/toolgate\/[0-9a-f]{12}$/);
    expect(config.storePath).toBe(join(config.stateDirectory, 'toolgate.db'));
  });

  test('names file, line and column of a syntax error', () => {
    const error = refusal('{\n  "mode": "search",\n  "port" 80\n}');
    expect(error.code).toBe('config-invalid');
    expect(error.message).toBe('/etc/toolgate.config.json:3:10: not valid JSON: expected : after "port", found "8".');
    expect(error.data).toEqual({ file: '/etc/toolgate.config.json', path: '', line: 3, column: 10 });
  });

  test.each([
    ['{"a": 1', '1:8', 'expected , or }, found the end of the file'],
    ['{"a": 1, "a": 2}', '1:10', 'the name "a" stands twice in one object'],
    ['{"a": 01}', '1:7', 'expected a value, found "0"'],
    ['{"a": "x\ny"}', '1:7', 'a text that is never closed'],
    ['', '1:1', 'expected a value, found the end of the file'],
    ['{"policy": {"__proto__": "deny"}}', '1:13', 'the name "__proto__" cannot be used'],
    ['{} {}', '1:4', 'expected the end of the file'],
    ['/* never', '1:1', 'a comment that is never closed'],
  ])('refuses %j at %s', (text, place, message) => {
    const error = refusal(text);
    expect(error.message).toContain(`not valid JSON: ${message}`);
    expect(error.message).toContain(`toolgate.config.json:${place}`);
  });

  test('names file, line, column, path and what was expected for a wrong value', () => {
    const error = refusal('{\n  "mcpServers": {\n    "a/b": { "command": 7 }\n  }\n}');
    expect(error.message).toMatch(
      /^\/etc\/toolgate\.config\.json:3:25 at \/mcpServers\/a~1b\/command: Invalid input: expected string, received number\.$/,
    );
    expect(error.data).toMatchObject({ line: 3, column: 25, path: '/mcpServers/a~1b/command' });
  });

  test.each([
    ['[]', ''],
    ['{"mode": "quick"}', '/mode'],
    ['{"port": 70000}', '/port'],
    ['{"holdMs": "soon"}', '/holdMs'],
    ['{"policy": {"x": "maybe"}}', '/policy/x'],
    ['{"mcpServers": {"a": {"args": "x"}}}', '/mcpServers/a/args'],
    ['{"mcpServers": []}', '/mcpServers'],
  ])('refuses %s at %s', (text, path) => {
    expect(refusal(text).data['path']).toBe(path);
  });

  test.each([
    ['{"policy": {"x": "maybe"}}', 'expected true, false, "allow", "confirm", "deny" or { "deny": "reason" }.'],
    ['{"policy": {"x": {"deny": 7}}}', 'expected true, false, "allow", "confirm", "deny" or { "deny": "reason" }.'],
    ['{"holdMs": "soon"}', 'expected milliseconds or a duration such as "45s", "2m", "1h", "30d".'],
    ['{"holdMs": []}', 'expected milliseconds or a duration such as "45s", "2m", "1h", "30d".'],
    ['{"expires": true}', 'expected milliseconds or a duration such as "45s", "2m", "1h", "30d", or null.'],
  ])('says what may stand instead in %s', (text, words) => {
    expect(refusal(text).message).toMatch(/ at \/\w+(?:\/x)?: expected /);
    expect(refusal(text).message).toContain(`: ${words}`);
  });

  test('names up to three things that are wrong', () => {
    const three = '{\n "policy": {\n  "a": 1,\n  "b": 2,\n  "c": 3\n }\n}';
    const words = 'expected true, false, "allow", "confirm", "deny" or { "deny": "reason" }';
    const start = '/etc/toolgate.config.json:3:8 at /policy/a';
    expect(refusal(three).message).toBe(
      `${start}: ${words}; /policy/b (line 4): ${words}; /policy/c (line 5): ${words}.`,
    );
    const five = three.replace('"c": 3', '"c": 3, "d": 4, "e": 5');
    expect(refusal(five).message).toBe(
      `${start}: ${words}; /policy/b (line 4): ${words}; /policy/c (line 5): ${words} (and 2 more).`,
    );
  });

  test('warns of unknown keys with the place and the word that was meant', () => {
    const { warnings } = parseConfig(
      '{\n "mods": "all",\n "mcpServers": {"a": {"comand": "x", "alwaysAllow": ["y"]}},\n "zzz": 1\n}',
      '/x.json',
      { environment },
    );
    expect(warnings).toEqual([
      {
        path: '/mods',
        line: 2,
        column: 10,
        message: '"mods" is not known here and has no effect. Did you mean "mode"?',
      },
      { path: '/zzz', line: 4, column: 9, message: '"zzz" is not known here and has no effect.' },
      {
        path: '/mcpServers/a/comand',
        line: 3,
        column: 33,
        message: '"comand" is not known here and has no effect. Did you mean "command"?',
      },
      {
        path: '/mcpServers/a/alwaysAllow',
        line: 3,
        column: 53,
        message: '"alwaysAllow" is a setting of other clients and has no effect: write rules under "policy".',
      },
    ]);
  });

  test('durations, limits and policy', () => {
    const { config } = parseConfig(
      '{"holdMs": 0, "expires": null, "policy": {"a": true, "b": false, "c": {"deny": "no"}}, "defaults": {"callTimeoutMs": "30s"}, "mcpServers": {"s": {"command": "x", "callTimeoutMs": 180000, "connectTimeoutMs": "5s", "listTimeoutMs": 0}, "t": {"command": "x", "callTotalTimeoutMs": null}}}',
      '/x.json',
      { environment },
    );
    expect(config.holdMs).toBe(0);
    expect(config.expiresMs).toBeNull();
    expect(config.policy).toEqual({ a: 'confirm', b: 'allow', c: { deny: 'no' } });
    expect(config.servers[0]?.timeouts).toEqual({
      connectMs: 5_000,
      listMs: null,
      callMs: 180_000,
      callTotalMs: 600_000,
    });
    expect(config.servers[1]?.timeouts).toEqual({
      connectMs: 30_000,
      listMs: 30_000,
      callMs: 30_000,
      callTotalMs: null,
    });
  });

  test('GW-21 placeholders are filled once, everywhere, and a missing variable takes out one server only', () => {
    const { config } = parseConfig(
      JSON.stringify({
        servers: {
          a: { url: '${BASE:-http://127.0.0.1:1}/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
          b: { command: 'node', args: ['${HOME}/s.js', '$TOKEN', '$${NOT}'], env: { T: '${TOKEN}', E: '${MISSING}' } },
          c: { url: 'http://127.0.0.1:2/mcp' },
        },
      }),
      '/x.json',
      { environment },
    );
    const [a, b, c] = config.servers;
    expect(a?.transport).toEqual({
      type: 'auto',
      url: 'http://127.0.0.1:1/mcp',
      headers: { Authorization: 'Bearer pa$$w0rd${X}' },
    });
    expect(a?.problem).toBeUndefined();
    expect(a?.secrets).toEqual(['pa$$w0rd${X}', 'Bearer pa$$w0rd${X}']);
    expect(b?.transport).toMatchObject({ args: ['/h/s.js', '$TOKEN', '${NOT}'], env: { T: 'pa$$w0rd${X}' } });
    expect(b?.problem).toBe(
      'env.E names the environment variable MISSING, which is not set. Set it, or write ${MISSING:-default}.',
    );
    expect(c?.problem).toBeUndefined();
  });

  test('a server without a program or an address is a problem of its own', () => {
    const config = createConfig(
      { mcpServers: { a: {}, b: { command: 'x', url: 'http://127.0.0.1/' }, c: { url: 'ftp://x' } } },
      { environment },
    );
    expect(config.servers.map((server) => server.problem)).toEqual([
      'It has neither a command nor a url.',
      'It has both a command and a url: keep one.',
      'Its url is not an http or https address.',
    ]);
  });
});

describe('loadConfig', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'toolgate-config-'));
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  test('says which file is missing', async () => {
    const file = join(directory, 'none.json');
    await expect(loadConfig(file)).rejects.toThrow(`There is no file ${file}.`);
  });

  test('relative paths start from the file', async () => {
    const file = join(directory, 'toolgate.config.json');
    await writeFile(
      file,
      '\ufeff{"stateDirectory": "state", "store": {"path": "./s.db"}, "mcpServers": {"a": {"command": "x"}}}',
    );
    const { config } = await loadConfig(file, { environment });
    expect(config.stateDirectory).toBe(join(directory, 'state'));
    expect(config.storePath).toBe(join(directory, 's.db'));
  });

  test('a program is run only by its own path, and checked as well', async () => {
    const file = join(directory, 'toolgate.config.mjs');
    await writeFile(file, 'export default { mode: "all", mcpServers: { a: { command: "x" } } };');
    expect((await loadConfig(file, { environment })).config.mode).toBe('all');
    const wrong = join(directory, 'wrong.mjs');
    await writeFile(wrong, 'export default { mode: 1 };');
    await expect(loadConfig(wrong)).rejects.toMatchObject({
      code: 'config-invalid',
      data: { file: wrong, path: '/mode' },
    });
  });
});

test('the schema for editors knows the keys', () => {
  const schema = configJsonSchema() as { properties: Record<string, unknown> };
  expect(Object.keys(schema.properties)).toContain('mcpServers');
  expect(JSON.stringify(schema)).toContain('callTimeoutMs');
});
