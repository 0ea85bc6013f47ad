import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../core/canonical-json.ts';
import { appendToChain, lastOfChain } from './append-to-chain.ts';
import { erasePause } from './erase-pause.ts';
import { forEachPause } from './for-each-pause.ts';
import { flushFreeAudit } from './free-audit.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { SealingKeys } from './sealing-keys.ts';
import type { ConfirmationStore } from './store-port.ts';
import { updatePause } from './update-pause.ts';

/** How long what has ended is kept. Absent: for ever. */
export interface Retention {
  /** Arguments, results, messages and previews of settled pauses are erased after this; states, digests and the audit stay. */
  readonly eraseAfterMs?: number | undefined;
  /** Settled pauses are deleted with their audit after this. */
  readonly purgeAfterMs?: number | undefined;
}

/** What one sweep did. */
export interface SweepReport {
  /** Pauses of which something had expired or been lost. */
  readonly overdue: number;
  readonly erased: number;
  readonly purged: number;
  /** Whether a signed checkpoint was written. */
  readonly checkpoint: boolean;
}

/**
 * Settles what is overdue, writes the audit of free calls, applies the retention, and signs a checkpoint over the heads of
 * all chains that moved. A convenience: expiry and lost leases are judged on every read anyway. Any number of
 * processes may sweep.
 */
export async function sweep(setup: ManagerSetup, store: ConfirmationStore): Promise<SweepReport> {
  await flushFreeAudit(setup, store);
  const overdue = await forEachPause(store, { due: true }, async (pause) => {
    await updatePause(store, pause.id, () => [], { outbox: setup.outbox });
  });
  const checkpoint = setup.sealing === undefined ? false : await writeCheckpoint(setup, setup.sealing, store);
  const { eraseAfterMs, purgeAfterMs } = setup.options.retention ?? {};
  const { now } = await store.list({ limit: 1 });
  const purged = purgeAfterMs === undefined ? 0 : await store.purge(now - purgeAfterMs);
  let erased = 0;
  if (eraseAfterMs !== undefined) {
    await forEachPause(store, { state: 'settled', settledBefore: now - eraseAfterMs, erased: false }, async (pause) => {
      if (await erasePause(store, pause, now)) erased += 1;
    });
  }
  return { overdue, erased, purged, checkpoint };
}

/** Sweeps again and again. Returns the stop. */
export function startSweeping(setup: ManagerSetup, store: ConfirmationStore, everyMs: number): () => void {
  let stopped = false;
  let cancel = (): void => {};
  const round = async (): Promise<void> => {
    try {
      await sweep(setup, store);
    } catch (error) {
      setup.logger.warn('A sweep failed; the next one comes.', {
        error: error instanceof Error ? error.message : 'unknown',
      });
    }
    if (!stopped) plan();
  };
  const plan = (): void => {
    cancel = setup.clock.schedule(everyMs, () => void round());
  };
  plan();
  return () => {
    stopped = true;
    cancel();
  };
}

/** Signs the heads of all open chains and of those that settled since the last checkpoint: what is signed cannot be cut off or rewritten unseen. */
async function writeCheckpoint(setup: ManagerSetup, keys: SealingKeys, store: ConfirmationStore): Promise<boolean> {
  const last = await lastOfChain(store, 'checkpoints');
  const heads: Record<string, readonly [sequence: number, hash: string]> = {};
  const note = (pause: { readonly id: string; readonly auditSequence: number; readonly auditHead: string }): void => {
    heads[pause.id] = [pause.auditSequence, pause.auditHead];
  };
  await forEachPause(store, { state: 'open' }, note);
  await forEachPause(store, { settledAfter: (last?.at ?? 0) - 60_000 }, note);
  if (Object.keys(heads).length === 0) return false;
  const { now } = await store.list({ limit: 1 });
  const { id, key } = keys.current('checkpoint');
  return appendToChain(
    store,
    'checkpoints',
    now,
    (previous) => ({
      kind: 'checkpoint',
      key: null,
      body: { heads, keyId: id, mac: checkpointMac(key, previous?.hash ?? '', heads) },
    }),
    (rows) => store.appendAudit(rows),
  );
}

/** The signature of a checkpoint, over the checkpoint before it and the heads. */
export function checkpointMac(key: Uint8Array, previous: string, heads: unknown): string {
  return bytesToHex(hmac(sha256, key, utf8ToBytes(canonicalJson(['toolgate-checkpoint-1', previous, heads]))));
}
