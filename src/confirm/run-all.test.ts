import { expect, it } from 'vitest';
import { runAll } from './run-all.ts';

it('gives results in the order of the items and never runs more than so many at once', async () => {
  let open = 0;
  let most = 0;
  const results = await runAll([5, 1, 3, 2, 4], 2, async (item) => {
    open += 1;
    most = Math.max(most, open);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    open -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 30, 20, 40]);
  expect(most).toBe(2);
  expect(await runAll([], 3, () => Promise.resolve(1))).toEqual([]);
  expect(await runAll([7], 3, (item) => Promise.resolve(item))).toEqual([7]);
});

it('starts nothing more after a failure, and reports it when what was started has ended', async () => {
  const ended: number[] = [];
  const run = runAll([0, 1, 2, 3], 2, async (item) => {
    if (item === 0) throw new Error('first');
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    ended.push(item);
    return item;
  });
  await expect(run).rejects.toThrow('first');
  expect(ended).toEqual([1]);
});
