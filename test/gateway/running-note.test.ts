import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestGateway } from './fake-gateway.ts';

test('a gateway that was stopped takes the note of its address along, and only its own', async () => {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'toolgate-running-'));
  try {
    const first = await startTestGateway({ stateDirectory });
    const second = await startTestGateway({ stateDirectory });
    await first.close();
    expect(JSON.parse(await readFile(join(stateDirectory, 'running.json'), 'utf8'))).toMatchObject({ url: second.url });
    await second.close();
    expect(await readdir(stateDirectory)).not.toContain('running.json');
  } finally {
    await rm(stateDirectory, { recursive: true, force: true });
  }
});
