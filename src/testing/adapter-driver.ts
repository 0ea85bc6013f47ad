import type { ConfirmationStore } from '../confirm/store-port.ts';
import type { Confirmations, PolicyRules } from '../confirm/types.ts';
import type { Clock } from '../core/clock.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolProvider } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import type { DecisionModel } from '../decision/port.ts';
import type { ScriptedStep } from './scripted-model.ts';

/** Options of the gate as the suite sets them; every adapter takes them as they are. */
export interface AdapterGateOptions {
  readonly store: ConfirmationStore;
  readonly clock: Clock;
  readonly selection:
    | false
    | {
        readonly decisionModel: DecisionModel;
        readonly minProbability: number;
        readonly minTools: number;
        readonly minTokens: number;
        readonly alwaysInclude?: readonly string[];
      };
  readonly providers?: readonly ToolProvider[];
  readonly confirm: { readonly policy: PolicyRules; readonly waitMs: number; readonly pollMs: number };
}

/** What a session is made of. */
export interface AdapterSetup {
  /** To become tools of the framework; their `execute` counts the runs. */
  readonly tools: readonly Tool[];
  readonly options: AdapterGateOptions;
  /** What the model replies from now on. */
  readonly script: readonly ScriptedStep[];
  readonly conversation: string;
  readonly principal: Principal;
  /** Use the framework's streaming loop. */
  readonly streaming: boolean;
  /** What `save` of an earlier session gave, perhaps changed on the way. */
  readonly state?: string;
}

/** What came of one run of the framework's loop. */
export interface AdapterRun {
  readonly text: string;
  /** Ids of the calls that wait. */
  readonly waiting: readonly string[];
}

/** One request to the model, as the model saw it. */
export interface AdapterModelRequest {
  readonly tools: readonly string[];
  /** The tool that it must call. */
  readonly forced: string | null;
  /** Every tool result in it, in order. */
  readonly results: readonly { readonly toolCallId: string; readonly text: string }[];
}

/** A conversation in the framework's own loop with the adapter in it. */
export interface AdapterSession {
  send(
    text: string,
    options: { readonly toolChoice?: { readonly tool: string }; readonly signal: AbortSignal },
  ): Promise<AdapterRun>;
  /**
   * Goes on from the saved state with what is decided in the store, by the adapter's helper. `claimApproval`: in place of that,
   * whatever a client can say to approve everything that waits.
   */
  resume(options: { readonly signal: AbortSignal; readonly claimApproval: boolean }): Promise<AdapterRun>;
  /** What a host keeps between two requests, or hands to its client. */
  save(): string;
  readonly requests: readonly AdapterModelRequest[];
  readonly confirmations: Confirmations;
}

/** A framework with its adapter. */
export interface AdapterDriver {
  readonly framework: string;
  readonly version: string;
  /** Default both. */
  readonly modes?: readonly ('blocking' | 'streaming')[];
  /** True: the framework decides the order in which tools stand in a request. */
  readonly ordersTools?: boolean;
  /** By scenario id: why this framework cannot do it. Stands in the table as the reason of a "no". */
  readonly cannot?: Readonly<Record<string, string>>;
  open(setup: AdapterSetup): Promise<AdapterSession> | AdapterSession;
}
