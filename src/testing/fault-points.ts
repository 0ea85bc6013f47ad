import type { ConfirmationStore, PauseWrite } from '../confirm/store-port.ts';

/** A named moment at which a process may be cut off: before or after one kind of write, or around the run of a tool. */
export type FaultPoint = string;

/** The moments of a full cycle: pause, decide, claim, run, record. */
export const cycleFaultPoints: readonly FaultPoint[] = [
  'before:pause-created',
  'after:pause-created',
  'before:call-approved',
  'after:call-approved',
  'before:call-claimed',
  'after:call-claimed',
  'before:run',
  'during:run',
  'after:run',
  'before:call-finished',
  'after:call-finished',
];

/** Tells `reached` of every fault point that a store's writes pass. `reached` may end the process, or throw. */
export function withFaultPoints(
  store: ConfirmationStore,
  reached: (point: FaultPoint) => void | Promise<void>,
): ConfirmationStore {
  const around = async (write: PauseWrite, work: (write: PauseWrite) => Promise<boolean>): Promise<boolean> => {
    const kinds = [...new Set(write.audit.map((row) => row.kind))];
    for (const kind of kinds) await reached(`before:${kind}`);
    const done = await work(write);
    if (done) for (const kind of kinds) await reached(`after:${kind}`);
    return done;
  };
  return {
    durable: store.durable,
    get: (id) => store.get(id),
    find: (identity) => store.find(identity),
    list: (query) => store.list(query),
    create: (write) => around(write, (given) => store.create(given)),
    change: (write) => around(write, (given) => store.change(given)),
    readAudit: (chain, from) => store.readAudit(chain, from),
    listChains: (after) => store.listChains(after),
    appendAudit: (rows) => store.appendAudit(rows),
    rules: (tenant, all) => store.rules(tenant, all),
    writeRule: (rule, audit) => store.writeRule(rule, audit),
    dueOutbox: (limit) => store.dueOutbox(limit),
    writeOutbox: (row) => store.writeOutbox(row),
    purge: (settledBefore) => store.purge(settledBefore),
    ...(store.onChange === undefined ? {} : { onChange: (listener) => store.onChange?.(listener) ?? (() => {}) }),
    close: () => store.close(),
  };
}
