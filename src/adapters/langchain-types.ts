import type { Decision } from '../core/decision.ts';

/**
 * What is used of LangChain.js, by shape: nothing is imported from it, so that the package loads and type-checks without it.
 */

/** A message of `@langchain/core`. */
export interface LangchainMessage {
  readonly content: unknown;
  id?: string | undefined;
  readonly name?: string | undefined;
  readonly tool_calls?: LangchainToolCall[] | undefined;
  readonly invalid_tool_calls?: LangchainInvalidToolCall[] | undefined;
  /** Of a reply that came in pieces: the calls as the model wrote them. */
  readonly tool_call_chunks?: readonly LangchainInvalidToolCall[] | undefined;
  readonly tool_call_id?: string | undefined;
  readonly status?: string | undefined;
  readonly artifact?: unknown;
  getType(): string;
}

export interface LangchainToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string | undefined;
  readonly type?: 'tool_call';
}

/** A call whose arguments are no JSON; LangChain keeps it beside the others. */
export interface LangchainInvalidToolCall {
  readonly name?: string | undefined;
  readonly args?: string | undefined;
  readonly id?: string | undefined;
}

/** A tool, of LangChain (then it has `invoke`) or as plain definition. */
export interface LangchainTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  invoke?(input: unknown, config?: unknown): unknown;
}

/** What hooks are told about the run. */
export interface LangchainRuntime {
  readonly context?: unknown;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly interrupt?: ((value: never) => unknown) | undefined;
}

export interface LangchainState {
  readonly messages: readonly LangchainMessage[];
}

export interface LangchainModelRequest {
  readonly messages: readonly LangchainMessage[];
  readonly systemMessage?: LangchainMessage | undefined;
  readonly tools: readonly unknown[];
  readonly toolChoice?: unknown;
  readonly state: LangchainState;
  readonly runtime: LangchainRuntime;
}

export interface LangchainToolCallRequest {
  readonly toolCall: LangchainToolCall;
  readonly tool?: unknown;
  readonly state: LangchainState;
  readonly runtime: LangchainRuntime;
}

/** A call that waits, as an interrupt shows it. */
export interface WaitingToolCall {
  /** `<ordinal>.<toolCallId>` within the reply: unique also when ids repeat. Decisions go by it. */
  readonly key: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** As the model proposed them. */
  readonly arguments: unknown;
  /** Where the store keeps it: what an inbox decides about. */
  readonly pause?: { readonly id: string; readonly key: string; readonly expiresAt?: number | null };
}

/** The value of an interrupt that asks for decisions: every call of the reply that waits. */
export interface ToolgateInterrupt {
  readonly type: 'toolgate';
  readonly calls: readonly WaitingToolCall[];
}

/** What a resumption says: decisions by key, or nothing when they stand in the store. */
export interface ToolgateResume {
  readonly decisions?: Readonly<Record<string, Decision>> | undefined;
  /**
   * By key, the pauses that the decisions are about. LangGraph gives every earlier answer again when it starts a task anew, and a call whose tool
   * has changed waits in another pause by then. Decisions that name no pause count only where nothing was asked again.
   */
  readonly pauses?: Readonly<Record<string, string>> | undefined;
}
