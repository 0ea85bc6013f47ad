import type { PauseQuery } from '../confirm/store-port.ts';
import { columnText } from './sql-rows.ts';

/** The conditions of a list as SQL with its values. `place` writes the n-th placeholder of the dialect, counted from 1. */
export function listConditions(
  query: PauseQuery,
  now: number | string,
  place: (index: number) => string,
): { readonly where: string; readonly values: readonly (string | number)[] } {
  const values: (string | number)[] = [];
  const conditions: string[] = [];
  const next = (value: string | number): string => {
    values.push(value);
    return place(values.length);
  };
  if (query.state !== undefined) conditions.push(`p.state = ${next(query.state)}`);
  if (query.tenant !== undefined) conditions.push(`p.tenant = ${next(columnText(query.tenant))}`);
  if (query.principal !== undefined) conditions.push(`p.principal = ${next(columnText(query.principal))}`);
  if (query.conversation !== undefined) conditions.push(`p.conversation = ${next(columnText(query.conversation))}`);
  if (query.due === true) conditions.push(`p.due_at <= ${typeof now === 'number' ? next(now) : now}`);
  if (query.settledAfter !== undefined) conditions.push(`p.settled_at > ${next(query.settledAfter)}`);
  if (query.settledBefore !== undefined) conditions.push(`p.settled_at < ${next(query.settledBefore)}`);
  if (query.erased !== undefined) conditions.push(`p.erased = ${next(query.erased ? 1 : 0)}`);
  if (query.before !== undefined) {
    const createdAt = next(query.before.createdAt);
    conditions.push(`(p.created_at, p.id) < (${createdAt}, ${next(query.before.id)})`);
  }
  if (query.callStates !== undefined) {
    const states = query.callStates.map((state) => next(state)).join(', ');
    conditions.push(
      states === ''
        ? '1 = 0'
        : `exists (select 1 from toolgate_calls c where c.pause_id = p.id and c.state in (${states}))`,
    );
  }
  return { where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`, values };
}
