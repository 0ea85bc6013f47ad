import { describe, expect, it } from 'vitest';
import { linkAudit, verifyAuditRows } from './audit-chain.ts';
import type { AuditRow } from './records.ts';

const entries = ['a', 'b', 'c'].map((kind) => ({ kind, key: null, body: { n: kind } }));
const rows = linkAudit('p', { sequence: 0, head: '' }, 5, entries);
const head = { sequence: 3, hash: rows[2]?.hash ?? '' };
const without = (index: number): AuditRow[] => rows.filter((_, at) => at !== index);

describe('verifyAuditRows', () => {
  it('finds nothing wrong with a chain as it was written, at once or in parts', () => {
    expect(verifyAuditRows('p', rows, head)).toBeUndefined();
    const first = linkAudit('p', { sequence: 0, head: '' }, 5, entries.slice(0, 1));
    const rest = linkAudit('p', { sequence: 1, head: first[0]?.hash ?? '' }, 5, entries.slice(1));
    expect([...first, ...rest]).toEqual(rows);
    expect(verifyAuditRows('p', [], { sequence: 0, hash: '' })).toBeUndefined();
  });

  it.each([
    ['a missing first row', without(0), 1, 'missing-row'],
    ['a missing row', without(1), 2, 'missing-row'],
    ['a missing end', without(2), 2, 'missing-row'],
    ['a changed body', rows.map((row, at) => (at === 1 ? { ...row, body: { n: 'x' } } : row)), 2, 'changed-row'],
    ['a changed time', rows.map((row, at) => (at === 0 ? { ...row, at: 6 } : row)), 1, 'changed-row'],
    ['a changed kind', rows.map((row, at) => (at === 2 ? { ...row, kind: 'x' } : row)), 3, 'changed-row'],
    ['a changed key', rows.map((row, at) => (at === 2 ? { ...row, key: 'x' } : row)), 3, 'changed-row'],
    ['two rows in the other order', [rows[1], rows[0], rows[2]] as AuditRow[], 1, 'missing-row'],
    ['a row of another chain', rows.map((row, at) => (at === 1 ? { ...row, chain: 'q' } : row)), 2, 'changed-row'],
    [
      'a row too many',
      [...rows, ...linkAudit('p', { sequence: 3, head: head.hash }, 5, entries.slice(0, 1))],
      4,
      'head-differs',
    ],
  ] as const)('finds %s', (_, changed, sequence, problem) => {
    expect(verifyAuditRows('p', changed, head)).toEqual({ chain: 'p', sequence, problem });
  });
});
