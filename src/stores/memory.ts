import type { AuditRow, OutboxRow, PauseRecord, ReplyIdentity, StandingRule } from '../confirm/records.ts';
import type { ConfirmationStore, PauseQuery, PauseWrite, Stamped } from '../confirm/store-port.ts';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/system.ts';

/** `src/stores` keeps what waits. Each store implements the port of `src/confirm` and nothing else; all rules live above it. */

export interface MemoryStoreOptions {
  readonly clock?: Clock;
  /** How many settled pauses are kept, oldest dropped first. Default 1,000; then memory stays flat however long it runs. */
  readonly keepSettled?: number;
}

/** Keeps everything in this process: for tests and for agents whose waiting calls may die with them. Not durable. */
export function memoryStore(options: MemoryStoreOptions = {}): ConfirmationStore {
  const clock = options.clock ?? systemClock;
  const keepSettled = options.keepSettled ?? 1_000;
  const pauses = new Map<string, PauseRecord>();
  const byIdentity = new Map<string, string[]>();
  const settled = new Set<string>();
  let order: { readonly createdAt: number; readonly id: string }[] = [];
  const chains = new Map<string, AuditRow[]>();
  const ruleTable = new Map<string, StandingRule>();
  const outbox = new Map<string, OutboxRow>();
  const listeners = new Set<(pauseId: string) => void>();

  const stamped = <T>(value: T): Promise<Stamped<T>> => Promise.resolve({ value, now: clock.now() });
  const tell = (pauseId: string): void => {
    for (const listener of listeners) queueMicrotask(() => listener(pauseId));
  };
  const appendRows = (rows: readonly AuditRow[]): void => {
    for (const row of rows) {
      const chain = chains.get(row.chain);
      if (chain === undefined) chains.set(row.chain, [row]);
      else chain.push(row);
    }
  };
  const writePause = (write: PauseWrite): void => {
    pauses.set(write.pause.id, write.pause);
    appendRows(write.audit);
    for (const row of write.outbox) outbox.set(row.id, row);
    if (write.pause.state === 'settled') settled.add(write.pause.id);
    else settled.delete(write.pause.id);
    while (settled.size > keepSettled) remove(settled.values().next().value as string);
    tell(write.pause.id);
  };
  const remove = (id: string): void => {
    const pause = pauses.get(id);
    settled.delete(id);
    pauses.delete(id);
    chains.delete(id);
    if (pause === undefined) return;
    const key = identityKey(pause.identity);
    const rest = (byIdentity.get(key) ?? []).filter((other) => other !== id);
    if (rest.length === 0) byIdentity.delete(key);
    else byIdentity.set(key, rest);
    if (order.length > 2 * pauses.size + 64) order = order.filter((entry) => pauses.has(entry.id));
  };

  return {
    durable: false,
    get: (id) => stamped(pauses.get(id)),
    find(identity) {
      const ids = byIdentity.get(identityKey(identity)) ?? [];
      const found = ids.map((id) => pauses.get(id)).filter((pause) => pause !== undefined);
      return stamped(found.sort((a, b) => a.generation - b.generation));
    },
    list(query) {
      const now = clock.now();
      const items: PauseRecord[] = [];
      for (let index = order.length - 1; index >= 0 && items.length < query.limit; index -= 1) {
        const pause = pauses.get((order[index] as { id: string }).id);
        if (pause !== undefined && matches(pause, query, now)) items.push(pause);
      }
      return Promise.resolve({ value: items, now });
    },
    create(write) {
      const { pause } = write;
      const key = identityKey(pause.identity);
      const siblings = byIdentity.get(key) ?? [];
      const taken = pauses.has(pause.id) || siblings.some((id) => pauses.get(id)?.generation === pause.generation);
      if (taken) return Promise.resolve(false);
      byIdentity.set(key, [...siblings, pause.id]);
      insertInOrder(order, { createdAt: pause.createdAt, id: pause.id });
      writePause(write);
      return Promise.resolve(true);
    },
    change(write) {
      if (pauses.get(write.pause.id)?.version !== write.pause.version - 1) return Promise.resolve(false);
      writePause(write);
      return Promise.resolve(true);
    },
    readAudit: (chain, from) =>
      Promise.resolve((chains.get(chain) ?? []).filter((row) => row.sequence >= from).slice(0, 1_000)),
    listChains: (after) =>
      Promise.resolve(
        [...chains.keys()]
          .filter((chain) => chain > after)
          .sort()
          .slice(0, 1_000),
      ),
    appendAudit(rows) {
      const taken = rows.some((row) => (chains.get(row.chain) ?? []).some((other) => other.sequence === row.sequence));
      if (!taken) appendRows(rows);
      return Promise.resolve(!taken);
    },
    rules(tenant, all) {
      const now = clock.now();
      const found = [...ruleTable.values()].filter(
        (rule) => rule.tenant === tenant && (all === true || (rule.revokedAt === null && rule.expiresAt > now)),
      );
      return Promise.resolve({ value: found, now });
    },
    writeRule(rule, audit) {
      if ((ruleTable.get(rule.id)?.version ?? 0) !== rule.version - 1) return Promise.resolve(false);
      const taken = audit.some((row) => (chains.get(row.chain) ?? []).some((other) => other.sequence === row.sequence));
      if (taken) return Promise.resolve(false);
      ruleTable.set(rule.id, rule);
      appendRows(audit);
      return Promise.resolve(true);
    },
    dueOutbox(limit) {
      const now = clock.now();
      const due = [...outbox.values()].filter((row) => row.state === 'due' && row.dueAt <= now);
      return Promise.resolve({ value: due.sort((a, b) => a.dueAt - b.dueAt).slice(0, limit), now });
    },
    writeOutbox(row) {
      if (outbox.get(row.id)?.attempts !== row.attempts - 1) return Promise.resolve(false);
      // A delivered message has nothing more to say; its delivery is not part of any chain.
      if (row.state === 'due') outbox.set(row.id, row);
      else outbox.delete(row.id);
      return Promise.resolve(true);
    },
    purge(settledBefore) {
      let count = 0;
      for (const id of settled) {
        if ((pauses.get(id)?.settledAt ?? Infinity) >= settledBefore) continue;
        remove(id);
        count += 1;
      }
      for (const [chain, rows] of chains) {
        if (chain.startsWith('free_') && (rows.at(-1)?.at ?? Infinity) < settledBefore) chains.delete(chain);
      }
      return Promise.resolve(count);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => Promise.resolve(),
  };
}

function identityKey(identity: ReplyIdentity): string {
  return JSON.stringify([identity.tenant, identity.principal, identity.conversation, identity.replyId]);
}

function insertInOrder(order: { createdAt: number; id: string }[], entry: { createdAt: number; id: string }): void {
  let index = order.length;
  while (index > 0 && isAfter(order[index - 1] as typeof entry, entry)) index -= 1;
  order.splice(index, 0, entry);
}

function isAfter(a: { createdAt: number; id: string }, b: { createdAt: number; id: string }): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
}

function matches(pause: PauseRecord, query: PauseQuery, now: number): boolean {
  if (query.state !== undefined && pause.state !== query.state) return false;
  if (query.tenant !== undefined && pause.identity.tenant !== query.tenant) return false;
  if (query.principal !== undefined && pause.identity.principal !== query.principal) return false;
  if (query.conversation !== undefined && pause.identity.conversation !== query.conversation) return false;
  if (query.due === true && (pause.dueAt === null || pause.dueAt > now)) return false;
  if (query.settledAfter !== undefined && (pause.settledAt ?? -Infinity) <= query.settledAfter) return false;
  if (query.settledBefore !== undefined && (pause.settledAt ?? Infinity) >= query.settledBefore) return false;
  if (query.erased !== undefined && pause.erased !== query.erased) return false;
  if (query.before !== undefined && !isAfter(query.before, pause)) return false;
  const states = query.callStates;
  return states === undefined || pause.calls.some((call) => states.includes(call.state));
}
