import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aiSdk } from 'toolgate/ai-sdk';
import { sqliteStore } from 'toolgate/sqlite';
import { describe, expect, it } from 'vitest';
import { mockModel, newMessages, versions } from './support/ai-sdk-versions.ts';

const script = fileURLToPath(new URL('./support/second-process.mjs', import.meta.url));
const packed = process.env['TOOLGATE_FROM_SOURCE'] !== '1';

describe.skipIf(!packed).each(versions)('ai $version over processes', (version) => {
  it('one approval, three processes: one run, and all three give the model its result', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolgate-'));
    try {
      const { ai } = version;
      const path = join(folder, 'store.sqlite');
      const store = sqliteStore({ path });
      const tools = {
        refund: ai.tool({
          description: 'Pays money back.',
          inputSchema: ai.jsonSchema({ type: 'object', properties: { to: { type: 'string' } } }),
          execute: async () => 'never here',
        } as never),
      };
      const g = aiSdk({ tools, store, confirm: { policy: { refund: true } } });
      const call = { toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } };
      const { model } = mockModel(version, [{ calls: [call] }]);
      const user = { role: 'user' as const, content: 'Pay Ada back.' };
      const first = await ai.generateText({
        model,
        ...g.forTurn({ conversation: 'c', messages: [user] }),
      } as never);
      const { items } = await g.gate.confirmations.list();
      await g.gate.confirmations.decide(
        items[0]?.id ?? '',
        { '0.r': { type: 'approve' } },
        { principal: { id: 'boss' } },
      );
      await store.close();
      const history = join(folder, 'history.json');
      await writeFile(history, JSON.stringify([user, ...newMessages(first)]));
      const run = async () => {
        const sdk = version.specificationVersion === 'v3' ? 'ai6' : 'ai';
        const { stdout } = await promisify(execFile)(process.execPath, [script, sdk, path, history]);
        return JSON.parse(stdout) as { ran: string[]; text: string; prompt: unknown };
      };
      const runs = await Promise.all([run(), run(), run()]);
      expect(runs.flatMap(({ ran }) => ran)).toEqual(['ada']);
      expect(runs.map(({ text }) => text)).toEqual(['done', 'done', 'done']);
      for (const { prompt } of runs) expect(JSON.stringify(prompt)).toContain('paid ada');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
