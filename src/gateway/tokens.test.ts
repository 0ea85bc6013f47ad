import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadTokens, matchToken } from './tokens.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolgate-tokens-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('are made once, kept, different, long, and readable by their owner only', async () => {
  const state = join(directory, 'state');
  const first = await loadTokens(state);
  expect(await loadTokens(state)).toEqual(first);
  expect(first.caller).not.toBe(first.approver);
  expect(first.caller).toMatch(/^tg_caller_[\w-]{43}$/);
  expect(first.approver).toMatch(/^tg_approver_[\w-]{43}$/);
  expect((await stat(join(state, 'tokens.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(state)).mode & 0o777).toBe(0o700);
});

test.each([
  '',
  '{',
  '{}',
  '{"caller":"short","approver":"short"}',
  '{"caller":"aaaaaaaaaaaaaaaaaaaaaaaaaa","approver":"aaaaaaaaaaaaaaaaaaaaaaaaaa"}',
])('a broken file %j is told and left as it is', async (text) => {
  const path = join(directory, 'tokens.json');
  await writeFile(path, text);
  await chmod(path, 0o600);
  await expect(loadTokens(directory)).rejects.toThrow(`${path} does not hold two tokens.`);
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('are told apart, and nothing else is one', async () => {
  const tokens = await loadTokens(directory);
  expect(matchToken(tokens, tokens.caller)).toBe('caller');
  expect(matchToken(tokens, tokens.approver)).toBe('approver');
  for (const other of ['', 'x', `${tokens.approver} `, tokens.approver.slice(1), tokens.caller.toUpperCase()])
    expect(matchToken(tokens, other)).toBeUndefined();
});
