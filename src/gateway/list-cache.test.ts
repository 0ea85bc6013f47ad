import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createListCache } from './list-cache.ts';

const server = { name: 's', identity: 'stdio:["node","s.js"]' };
const raw = { name: 'a', description: 'A.', inputSchema: { type: 'object' }, icons: [{ src: 'data:,' }] };
const list = {
  tools: [{ raw, definition: { name: 'a', description: 'A.', inputSchema: { type: 'object' }, server } }],
  era: 'legacy' as const,
  instructions: 'Be kind.',
};

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolgate-lists-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('gives back what was kept, to the same server only', async () => {
  const cache = createListCache(directory);
  expect(await cache.load(server)).toBeUndefined();
  await cache.save(server, list);
  expect(await cache.load(server)).toEqual(list);
  expect(await cache.load({ ...server, identity: 'stdio:["node","other.js"]' })).toBeUndefined();
});

test('a broken file is as good as none', async () => {
  const cache = createListCache(directory);
  await cache.save(server, list);
  const [file] = await readdir(join(directory, 'lists'));
  const path = join(directory, 'lists', file ?? '');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const text of ['', '{"format":"toolgate-list-1"', '[]', '{"format":"other","tools":[]}', 'null']) {
    await writeFile(path, text);
    expect(await cache.load(server)).toBeUndefined();
  }
});
