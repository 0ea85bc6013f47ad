import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'toolgate-resume-'));
const database = join(directory, 'store.sqlite');
const journal = join(directory, 'journal');
const child = fileURLToPath(new URL('resume-child.ts', import.meta.url));

async function run(step: string, pause = ''): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, database, journal, step, pause]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a pause', () => {
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('is resumed by another process, which runs each approved call once', async () => {
    writeFileSync(journal, '');
    const paused = await run('pause');
    expect(paused).toMatchObject({
      finishReason: 'awaiting-decision',
      metadata: { 'toolgate.awaitingDecision': ['1.call-0-1', '2.call-0-2'] },
    });
    expect(readFileSync(journal, 'utf8')).toBe('');
    const first = await run('resume', paused['pause'] as string);
    expect(first).toEqual({
      answers: ['accepted', 'accepted'],
      outcomes: [
        ['0.call-0-0', 'succeeded'],
        ['1.call-0-1', 'succeeded'],
        ['2.call-0-2', 'denied'],
      ],
      text: 'Gone on.',
    });
    const again = await run('resume', paused['pause'] as string);
    expect(again['outcomes']).toEqual(first['outcomes']);
    expect(readFileSync(journal, 'utf8').trim().split('\n').toSorted()).toEqual(['read a', 'remove b']);
  });
});
