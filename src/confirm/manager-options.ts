import type { RegisteredTool, ToolLookup } from '../catalog/types.ts';
import type { Clock } from '../core/clock.ts';
import { ToolgateError } from '../core/errors.ts';
import type { IdSource } from '../core/ids.ts';
import { silentLogger } from '../core/logger.ts';
import type { Logger } from '../core/logger.ts';
import type { DecisionMaker } from '../core/decision.ts';
import type { Principal } from '../core/principal.ts';
import { randomIds, systemClock } from '../core/system.ts';
import { noTelemetry } from '../core/telemetry.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { Tool } from '../core/tool.ts';
import type { OutboxMaker } from './apply-step.ts';
import { compilePolicy } from './compile-policy.ts';
import type { CompiledPolicy, PolicyInput } from './compile-policy.ts';
import type { HiddenRule } from './find-tool.ts';
import { makeOutbox } from './outbox-rows.ts';
import { sealingKeys } from './sealing-keys.ts';
import type { SealingKeys, SecretInput } from './sealing-keys.ts';
import type { Retention } from './sweep.ts';
import type { CallView, PauseView } from './types.ts';
import type { ConfirmationStore } from './store-port.ts';

/** What can be called: tools, or a catalogue. */
export type ToolsInput = readonly Tool[] | ToolLookup;

export interface ToolCallingManagerOptions {
  /** Which calls wait. In a list the most restrictive verdict counts. Without one: marked tools and unbelieved foreign tools wait. */
  readonly policy?: PolicyInput | undefined;
  /** Keeps what waits. Without one the manager is stateless: a pause is an ordinary response, and once-only cannot be given. */
  readonly store?: ConfirmationStore | undefined;
  /** `hold` (default): nothing of a reply runs while one of its calls waits. `run-now`: the free ones run at once; needs a store. */
  readonly siblings?: 'hold' | 'run-now' | undefined;
  /** A call of a tool that was not shown. Default `activate`: not run; the model gets its schema. */
  readonly hidden?: HiddenRule | undefined;
  /** How many calls of one reply run at the same time. Default 8, at least 1. */
  readonly concurrency?: number | undefined;
  /** How long a second delivery waits for a call that another one runs, in milliseconds. Default 30,000. */
  readonly waitMs?: number | undefined;
  /** How often a waiter looks again when no hint comes, in milliseconds. Default 1,000. */
  readonly pollMs?: number | undefined;
  /** How long a claim holds without a sign of life, in milliseconds. Default 60,000; extended while the call runs. */
  readonly leaseMs?: number | undefined;
  /** How long a call may wait for its decision, in milliseconds; null: for ever. Default 7 days. */
  readonly expiresInMs?: number | null | undefined;
  /** `waiting` (default): only replies with a call that waits are recorded. `all`: every reply is, so that free calls run at most once too. */
  readonly record?: 'waiting' | 'all' | undefined;
  /** Whether the caller may decide its own calls. Default `not-caller`. Only where the conversation has a principal. */
  readonly approver?: 'any' | 'not-caller' | undefined;
  /** Has the last word on who may decide. Absent: everybody of the caller's tenant (but for `approver`). A throw counts as no. */
  readonly canDecide?:
    | ((by: DecisionMaker, pause: PauseView, call: CallView) => boolean | Promise<boolean>)
    | undefined;
  /** Who may grant standing rules, a right beyond deciding. Absent: nobody. A throw counts as no. */
  readonly canGrantRules?:
    | ((by: DecisionMaker, pause: PauseView, call: CallView) => boolean | Promise<boolean>)
    | undefined;
  /** How long what has ended is kept; applied by `sweep`. Absent: for ever. */
  readonly retention?: Retention | undefined;
  /** Whether this principal may call this tool; asked again at run. A throw counts as no. */
  readonly authorise?:
    | ((tool: RegisteredTool, principal: Principal | undefined) => boolean | Promise<boolean>)
    | undefined;
  /** True for names that once belonged to a tool this principal could call: the answer is then "gone", not "unknown". */
  readonly wasKnown?: ((name: string, principal: Principal | undefined) => boolean) | undefined;
  /** Where `resume` finds tools when it is not told, and against what edits are checked at once. */
  readonly tools?: ToolsInput | (() => ToolsInput | Promise<ToolsInput>) | undefined;
  /** Seals state that travels through a client. At least 32 bytes, the same in every process. */
  readonly secret?: SecretInput | undefined;
  /** True: each pause, decision and end is also put into the store's outbox. Default false. */
  readonly outbox?: boolean | undefined;
  /** False: a call that was denied is asked again when the model repeats it in the same turn. Default true: refused at once. */
  readonly refuseRepeats?: boolean | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: IdSource | undefined;
  readonly logger?: Logger | undefined;
  readonly telemetry?: Telemetry | undefined;
}

/** The options with every default filled in. Inner; made once. */
export interface ManagerSetup {
  readonly policy: CompiledPolicy;
  readonly store: ConfirmationStore | undefined;
  readonly siblings: 'hold' | 'run-now';
  readonly hidden: HiddenRule;
  readonly concurrency: number;
  readonly waitMs: number;
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly expiresInMs: number | null;
  readonly record: 'waiting' | 'all';
  readonly approver: 'any' | 'not-caller';
  readonly refuseRepeats: boolean;
  readonly options: ToolCallingManagerOptions;
  readonly sealing: SealingKeys | undefined;
  readonly outbox: OutboxMaker | undefined;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
}

/** Checks and completes the options. Throws `invalid-option`. */
export function setUpManager(options: ToolCallingManagerOptions): ManagerSetup {
  const logger = options.logger ?? silentLogger;
  const ids = options.ids ?? randomIds;
  const siblings = oneOf('siblings', options.siblings ?? 'hold', ['hold', 'run-now']);
  if (siblings === 'run-now' && options.store === undefined) {
    throw wrong('siblings', "'run-now' keeps results in the pause, so it needs a store.");
  }
  return {
    policy: compilePolicy(options.policy, logger),
    store: options.store,
    siblings,
    hidden: oneOf('hidden', options.hidden ?? 'activate', ['activate', 'execute', 'refuse']),
    concurrency: atLeast('concurrency', options.concurrency ?? 8, 1),
    waitMs: atLeast('waitMs', options.waitMs ?? 30_000, 0),
    pollMs: atLeast('pollMs', options.pollMs ?? 1_000, 1),
    leaseMs: atLeast('leaseMs', options.leaseMs ?? 60_000, 1),
    expiresInMs: options.expiresInMs === null ? null : atLeast('expiresInMs', options.expiresInMs ?? 7 * 86_400_000, 1),
    record: oneOf('record', options.record ?? 'waiting', ['waiting', 'all']),
    approver: oneOf('approver', options.approver ?? 'not-caller', ['any', 'not-caller']),
    refuseRepeats: options.refuseRepeats ?? true,
    options,
    sealing: options.secret === undefined ? undefined : sealingKeys(options.secret),
    outbox: options.outbox === true ? makeOutbox(ids) : undefined,
    clock: options.clock ?? systemClock,
    ids,
    logger,
    telemetry: options.telemetry ?? noTelemetry,
  };
}

function oneOf<T extends string>(option: string, value: T, known: readonly T[]): T {
  if (known.includes(value)) return value;
  throw wrong(option, `must be one of ${known.map((name) => `'${name}'`).join(', ')}; it is ${JSON.stringify(value)}.`);
}

function atLeast(option: string, value: number, minimum: number): number {
  if (typeof value === 'number' && value >= minimum) return value;
  throw wrong(option, `must be a number of at least ${minimum}; it is ${String(value)}.`);
}

function wrong(option: string, problem: string): ToolgateError {
  return new ToolgateError('invalid-option', `ToolCallingManager: ${option} ${problem}`, { data: { option } });
}
