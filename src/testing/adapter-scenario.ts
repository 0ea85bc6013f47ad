import type { Decision } from '../core/decision.ts';
import type { JsonSchema } from '../core/tool.ts';
import type { ScriptedStep } from './scripted-model.ts';

/** A tool of a scenario. The suite counts its runs; the driver makes the framework's own tool of it. */
export interface AdapterScenarioTool {
  readonly name: string;
  readonly description: string;
  /** Default: one optional text `to` and one optional number `amount`. */
  readonly inputSchema?: JsonSchema;
  /** What it gives back. Default: `<name> done`. */
  readonly result?: unknown;
  /** It throws this instead. */
  readonly fails?: string;
  /** It ends only when it is aborted; the suite aborts as soon as it runs. */
  readonly hangs?: boolean;
}

/** How the adapter of a scenario is set up. Plain data; the suite makes options of it. */
export interface AdapterScenarioGate {
  /** Probabilities of the decision model by tool name; others get 0. Absent: every tool is shown. */
  readonly scores?: Readonly<Record<string, number>>;
  /** The decision model fails always. */
  readonly selectorDown?: boolean;
  /** Tools that wait: always, above an amount, or refused by policy with this reason. */
  readonly policy?: Readonly<Record<string, true | { readonly above: number } | { readonly deny: string }>>;
  readonly alwaysInclude?: readonly string[];
  /** Names of tools that a dynamic provider gives instead of the framework, by the number of tools that have run: `[[], ['late']]`. */
  readonly dynamic?: readonly (readonly AdapterScenarioTool[])[];
  /** Cuts the process after a tool has run and before its result is stored, once. */
  readonly crash?: 'before-result';
}

/** What must be true after a step. Everything counts from the beginning of the scenario, except where it says otherwise. */
export interface AdapterExpectation {
  /** All runs of tools as `name arguments-as-JSON`, in any order. */
  readonly ran?: readonly string[];
  /** Ids of the calls that the framework reports as waiting, in any order. */
  readonly waiting?: readonly string[];
  /** Names of the tools in the newest requests to the model, oldest first; `null` skips one. */
  readonly shown?: readonly (readonly string[] | null)[];
  /** By call id: a piece of the one result that the model was given last. */
  readonly results?: Readonly<Record<string, string>>;
  /** The model's last text. */
  readonly text?: string;
  /** Ids of calls that have exactly one result in the last request to the model. */
  readonly answered?: readonly string[];
  /** The forced tool of the newest requests, oldest first; null: none. */
  readonly forced?: readonly (string | null)[];
  /** How many requests the model had. */
  readonly requests?: number;
}

export type AdapterStep =
  | {
      readonly do: 'send';
      readonly text: string;
      readonly toolChoice?: { readonly tool: string };
      readonly expect: AdapterExpectation;
    }
  /** Decisions by call id, recorded in the store by somebody else than the caller. */
  | { readonly do: 'decide'; readonly decisions: Readonly<Record<string, Decision>> }
  /** Carries what is decided back into the framework. */
  | {
      readonly do: 'resume';
      /** Default `once`. The deliveries all start from one saved state, each with an adapter, tools and a model of its own. */
      readonly deliveries?: 'once' | 'twice' | 'twice-at-once';
      /** Changes the saved state before it is read again, wherever the text stands in it. */
      readonly tamper?: { readonly from: string; readonly to: string };
      /** Says yes to all that waits in the framework's own way, with nothing decided in the store. */
      readonly claimApproval?: boolean;
      readonly expect: AdapterExpectation;
    }
  /** Everything but the store and the saved state is thrown away. */
  | { readonly do: 'restart'; readonly conversation?: string }
  /** Moves the clock on. */
  | { readonly do: 'wait'; readonly milliseconds: number };

/** One promise of an adapter, as data. */
export interface AdapterScenario {
  /** Stable: drivers name it where their framework cannot do it. */
  readonly id: string;
  readonly title: string;
  readonly tools: readonly AdapterScenarioTool[];
  readonly gate?: AdapterScenarioGate;
  /** The model's replies, one for each request. */
  readonly script: readonly ScriptedStep[];
  readonly steps: readonly AdapterStep[];
}
