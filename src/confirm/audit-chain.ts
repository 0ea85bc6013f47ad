import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { JsonObject } from '../core/json.ts';
import type { AuditRow } from './records.ts';

/** The head of a chain that has no rows yet. */
export const emptyChainHead = '';

/** What is recorded of one event, before it is linked. */
export interface AuditEntry {
  readonly kind: string;
  readonly key: string | null;
  readonly body: JsonObject;
}

/** Links entries to a chain. Each hash covers the hash before it, so that no row can be changed, left out or moved unseen. */
export function linkAudit(
  chain: string,
  after: { readonly sequence: number; readonly head: string },
  at: number,
  entries: readonly AuditEntry[],
): readonly AuditRow[] {
  const rows: AuditRow[] = [];
  let previous = after.head;
  let sequence = after.sequence;
  for (const entry of entries) {
    sequence += 1;
    const hash = hashAuditRow(previous, { chain, sequence, at, ...entry });
    rows.push({ chain, sequence, at, ...entry, hash });
    previous = hash;
  }
  return rows;
}

/** The hash of a row whose predecessor has the given one. The array form is injective: no two rows have one text. */
export function hashAuditRow(previous: string, row: Omit<AuditRow, 'hash'>): string {
  return digestText(
    canonicalJson(['toolgate-audit-1', previous, row.chain, row.sequence, row.at, row.kind, row.key, row.body]),
  );
}

/** What is wrong with a chain, or nothing. */
export interface AuditFault {
  readonly chain: string;
  readonly sequence: number;
  readonly problem: 'missing-row' | 'changed-row' | 'head-differs';
}

/** Checks rows in order from the first on; with `head`, also that the chain was not cut off at its end. */
export function verifyAuditRows(
  chain: string,
  rows: readonly AuditRow[],
  head?: { readonly sequence: number; readonly hash: string },
): AuditFault | undefined {
  let previous = emptyChainHead;
  let sequence = 0;
  for (const row of rows) {
    if (row.sequence !== sequence + 1) return { chain, sequence: sequence + 1, problem: 'missing-row' };
    sequence = row.sequence;
    if (row.chain !== chain || row.hash !== hashAuditRow(previous, row))
      return { chain, sequence, problem: 'changed-row' };
    previous = row.hash;
  }
  if (head !== undefined && (head.sequence !== sequence || head.hash !== previous)) {
    return { chain, sequence, problem: sequence < head.sequence ? 'missing-row' : 'head-differs' };
  }
  return undefined;
}
