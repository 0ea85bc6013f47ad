import type { PauseRecord } from './records.ts';
import type { ConfirmationStore, PauseQuery } from './store-port.ts';

/** Goes through all pauses of a query, newest first, page by page. What is created meanwhile may be left out. Gives how many there were. */
export async function forEachPause(
  store: ConfirmationStore,
  query: Omit<PauseQuery, 'limit' | 'before'>,
  work: (pause: PauseRecord, now: number) => Promise<void> | void,
  most: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  const page = 200;
  let before: PauseQuery['before'];
  let count = 0;
  for (;;) {
    const limit = Math.min(page, most - count);
    if (limit <= 0) return count;
    const { value, now } = await store.list({ ...query, limit, before });
    for (const pause of value) {
      await work(pause, now);
      count += 1;
    }
    const last = value.at(-1);
    if (last === undefined || value.length < limit) return count;
    before = { createdAt: last.createdAt, id: last.id };
  }
}
