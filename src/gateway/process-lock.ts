import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlainObject } from '../core/json.ts';
import { readJsonFile, writePrivateFile } from './state-files.ts';

/** A gateway that already serves HTTP for this state directory. */
export interface RunningGateway {
  readonly url: string;
  readonly instance: string;
}

const fileName = 'running.json';

/** Says where this process serves, for others that share the state directory. */
export async function announceGateway(stateDirectory: string, running: RunningGateway): Promise<void> {
  await writePrivateFile(join(stateDirectory, fileName), JSON.stringify(running));
}

/** Takes back what {@link announceGateway} said, unless another process has said something since. */
export async function withdrawGateway(stateDirectory: string, instance: string): Promise<void> {
  const path = join(stateDirectory, fileName);
  const value = await readJsonFile(path);
  if (isPlainObject(value) && value['instance'] === instance) await rm(path, { force: true });
}

/** The gateway that serves for this state directory, when there is one and it answers as the one that was announced. */
export async function findRunningGateway(
  stateDirectory: string,
  fetchUrl: typeof fetch = fetch,
): Promise<RunningGateway | undefined> {
  const value = await readJsonFile(join(stateDirectory, fileName));
  if (!isPlainObject(value) || typeof value['url'] !== 'string' || typeof value['instance'] !== 'string')
    return undefined;
  try {
    const response = await fetchUrl(`${value['url']}/healthz`, {
      signal: AbortSignal.timeout(2_000),
      redirect: 'error',
    });
    const health: unknown = await response.json();
    if (!isPlainObject(health) || health['instance'] !== value['instance']) return undefined;
  } catch {
    return undefined;
  }
  return { url: value['url'], instance: value['instance'] };
}
