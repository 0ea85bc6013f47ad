import { digestJson } from '../core/digest.ts';
import type { Digest } from '../core/digest.ts';
import { errorMessage } from '../core/errors.ts';
import { linkAudit } from './audit-chain.ts';
import type { AuditEntry } from './audit-chain.ts';
import type { ManagerSetup } from './manager-options.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { ReplyIdentity } from './records.ts';
import { storedJson } from './stored-json.ts';
import type { ConfirmationStore } from './store-port.ts';
import type { ToolExecution } from './types.ts';

interface FreeChain {
  readonly name: string;
  sequence: number;
  head: string;
  entries: AuditEntry[];
  writing: Promise<void> | undefined;
  scheduled: boolean;
}

const chains = new WeakMap<ManagerSetup, FreeChain>();
const batchMs = 1_000;
const batchSize = 200;

/** Notes the calls of a reply that needed nobody. They are written in batches, off the hot path, in a chain of this manager's own. */
export function auditFreeReply(
  setup: ManagerSetup,
  store: ConfirmationStore,
  identity: ReplyIdentity,
  prepared: readonly PreparedCall[],
  digests: readonly (Digest | null)[],
  execution: ToolExecution,
): void {
  // What is gone with the process proves nothing afterwards, and would only fill its memory.
  if (!store.durable) return;
  const chain = chainOf(setup);
  for (const [index, outcome] of execution.outcomes.entries()) {
    const call = prepared[index];
    chain.entries.push({
      kind: 'free-call',
      key: outcome.key,
      body: {
        ...identity,
        tool: outcome.toolName,
        fingerprint: call?.tool?.fingerprint ?? null,
        digest: digests[index] ?? null,
        status: outcome.status,
        result: digestJson(storedJson(outcome.result)),
      },
    });
  }
  if (chain.entries.length >= batchSize) void flushFreeAudit(setup, store);
  else if (!chain.scheduled) {
    chain.scheduled = true;
    setup.clock.schedule(batchMs, () => void flushFreeAudit(setup, store));
  }
}

/** Writes what is noted. Never rejects: a store that is away gets the batch the next time. */
export async function flushFreeAudit(setup: ManagerSetup, store: ConfirmationStore): Promise<void> {
  const chain = chainOf(setup);
  chain.scheduled = false;
  while (chain.writing !== undefined) await chain.writing;
  const entries = chain.entries;
  if (entries.length === 0) return;
  chain.entries = [];
  const rows = linkAudit(chain.name, chain, setup.clock.now(), entries);
  chain.writing = store
    .appendAudit(rows)
    .then((written) => {
      if (!written) throw new Error('The chain has been written to by somebody else.');
      chain.sequence += rows.length;
      chain.head = rows.at(-1)?.hash ?? chain.head;
    })
    .catch((error: unknown) => {
      chain.entries = [...entries, ...chain.entries];
      setup.logger.warn('Free calls could not be audited yet.', { calls: entries.length, error: errorMessage(error) });
    })
    .finally(() => {
      chain.writing = undefined;
    });
  await chain.writing;
}

function chainOf(setup: ManagerSetup): FreeChain {
  let chain = chains.get(setup);
  if (chain === undefined) {
    chain = { name: setup.ids.next('free'), sequence: 0, head: '', entries: [], writing: undefined, scheduled: false };
    chains.set(setup, chain);
  }
  return chain;
}
