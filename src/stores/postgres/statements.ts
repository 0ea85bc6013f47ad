import { pauseColumnNames } from '../sql-rows.ts';

/** The statements of the store. Each changes everything it changes in one statement, so that it is one transaction also through a pooler in transaction mode. */

/** The database's own time in milliseconds. */
export const databaseNow: string = '(floor(extract(epoch from clock_timestamp()) * 1000)::bigint)';

const callsOf = `(select json_agg(json_build_object('state', c.state, 'facts', c.facts, 'progress', c.progress) order by c.ordinal)
  from toolgate_calls c where c.pause_id = p.id) as calls`;

/** One row in any case, so that the time comes along when nothing is found. */
export function selectPauses(now: string, condition: string, order: string): string {
  return `select n.now, p.*, ${callsOf} from (select ${now} as now) n left join toolgate_pauses p on ${condition} ${order}`;
}

export function listPauses(now: string, where: string, limit: string): string {
  return `select n.now, q.* from (select ${now} as now) n left join (
  select p.*, ${callsOf} from toolgate_pauses p ${where} order by p.created_at desc, p.id desc limit ${limit}
) q on true order by q.created_at desc, q.id desc`;
}

const insertAudit = (
  from: number,
  source: string,
): string => `insert into toolgate_audit (chain, sequence, at, entry, hash)
  select t.* from unnest($${from}::text[], $${from + 1}::integer[], $${from + 2}::bigint[], $${from + 3}::text[], $${from + 4}::text[]) t, ${source}`;

const insertOutbox = (
  from: number,
  source: string,
): string => `insert into toolgate_outbox (id, state, due_at, attempts, body)
  select t.* from unnest($${from}::text[], $${from + 1}::text[], $${from + 2}::bigint[], $${from + 3}::integer[], $${from + 4}::text[]) t, ${source}`;

export const createPause: string = `with p as (
  insert into toolgate_pauses (${pauseColumnNames})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing returning id
), c as (
  insert into toolgate_calls (pause_id, ordinal, state, facts, progress)
  select p.id, t.* from unnest($16::integer[], $17::text[], $18::text[], $19::text[]) t, p
), a as (${insertAudit(20, 'p')}), o as (${insertOutbox(25, 'p')})
select count(*)::integer as done from p`;

export const changePause: string = `with p as (
  update toolgate_pauses set version = $2, state = $3, settled_at = $4, due_at = $5, audit_sequence = $6, audit_head = $7,
    erased = $8, facts = coalesce($9, facts)
  where id = $1 and version = $2 - 1 returning id
), c as (
  update toolgate_calls set state = t.state, facts = coalesce(t.facts, toolgate_calls.facts), progress = t.progress
  from unnest($10::integer[], $11::text[], $12::text[], $13::text[]) t(ordinal, state, facts, progress), p
  where toolgate_calls.pause_id = p.id and toolgate_calls.ordinal = t.ordinal
), a as (${insertAudit(14, 'p')}), o as (${insertOutbox(19, 'p')})
select count(*)::integer as done from p`;

export const appendAudit: string = insertAudit(1, '(select 1) one');

export const insertRule: string = `with r as (
  insert into toolgate_rules (version, tenant, expires_at, revoked_at, body, id) values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing returning id
), a as (${insertAudit(7, 'r')})
select count(*)::integer as done from r`;

export const updateRule: string = `with r as (
  update toolgate_rules set version = $1, tenant = $2, expires_at = $3, revoked_at = $4, body = $5
  where id = $6 and version = $1 - 1 returning id
), a as (${insertAudit(7, 'r')})
select count(*)::integer as done from r`;

export const updateOutbox: string = `with o as (
  update toolgate_outbox set state = $2, due_at = $3, attempts = $4, body = $5 where id = $1 and attempts = $4 - 1 returning id
) select count(*)::integer as done from o`;

export const purgeSettled: string = `with p as (delete from toolgate_pauses where settled_at < $1 returning id),
c as (delete from toolgate_calls using p where pause_id = p.id),
a as (delete from toolgate_audit using p where chain = p.id),
o as (delete from toolgate_outbox where state <> 'due' and due_at < $1),
f as (delete from toolgate_audit where chain in (
  select chain from toolgate_audit where chain >= 'free_' and chain < 'freea' group by chain having max(at) < $1))
select count(*)::integer as done from p`;
