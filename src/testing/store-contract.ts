import assert from 'node:assert/strict';
import type {
  AuditRow,
  ConfirmationStore,
  OutboxRow,
  PauseRecord,
  PauseWrite,
  StandingRule,
} from '../confirm/store-port.ts';
import { contractCall, contractDigest, contractPause } from './store-records.ts';

export { contractCall, contractPause } from './store-records.ts';

/** One promise that every confirmation store keeps. Run each in any test framework: `it(case.name, case.run)`. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface StoreContractOptions {
  /** A new, empty store; closed by the suite. */
  create(): Promise<ConfirmationStore> | ConfirmationStore;
}

/** The suite that `memoryStore`, `sqliteStore` and `postgresStore` pass, for stores of other makers. */
export function storeContract(options: StoreContractOptions): readonly ContractCase[] {
  return cases.map(([name, run]) => ({
    name,
    async run() {
      const store = await options.create();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    },
  }));
}

function write(pause: PauseRecord, parts: Partial<PauseWrite> = {}): PauseWrite {
  return { pause, changed: pause.calls.map((_, index) => index), audit: [], outbox: [], ...parts };
}

function auditRow(chain: string, sequence: number): AuditRow {
  return { chain, sequence, at: 5, kind: 'noted', key: null, body: { n: sequence }, hash: `hash ${chain} ${sequence}` };
}

function rule(id: string, change: Partial<StandingRule> = {}): StandingRule {
  return {
    id,
    version: 1,
    tenant: 't',
    principal: null,
    conversation: null,
    server: null,
    originalName: 'wipe',
    fingerprint: contractDigest,
    match: { path: '"/tmp"' },
    anyArguments: false,
    createdAt: 1,
    expiresAt: 9_000_000_000_000,
    revokedAt: null,
    by: { id: 'bob' },
    from: null,
    ...change,
  };
}

function message(id: string, change: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id,
    pauseId: 'p',
    kind: 'pause.created',
    createdAt: 1,
    attempts: 0,
    dueAt: 0,
    state: 'due',
    body: { a: 1 },
    ...change,
  };
}

const ids = (pauses: readonly PauseRecord[]): string[] => pauses.map((pause) => pause.id);

type Case = readonly [name: string, run: (store: ConfirmationStore) => Promise<void>];

const cases: readonly Case[] = [
  [
    'gives back exactly what was written',
    async (store) => {
      const hostile = '\u0000 \ud800 "quoted" \' ; -- \u202e 你好 😀 \n';
      const pause = contractPause('p1', {
        identity: { tenant: hostile, principal: '', conversation: 'c\u0000', replyId: '' },
        principal: null,
        path: ['outer', 'inner'],
        expiresAt: 4_102_444_800_000,
        dueAt: 4_102_444_800_000,
        reply: { role: 'assistant', id: hostile, content: [{ type: 'text', text: hostile }] },
        calls: [
          contractCall('0.', {
            toolCallId: '',
            input: { __proto__x: 1, text: hostile },
            proposed: [1, 2.5, null, { deep: { a: [] } }],
          }),
          contractCall('1.a', { state: 'free', preview: 'x'.repeat(300_000), demand: { approvals: 2, editable: [] } }),
        ],
      });
      assert.equal(await store.create(write(pause)), true);
      assert.deepEqual((await store.get('p1')).value, pause);
      assert.deepEqual((await store.find(pause.identity)).value, [pause]);
      assert.deepEqual((await store.list({ limit: 5, tenant: hostile, conversation: 'c\u0000' })).value, [pause]);
    },
  ],
  [
    'knows nothing it was not given',
    async (store) => {
      assert.equal((await store.get('absent')).value, undefined);
      assert.equal((await store.get('__proto__')).value, undefined);
      assert.deepEqual((await store.find(contractPause('x').identity)).value, []);
      assert.deepEqual((await store.list({ limit: 10 })).value, []);
      assert.deepEqual(await store.readAudit('absent', 1), []);
      assert.equal(await store.change(write(contractPause('absent', { version: 2 }))), false);
    },
  ],
  [
    'takes an id, and an identity with its generation, once',
    async (store) => {
      const first = contractPause('p1');
      assert.equal(await store.create(write(first)), true);
      assert.equal(
        await store.create(write(contractPause('p1', { identity: { ...first.identity, replyId: 'other' } }))),
        false,
      );
      assert.equal(
        await store.create(write(contractPause('p2', { identity: first.identity }), { audit: [auditRow('p2', 1)] })),
        false,
      );
      assert.deepEqual(await store.readAudit('p2', 1), []);
      const second = contractPause('p3', { identity: first.identity, generation: 1 });
      assert.equal(await store.create(write(second)), true);
      assert.deepEqual((await store.find(first.identity)).value, [first, second]);
    },
  ],
  [
    'lets one of many writers of the same version win, and writes nothing of the others',
    async (store) => {
      await store.create(write(contractPause('p1')));
      const attempts = Array.from({ length: 20 }, (_, index) =>
        store.change(
          write(
            contractPause('p1', {
              version: 2,
              auditSequence: 1,
              auditHead: `head ${index}`,
              calls: [contractCall('0.a', { state: 'running', fence: index })],
            }),
            { audit: [{ ...auditRow('p1', 1), hash: `head ${index}` }], outbox: [message(`m${index}`)] },
          ),
        ),
      );
      const won = await Promise.all(attempts);
      assert.equal(won.filter(Boolean).length, 1);
      const winner = won.indexOf(true);
      const { value } = await store.get('p1');
      assert.equal(value?.version, 2);
      assert.equal(value.auditHead, `head ${winner}`);
      assert.equal(value.calls[0]?.fence, winner);
      assert.deepEqual(
        (await store.readAudit('p1', 1)).map((row) => row.hash),
        [`head ${winner}`],
      );
      assert.deepEqual(
        (await store.dueOutbox(50)).value.map((row) => row.id),
        [`m${winner}`],
      );
    },
  ],
  [
    'lets one of many creators of the same reply win',
    async (store) => {
      const { identity } = contractPause('x');
      const won = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.create(write(contractPause(`p${index}`, { identity })))),
      );
      assert.equal(won.filter(Boolean).length, 1);
      assert.deepEqual(ids((await store.find(identity)).value), [`p${won.indexOf(true)}`]);
    },
  ],
  [
    'changes the calls that changed and leaves the others',
    async (store) => {
      const pause = contractPause('p1', { calls: [contractCall('0.a'), contractCall('1.b'), contractCall('2.c')] });
      await store.create(write(pause));
      const calls = pause.calls.map((call, index) =>
        index === 1 ? { ...call, state: 'approved' as const, rule: 'r' } : call,
      );
      const next = { ...pause, version: 2, dueAt: 7, calls };
      assert.equal(await store.change(write(next, { changed: [1] })), true);
      assert.deepEqual((await store.get('p1')).value, next);
    },
  ],
  [
    'writes facts anew when a record is erased',
    async (store) => {
      const pause = contractPause('p1', { calls: [contractCall('0.a', { input: { secret: 1 } })] });
      await store.create(write(pause));
      const erased = {
        ...pause,
        version: 2,
        erased: true,
        reply: { role: 'assistant' as const, content: [] },
        calls: [contractCall('0.a', { input: null })],
      };
      assert.equal(await store.change(write(erased)), true);
      assert.deepEqual((await store.get('p1')).value, erased);
    },
  ],
  [
    'lists newest first, page by page, each once',
    async (store) => {
      for (const [id, createdAt] of [
        ['b', 10],
        ['a', 30],
        ['d', 20],
        ['c', 20],
      ] as const) {
        await store.create(write(contractPause(id, { createdAt })));
      }
      assert.deepEqual(ids((await store.list({ limit: 10 })).value), ['a', 'd', 'c', 'b']);
      assert.deepEqual(ids((await store.list({ limit: 2 })).value), ['a', 'd']);
      assert.deepEqual(ids((await store.list({ limit: 2, before: { createdAt: 20, id: 'd' } })).value), ['c', 'b']);
    },
  ],
  [
    'lists by state, call state, tenant, principal and conversation together',
    async (store) => {
      const identity = { tenant: 't', principal: 'alice', conversation: 'c', replyId: 'r' };
      await store.create(write(contractPause('a', { identity })));
      await store.create(write(contractPause('b', { identity: { ...identity, tenant: 'u' } })));
      await store.create(write(contractPause('c', { identity: { ...identity, principal: 'bob' } })));
      await store.create(write(contractPause('d', { identity: { ...identity, conversation: 'k' } })));
      await store.create(
        write(
          contractPause('e', {
            identity: { ...identity, replyId: 's' },
            state: 'settled',
            settledAt: 5,
            calls: [contractCall('0.a', { state: 'denied' })],
          }),
        ),
      );
      assert.deepEqual(
        ids((await store.list({ limit: 9, tenant: 't', principal: 'alice', conversation: 'c' })).value),
        ['e', 'a'],
      );
      assert.deepEqual(ids((await store.list({ limit: 9, state: 'settled' })).value), ['e']);
      assert.deepEqual(ids((await store.list({ limit: 9, callStates: ['denied', 'unknown'] })).value), ['e']);
      assert.deepEqual((await store.list({ limit: 9, callStates: [] })).value, []);
      assert.deepEqual(
        ids((await store.list({ limit: 9, tenant: 't', callStates: ['awaiting'], state: 'open' })).value),
        ['d', 'c', 'a'],
      );
    },
  ],
  [
    'lists settled pauses by when they settled and whether they are erased',
    async (store) => {
      for (const settledAt of [100, 200, 300]) {
        const erased = settledAt === 200;
        await store.create(write(contractPause(`s${settledAt}`, { state: 'settled', settledAt, erased })));
      }
      await store.create(write(contractPause('open')));
      assert.deepEqual(ids((await store.list({ limit: 9, settledAfter: 100 })).value), ['s300', 's200']);
      assert.deepEqual(ids((await store.list({ limit: 9, settledBefore: 300 })).value), ['s200', 's100']);
      assert.deepEqual(ids((await store.list({ limit: 9, settledBefore: 300, erased: false })).value), ['s100']);
    },
  ],
  [
    'tells what is due by its own time',
    async (store) => {
      const { now } = await store.get('x');
      await store.create(write(contractPause('late', { dueAt: now - 1_000 })));
      await store.create(write(contractPause('early', { dueAt: now + 3_600_000 })));
      await store.create(write(contractPause('never')));
      assert.deepEqual(ids((await store.list({ limit: 9, due: true })).value), ['late']);
    },
  ],
  [
    'keeps chains in order and takes each sequence once',
    async (store) => {
      assert.equal(await store.appendAudit([auditRow('free', 1), auditRow('free', 2)]), true);
      assert.equal(await store.appendAudit([auditRow('free', 3), auditRow('free', 2)]), false);
      assert.deepEqual(await store.readAudit('free', 1), [auditRow('free', 1), auditRow('free', 2)]);
      assert.deepEqual(await store.readAudit('free', 2), [auditRow('free', 2)]);
      await store.appendAudit([auditRow('checkpoints', 1)]);
      assert.deepEqual(await store.listChains(''), ['checkpoints', 'free']);
      assert.deepEqual(await store.listChains('checkpoints'), ['free']);
    },
  ],
  [
    'keeps standing rules by tenant, with compare-and-set',
    async (store) => {
      assert.equal(await store.writeRule(rule('r1'), [auditRow('rules', 1)]), true);
      assert.equal(await store.writeRule(rule('r1'), []), false);
      assert.equal(await store.writeRule(rule('r2', { expiresAt: 5 }), [auditRow('rules', 2)]), true);
      assert.equal(await store.writeRule(rule('r3', { tenant: 'other' }), [auditRow('rules', 3)]), true);
      assert.equal(await store.writeRule(rule('r4'), [auditRow('rules', 3)]), false);
      assert.deepEqual((await store.rules('t')).value, [rule('r1')]);
      assert.deepEqual((await store.rules('t', true)).value.map((item) => item.id).sort(), ['r1', 'r2']);
      assert.equal(await store.writeRule(rule('r1', { version: 3 }), []), false);
      assert.equal(await store.writeRule(rule('r1', { version: 2, revokedAt: 7 }), []), true);
      assert.deepEqual((await store.rules('t')).value, []);
    },
  ],
  [
    'hands out due messages until they are settled, with compare-and-set',
    async (store) => {
      const { now } = await store.get('x');
      await store.create(
        write(contractPause('p'), { outbox: [message('m1'), message('m2', { dueAt: now + 3_600_000 })] }),
      );
      assert.deepEqual((await store.dueOutbox(10)).value, [message('m1')]);
      const tried = await Promise.all([1, 2, 3].map(() => store.writeOutbox(message('m1', { attempts: 1 }))));
      assert.equal(tried.filter(Boolean).length, 1);
      assert.deepEqual((await store.dueOutbox(10)).value, [message('m1', { attempts: 1 })]);
      assert.equal(await store.writeOutbox(message('m1', { attempts: 2, state: 'delivered' })), true);
      assert.deepEqual((await store.dueOutbox(10)).value, []);
    },
  ],
  [
    'purges settled pauses of a certain age with their chains, and no open one',
    async (store) => {
      await store.create(
        write(contractPause('old', { state: 'settled', settledAt: 100 }), { audit: [auditRow('old', 1)] }),
      );
      await store.create(write(contractPause('new', { state: 'settled', settledAt: 200 })));
      await store.create(write(contractPause('open')));
      assert.equal(await store.purge(150), 1);
      assert.deepEqual(ids((await store.list({ limit: 9 })).value).sort(), ['new', 'open']);
      assert.deepEqual(await store.readAudit('old', 1), []);
      assert.deepEqual((await store.find(contractPause('old').identity)).value, []);
    },
  ],
  [
    'purges chains of free calls that have ended, and no other chain',
    async (store) => {
      await store.appendAudit([auditRow('free_a', 1), { ...auditRow('free_a', 2), at: 100 }]);
      await store.appendAudit([auditRow('free_b', 1), { ...auditRow('free_b', 2), at: 200 }]);
      await store.appendAudit([auditRow('checkpoints', 1), auditRow('freely', 1), auditRow('rules', 1)]);
      await store.purge(150);
      assert.deepEqual(await store.listChains(''), ['checkpoints', 'free_b', 'freely', 'rules']);
      assert.equal((await store.readAudit('free_b', 1)).length, 2);
    },
  ],
  [
    'may be closed twice',
    async (store) => {
      await store.close();
      await store.close();
    },
  ],
];
