import { isPlainObject } from '../core/json.ts';
import { verifyAuditRows } from './audit-chain.ts';
import type { AuditFault } from './audit-chain.ts';
import type { AuditRow, PauseRecord } from './records.ts';
import { sealingKeys } from './sealing-keys.ts';
import type { SealingKeys, SecretInput } from './sealing-keys.ts';
import type { ConfirmationStore } from './store-port.ts';
import { checkpointMac } from './sweep.ts';

/** What is wrong with the audit: a fault of a chain, or of a checkpoint. */
export type AuditProblem =
  | AuditFault
  | {
      readonly chain: string;
      readonly sequence: number;
      readonly problem: 'checkpoint-not-signed' | 'checkpoint-not-met';
    };

export interface AuditReport {
  readonly chains: number;
  readonly rows: number;
  readonly checkpoints: number;
  /** Empty: every chain is whole and unchanged. */
  readonly problems: readonly AuditProblem[];
}

/**
 * Checks every hash chain, the head that each pause has recorded, and, with the secret, every signed checkpoint. A chain that was
 * rewritten as a whole passes its own hashes; the signed checkpoints are what it does not pass.
 */
export async function verifyAudit(
  store: ConfirmationStore,
  options: { readonly secret?: SecretInput } = {},
): Promise<AuditReport> {
  const keys = options.secret === undefined ? undefined : sealingKeys(options.secret);
  const problems: AuditProblem[] = [];
  let chains = 0;
  let count = 0;
  let checkpoints: readonly AuditRow[] = [];
  for (let after = ''; ;) {
    const names = await store.listChains(after);
    if (names.length === 0) break;
    for (const chain of names) {
      const { value: pause } = await store.get(chain);
      const rows = await readChain(store, chain);
      const fault =
        verifyAuditRows(chain, rows) ?? (pause === undefined ? undefined : await checkHead(store, pause, rows));
      if (fault !== undefined) problems.push(fault);
      if (chain === 'checkpoints') checkpoints = rows;
      chains += 1;
      count += rows.length;
    }
    after = names.at(-1) as string;
  }
  for (const [index, row] of checkpoints.entries()) {
    problems.push(...(await checkCheckpoint(store, row, checkpoints[index - 1], keys)));
  }
  return { chains, rows: count, checkpoints: checkpoints.length, problems };
}

async function readChain(store: ConfirmationStore, chain: string): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  for (;;) {
    const page = await store.readAudit(chain, (rows.at(-1)?.sequence ?? 0) + 1);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

/** Compares a chain with the head its pause had before the rows were read; what was written since is no fault when the pause knows of it. */
async function checkHead(
  store: ConfirmationStore,
  pause: PauseRecord,
  rows: readonly AuditRow[],
): Promise<AuditFault | undefined> {
  const { id: chain, auditSequence, auditHead } = pause;
  if (rows.length < auditSequence) return { chain, sequence: rows.length + 1, problem: 'missing-row' };
  if (auditSequence > 0 && rows[auditSequence - 1]?.hash !== auditHead)
    return { chain, sequence: auditSequence, problem: 'head-differs' };
  if (rows.length === auditSequence) return undefined;
  const { value: later } = await store.get(chain);
  if (later !== undefined && later.auditSequence >= rows.length) return undefined;
  return { chain, sequence: auditSequence + 1, problem: 'head-differs' };
}

async function checkCheckpoint(
  store: ConfirmationStore,
  row: AuditRow,
  previous: AuditRow | undefined,
  keys: SealingKeys | undefined,
): Promise<readonly AuditProblem[]> {
  const problems: AuditProblem[] = [];
  const { heads, keyId, mac } = row.body;
  if (keys !== undefined) {
    const key = typeof keyId === 'string' ? keys.find('checkpoint', keyId) : undefined;
    if (key === undefined || checkpointMac(key, previous?.hash ?? '', heads) !== mac) {
      problems.push({ chain: row.chain, sequence: row.sequence, problem: 'checkpoint-not-signed' });
    }
  }
  for (const [chain, head] of Object.entries(isPlainObject(heads) ? heads : {})) {
    const [sequence, hash] = head as readonly [number, string];
    if (sequence === 0) continue;
    const [found] = await store.readAudit(chain, sequence);
    // A chain that is gone altogether was purged with its pause.
    if (found === undefined && (await store.get(chain)).value === undefined) continue;
    if (found?.sequence !== sequence || found.hash !== hash)
      problems.push({ chain, sequence, problem: 'checkpoint-not-met' });
  }
  return problems;
}
