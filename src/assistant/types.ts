import type { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { PauseReference } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolChoice, ToolGate } from '../gate/types.ts';
import type { SelectionReport } from '../select/types.ts';
import type { ModelUsage } from './call-model.ts';
import type { AssistantMemory } from './memory.ts';

/** A language model of the AI SDK (any version of its interface), as far as it is looked at here; or the id of one. */
export type AssistantModel =
  | string
  | { readonly specificationVersion: string; readonly provider: string; readonly modelId: string };

export interface AssistantOptions {
  /** Any language model of the AI SDK, or the id of one. */
  readonly model: AssistantModel;
  readonly gate: ToolGate;
  /** Default: in this process. */
  readonly memory?: AssistantMemory;
  readonly system?: string;
  /** How often the model may be called for one message. 1 to 1,000, default 100. More is the error `round-limit`. */
  readonly maxRounds?: number;
  /** How often one call of the model is tried again after a passing fault. Default 2. */
  readonly maxRetries?: number;
}

/** For one message. */
export interface SendOptions {
  /** Whose memory to use, together with `principal`. Absent: no memory, and no store may be set. */
  readonly conversation?: string;
  readonly principal?: Principal;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly toolChoice?: ToolChoice;
  /** Before retrieved content was added to the message. */
  readonly originalUserMessage?: Message;
  readonly signal?: AbortSignal;
}

/** For a pause without a store: what the paused response gave, and the decisions. */
export interface StatelessResume {
  /**
   * The conversation up to and without the reply; with a memory it may be left out. Where the memory holds anything else, these
   * messages count and the memory is not written to: then `AssistantResponse.messages` is what to keep.
   */
  readonly messages?: readonly Message[];
  readonly reply: Reply;
  readonly decisions: ToolCallDecisions;
}

/**
 * Why the loop ended.
 * `stop`: the model is done. `awaiting-decision`: calls wait for a person. `returned-directly`: results go to the caller.
 * Anything else is the model's own reason (`length`, `content-filter`, …).
 */
export type AssistantFinishReason = 'stop' | 'awaiting-decision' | 'returned-directly' | (string & {});

export interface AssistantResponse {
  /** The model's last words. Empty when calls wait or results return directly. */
  readonly text: string;
  /** The last reply as the model gave it; while calls wait it is not in the conversation yet. */
  readonly reply: Reply;
  readonly finishReason: AssistantFinishReason;
  /** Holds the keys of the calls that wait under `ToolCallDecisions.AWAITING_DECISION_METADATA_KEY`. */
  readonly metadata: JsonObject;
  readonly pause: PauseReference | undefined;
  /** Every call that was settled for this message, oldest first. */
  readonly outcomes: readonly Outcome[];
  /** What was added to the conversation. */
  readonly messages: readonly Message[];
  /** One for each call of the model. */
  readonly reports: readonly SelectionReport[];
  readonly usage: ModelUsage;
}

/** What happens while a message is answered, in order. `paused` and `finished` are last, and one of them always comes. */
export type AssistantEvent =
  | { readonly type: 'selection'; readonly report: SelectionReport }
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reply'; readonly reply: Reply }
  | { readonly type: 'outcome'; readonly outcome: Outcome }
  | {
      readonly type: 'paused';
      readonly finishReason: 'awaiting-decision';
      readonly toolCallIds: readonly string[];
      readonly response: AssistantResponse;
    }
  | { readonly type: 'finished'; readonly finishReason: AssistantFinishReason; readonly response: AssistantResponse };

export interface Assistant {
  /** Answers a message. A new message settles calls that still wait in the conversation as superseded. */
  send(message: string | Message, options?: SendOptions): Promise<AssistantResponse>;
  /** The same, as it happens. A failure is thrown by the iteration. */
  stream(message: string | Message, options?: SendOptions): AsyncIterable<AssistantEvent>;
  /**
   * Goes on after the decisions: by the pause's id in any process that shares the store, or with the reply itself. By id,
   * conversation and principal are those of whoever asked (give the principal where its roles matter); others are refused with
   * `invalid-option` and `not-permitted`.
   */
  resume(pause: string | StatelessResume, options?: SendOptions): Promise<AssistantResponse>;
  resumeStream(pause: string | StatelessResume, options?: SendOptions): AsyncIterable<AssistantEvent>;
}
