import fc from 'fast-check';
import { nextCallState } from '../../src/core/call-state.ts';
import type { CallEvent, CallState } from '../../src/core/call-state.ts';
import { isToolgateError } from '../../src/core/errors.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import { verifyAuditRows } from '../../src/confirm/audit-chain.ts';
import { withFaultPoints } from '../../src/testing/fault-points.ts';
import type { ManualClock } from '../../src/testing/manual-clock.ts';
import { countingTool, replyOf } from '../confirm/tools.ts';
import assert from 'node:assert/strict';

/**
 * The pure state machine as a model, and a manager on a real store beside it: whatever sequence of deliveries, decisions, deaths
 * and waits comes, both are in the same states and every call has run as often.
 */
interface Model {
  readonly calls: { state: CallState; runs: number; runAgain: boolean; leaseUntil: number }[];
  readonly expiresAt: number;
  now: number;
}

interface Real {
  readonly manager: ToolCallingManager;
  /** Dies between the run and the record. */
  readonly dying: ToolCallingManager;
  readonly clock: ManualClock;
  readonly store: ConfirmationStore;
  readonly pauseId: string;
  readonly runs: Map<string, number>;
  readonly conversation: { readonly id: string };
}

type Command = fc.AsyncCommand<Model, Real>;

const leaseMs = 1_000;
const expiresInMs = 10_000;
const bob = { principal: { id: 'bob' } };

function event(model: Model, index: number, name: CallEvent): boolean {
  const call = model.calls[index];
  const next = call === undefined ? undefined : nextCallState(call.state, name);
  if (call === undefined || next === undefined) return false;
  call.state = next;
  return true;
}

const mayEnd = (state: CallState): boolean => state === 'awaiting' || state === 'approved' || state === 'free';

function settleTime(model: Model): void {
  for (const [index, call] of model.calls.entries()) {
    if (call.state === 'running' && call.leaseUntil <= model.now) event(model, index, 'lose');
    else if (mayEnd(call.state) && model.expiresAt <= model.now) event(model, index, 'expire');
  }
}

function runnable(model: Model): number[] {
  return model.calls.flatMap((call, index) =>
    call.state === 'free' || call.state === 'approved' || (call.state === 'unknown' && call.runAgain) ? [index] : [],
  );
}

function claim(model: Model, index: number): void {
  const call = model.calls[index];
  if (call === undefined) return;
  event(model, index, call.state === 'unknown' ? 'run-again' : 'claim');
  call.runs += 1;
  call.runAgain = false;
  call.leaseUntil = model.now + leaseMs;
}

async function compare(model: Model, real: Real): Promise<void> {
  settleTime(model);
  const view = await real.manager.confirmations.get(real.pauseId);
  assert.deepEqual(
    view?.calls.map(({ state }) => state),
    model.calls.map(({ state }) => state),
  );
  assert.deepEqual(
    view?.calls.map(({ key }) => real.runs.get(key) ?? 0),
    model.calls.map(({ runs }) => runs),
  );
  for (const call of view?.calls ?? []) {
    const ended = !['awaiting', 'approved', 'free', 'running'].includes(call.state);
    assert.equal(call.outcome !== null, ended, `${call.key} is ${call.state}`);
  }
}

const codeOf = (error: unknown): string => (isToolgateError(error) ? error.code : String(error));

class Deliver implements Command {
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    settleTime(model);
    const end = await real.manager.resume(real.pauseId).then(() => 'done', codeOf);
    if (model.calls.some(({ state }) => state === 'awaiting')) assert.equal(end, 'confirmation-required');
    else {
      for (const index of runnable(model)) {
        claim(model, index);
        event(model, index, 'succeed');
      }
      assert.equal(end, model.calls.some(({ state }) => state === 'running') ? 'call-running' : 'done');
    }
    await compare(model, real);
  }
  toString = (): string => 'deliver';
}

class Die implements Command {
  check = (model: Readonly<Model>): boolean => !model.calls.some(({ state }) => state === 'awaiting');
  async run(model: Model, real: Real): Promise<void> {
    settleTime(model);
    await real.dying.resume(real.pauseId).catch(() => {});
    const [first] = runnable(model);
    if (first !== undefined) claim(model, first);
    await compare(model, real);
  }
  toString = (): string => 'die';
}

class Decide implements Command {
  readonly index: number;
  readonly kind: 'approve' | 'deny' | 'respond';
  constructor(index: number, kind: 'approve' | 'deny' | 'respond') {
    this.index = index;
    this.kind = kind;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    settleTime(model);
    const key = `${this.index}.c`;
    const decision = this.kind === 'respond' ? { type: 'respond' as const, result: 'by hand' } : { type: this.kind };
    const [answer] = await real.manager.confirmations.decide(real.pauseId, { [key]: decision }, bob);
    const happened = event(model, this.index, this.kind);
    if (happened) assert.equal(answer?.answer, 'accepted');
    else assert.equal(answer?.answer === 'unknown', model.calls[this.index] === undefined);
    await compare(model, real);
  }
  toString = (): string => `${this.kind} ${this.index}`;
}

class Settle implements Command {
  readonly kind: 'cancel' | 'supersede';
  constructor(kind: 'cancel' | 'supersede') {
    this.kind = kind;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    settleTime(model);
    if (this.kind === 'cancel') await real.manager.confirmations.cancel(real.pauseId, bob);
    else await real.manager.supersede({ id: real.conversation.id, principal: { id: 'alice' } });
    for (const [index, { state }] of model.calls.entries()) if (mayEnd(state)) event(model, index, this.kind);
    await compare(model, real);
  }
  toString = (): string => this.kind;
}

class Resolve implements Command {
  readonly index: number;
  readonly kind: 'succeeded' | 'failed' | 'run-again';
  constructor(index: number, kind: 'succeeded' | 'failed' | 'run-again') {
    this.index = index;
    this.kind = kind;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    settleTime(model);
    const call = model.calls[this.index];
    const end = await real.manager.confirmations
      .resolveUnknown(real.pauseId, `${this.index}.c`, this.kind, bob)
      .then(() => 'done', codeOf);
    const refused = call === undefined ? 'decision-unknown-key' : 'illegal-transition';
    assert.equal(end, call?.state === 'unknown' ? 'done' : refused);
    if (call?.state === 'unknown') {
      if (this.kind === 'run-again') call.runAgain = true;
      else event(model, this.index, this.kind === 'succeeded' ? 'mark-succeeded' : 'mark-failed');
    }
    await compare(model, real);
  }
  toString = (): string => `resolve ${this.index} ${this.kind}`;
}

class Wait implements Command {
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    model.now += this.milliseconds;
    real.clock.advance(this.milliseconds);
    await compare(model, real);
  }
  toString = (): string => `wait ${this.milliseconds}`;
}

const index = fc.nat({ max: 2 });
const commands = [
  fc.constant(new Deliver()),
  fc.constant(new Deliver()),
  fc.constant(new Die()),
  fc
    .tuple(index, fc.constantFrom('approve' as const, 'approve' as const, 'deny' as const, 'respond' as const))
    .map((args) => new Decide(...args)),
  fc.tuple(index, fc.constantFrom('approve' as const, 'deny' as const)).map((args) => new Decide(...args)),
  fc.constantFrom('cancel' as const, 'supersede' as const).map((kind) => new Settle(kind)),
  fc
    .tuple(index, fc.constantFrom('succeeded' as const, 'failed' as const, 'run-again' as const))
    .map((args) => new Resolve(...args)),
  fc.constantFrom(100, leaseMs, leaseMs, expiresInMs).map((milliseconds) => new Wait(milliseconds)),
];

/** Runs that many random sequences on one store. Fails with the shortest sequence that tells both apart. */
export async function modelTest(
  store: ConfirmationStore,
  clock: ManualClock,
  sequences: number,
  seed: number = 20_261_130,
): Promise<void> {
  let counter = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.commands(commands, { maxCommands: 14 }),
      async (calls, sequence) => {
        counter += 1;
        const runs = new Map<string, number>();
        const tools = ['free', 'asks'].map((name) =>
          countingTool(name, {
            requiresConfirmation: name === 'asks',
            execute(_, { key }) {
              runs.set(key, (runs.get(key) ?? 0) + 1);
              return 'done';
            },
          }),
        );
        const options = { store, clock, tools, leaseMs, expiresInMs, waitMs: 0, concurrency: 1 };
        const manager = new ToolCallingManager(options);
        const conversation = { id: `conversation ${seed} ${counter}`, messages: [], tools, principal: { id: 'alice' } };
        // The first call asks, so that there is a pause; the second is free.
        const names = ['asks', 'free', 'asks'].slice(0, calls);
        const reply = replyOf(...names.map((name) => ['c', name] as const));
        const thrown: unknown = await manager.executeToolCalls(conversation, reply).catch((error: unknown) => error);
        const pauseId = isToolgateError(thrown) ? (thrown.data['pause'] as { id: string }).id : '';
        const real: Real = {
          manager,
          dying: new ToolCallingManager({ ...options, store: withoutFinish(store) }),
          clock,
          store,
          pauseId,
          runs,
          conversation,
        };
        const model: Model = {
          calls: names.map((name) => ({
            state: name === 'free' ? 'free' : 'awaiting',
            runs: 0,
            runAgain: false,
            leaseUntil: 0,
          })),
          expiresAt: clock.now() + expiresInMs,
          now: clock.now(),
        };
        await fc.asyncModelRun(() => ({ model, real }), sequence);
        assert.equal(verifyAuditRows(pauseId, await store.readAudit(pauseId, 1)), undefined);
      },
    ),
    { numRuns: sequences, seed },
  );
}

/** A store through which no outcome is ever recorded, as if the process had died before. */
function withoutFinish(store: ConfirmationStore): ConfirmationStore {
  return withFaultPoints(store, (point) => {
    if (point === 'before:call-finished') throw new Error('The process is gone.');
  });
}
