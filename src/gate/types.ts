import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import type { Confirmations, PauseView, ToolExecution } from '../confirm/types.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { FoundTool } from '../search/port.ts';
import type { SelectionReport } from '../select/types.ts';
import type { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { GateCalls } from './single-calls.ts';

/**
 * `src/gate` joins selection, search and confirmation: what adapters, the assistant and the gateway use. It imports
 * everything below them and knows no framework.
 */

/** Whether and what the model must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** One call of the model is about to be made. */
export interface TurnRequest {
  /** The whole conversation, with the current user message and what has happened since. */
  readonly messages: readonly Message[];
  /** Keeps the shown list append-only over turns. Required with a store as soon as a reply is executed. */
  readonly conversation?: string | undefined;
  readonly principal?: Principal | undefined;
  /** The current user message as it goes to the model. Default: the last user message. */
  readonly userMessage?: Message | undefined;
  /** The same before retrieved content was added. */
  readonly originalUserMessage?: Message | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  /** Free values of the host for providers, policies and tools; never sent to a model. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the model gets for one call, and what to do with its reply. */
export interface ToolTurn {
  /** What to show, in an order that only grows at the end. Names are exposed names. */
  readonly tools: readonly ToolDefinition[];
  /** The choice as it fits the shown tools: a forced tool that is not allowed falls back to `auto`, and the report says so. */
  readonly toolChoice: ToolChoice;
  readonly report: SelectionReport;
  readonly catalogue: Catalogue;
  /** The report as text, for people. */
  explain(): string;
  /**
   * Runs a reply. Throws `ToolCallConfirmationRequiredError` when a call waits and no decisions are given.
   */
  execute(reply: Reply, decisions?: ToolCallDecisions): Promise<ToolExecution>;
  /** The next call of the model within the same loop: `messages` holds the reply and its results. */
  refresh(messages: readonly Message[]): Promise<ToolTurn>;
}

/** A search of a person or a program; the model's own searches come through the search tool. */
export interface GateSearchRequest {
  readonly query: string;
  readonly server?: string | undefined;
  /** 1 to 50. Default 5. */
  readonly limit?: number | undefined;
  readonly principal?: Principal | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GateSearchResult {
  readonly found: readonly (FoundTool & { readonly tool: RegisteredTool })[];
  /** How many matched before `limit`. */
  readonly total: number;
  readonly text: string;
}

/** Joins selection, search and confirmation over one registry. */
export interface ToolGate {
  /** Prepares one call of the model. */
  turn(request: TurnRequest): Promise<ToolTurn>;
  /** Everything this principal may use. */
  catalogue(request?: Partial<TurnRequest>): Promise<Catalogue>;
  search(request: GateSearchRequest): Promise<GateSearchResult>;
  /** Runs what was decided about a pause, in any process that has the tools. Calls no model. */
  resume(pauseId: string, options?: Partial<TurnRequest>): Promise<ToolExecution>;
  /**
   * Settles what waits in a conversation because a newer message takes its place, and gives the results that keep the history
   * valid. Never touches a running call. Without a store there is nothing to settle.
   */
  supersede(
    conversation: string,
    principal?: Principal,
  ): Promise<readonly { readonly pause: PauseView; readonly messages: readonly Message[] }[]>;
  readonly confirmations: Confirmations;
  /** Calls one by one, for frameworks that hand them over like that. */
  readonly calls: GateCalls;
}
