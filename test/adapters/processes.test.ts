import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sqliteStore } from 'toolgate/sqlite';
import { describe, expect, it } from 'vitest';
import { sessionOf } from './support/process-session.ts';

const script = fileURLToPath(new URL('./support/second-session.ts', import.meta.url));
const packed = process.env['TOOLGATE_FROM_SOURCE'] !== '1';
const signal = new AbortController().signal;

describe.skipIf(!packed).each(['langchain', 'mastra'])('%s over processes', (framework) => {
  it('one approval, three processes: one run, and all three give the model its result', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolgate-'));
    try {
      const path = join(folder, 'store.sqlite');
      const store = sqliteStore({ path });
      const session = await sessionOf(framework, store, []);
      const { waiting } = await session.send('Pay Ada back.', { signal });
      expect(waiting).toEqual(['r']);
      const [pause] = (await session.confirmations.list()).items;
      await session.confirmations.decide(
        pause?.id ?? '',
        { '0.r': { type: 'approve' } },
        { principal: { id: 'boss' } },
      );
      await store.close();
      const state = join(folder, 'state.json');
      await writeFile(state, session.save());
      const run = async () => {
        const { stdout } = await promisify(execFile)(process.execPath, [script, framework, path, state]);
        return JSON.parse(stdout) as { ran: string[]; text: string; results: unknown };
      };
      const runs = await Promise.all([run(), run(), run()]);
      expect(runs.flatMap(({ ran }) => ran)).toEqual(['ada']);
      for (const { text, results } of runs) {
        expect(text).toBe('done');
        expect(results).toEqual([{ toolCallId: 'r', text: 'paid ada' }]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
