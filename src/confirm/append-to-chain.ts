import { emptyChainHead, linkAudit } from './audit-chain.ts';
import type { AuditEntry } from './audit-chain.ts';
import type { AuditRow } from './records.ts';
import type { ConfirmationStore } from './store-port.ts';

/** The last row of a chain that belongs to no pause, or undefined. */
export async function lastOfChain(store: ConfirmationStore, chain: string): Promise<AuditRow | undefined> {
  let last: AuditRow | undefined;
  for (;;) {
    const rows = await store.readAudit(chain, (last?.sequence ?? 0) + 1);
    if (rows.length === 0) return last;
    last = rows.at(-1);
  }
}

/** Links an entry to the end of a chain and writes it, again when somebody else was faster. `write` gives false in that case. */
export async function appendToChain(
  store: ConfirmationStore,
  chain: string,
  at: number,
  entryAfter: (previous: AuditRow | undefined) => AuditEntry,
  write: (rows: readonly AuditRow[]) => Promise<boolean>,
): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const last = await lastOfChain(store, chain);
    const after = { sequence: last?.sequence ?? 0, head: last?.hash ?? emptyChainHead };
    if (await write(linkAudit(chain, after, at, [entryAfter(last)]))) return true;
  }
  return false;
}
