import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/stores/memory.ts';
import { contractPause, storeContract } from '../../src/testing/store-contract.ts';

describe('memoryStore', () => {
  for (const { name, run } of storeContract({ create: () => memoryStore() })) it(name, run);

  it('keeps the newest settled pauses only, and every open one', async () => {
    const store = memoryStore({ keepSettled: 2 });
    for (const id of ['a', 'b', 'c', 'd']) {
      const settled = id !== 'a';
      const pause = contractPause(id, settled ? { state: 'settled', settledAt: 1 } : {});
      await store.create({ pause, changed: [], audit: [], outbox: [] });
    }
    const { value } = await store.list({ limit: 9 });
    expect(value.map((pause) => pause.id)).toEqual(['d', 'c', 'a']);
  });
});
