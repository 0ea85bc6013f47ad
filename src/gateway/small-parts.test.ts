import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EventHub } from './event-hub.ts';
import { Metrics } from './metrics.ts';
import { nameFile } from './name-file.ts';
import { announceGateway, findRunningGateway, withdrawGateway } from './process-lock.ts';
import { fixedSurface, reservedNames } from './surface.ts';

describe('files of the state directory', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'toolgate-state-'));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  test('given names are kept', async () => {
    const names = nameFile(join(directory, 'state'));
    expect(names.load()).toEqual([]);
    names.save([['s\ta', 'a']]);
    expect(nameFile(join(directory, 'state')).load()).toEqual([['s\ta', 'a']]);
    await writeFile(join(directory, 'state', 'names.json'), '[["x","y"],7,["z"]]');
    expect(names.load()).toEqual([['x', 'y']]);
  });

  test('a running gateway is found only when it answers as the one that was announced', async () => {
    const answer =
      (instance: string): typeof fetch =>
      () =>
        Promise.resolve(Response.json({ instance }));
    expect(await findRunningGateway(directory, answer('i'))).toBeUndefined();
    await announceGateway(directory, { url: 'http://127.0.0.1:1', instance: 'i' });
    expect(await findRunningGateway(directory, answer('i'))).toEqual({ url: 'http://127.0.0.1:1', instance: 'i' });
    expect(await findRunningGateway(directory, answer('another'))).toBeUndefined();
    expect(await findRunningGateway(directory, () => Promise.reject(new Error('refused')))).toBeUndefined();
    await withdrawGateway(directory, 'another');
    expect(await readdir(directory)).toEqual(['running.json']);
    await withdrawGateway(directory, 'i');
    expect(await readdir(directory)).toEqual([]);
    await withdrawGateway(directory, 'i');
  });
});

test('a listener that throws keeps no other from being told', () => {
  const hub = new EventHub();
  const heard: string[] = [];
  hub.subscribe(() => {
    throw new Error('mine');
  });
  const stop = hub.subscribe((event) => heard.push(event.type));
  hub.publish({ type: 'tools' });
  stop();
  hub.publish({ type: 'tools' });
  expect(heard).toEqual(['tools']);
  expect(hub.size).toBe(1);
});

test('metrics are sorted lines with escaped labels', () => {
  const metrics = new Metrics();
  metrics.add('b_total');
  metrics.add('b_total');
  metrics.add('a_total', { kind: 'q"\\\n' });
  expect(metrics.render([['c', {}, 3]])).toBe('a_total{kind="q\\"\\\\\\n"} 1\nb_total 2\nc 3\n');
});

test('the surface has its six names, names the servers and is plain data', () => {
  const surface = fixedSurface([{ name: 'files', description: 'notes of the team' }, { name: 'mail' }]);
  expect(surface.map(({ name }) => name)).toEqual(reservedNames);
  expect(surface[0]?.description).toContain('files (notes of the team), mail');
  expect(JSON.parse(JSON.stringify(surface))).toEqual(surface);
});
