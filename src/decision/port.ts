import type { JsonValue } from '../core/json.ts';
import type { Message } from '../core/message.ts';
import type { ToolDefinition } from '../core/tool.ts';

/** `src/decision` is the port to decision models and what is common to all of them. It imports core only and knows no vendor. */

/** A question that is answered with a probability for each possible answer. */
export type Question = YesNoQuestion | ChoiceQuestion | ScaleQuestion;

export interface YesNoQuestion {
  readonly type: 'yes-no';
  readonly text: string;
  /** When the answer is yes, in words. */
  readonly yesWhen?: string | undefined;
  readonly noWhen?: string | undefined;
  /** What the question is about, for models in this process. Never goes on a wire. */
  readonly about?: { readonly tool: ToolDefinition } | undefined;
}

export interface ChoiceQuestion {
  readonly type: 'choice';
  readonly text: string;
  /** At least two; a name and its description or null. */
  readonly options: Readonly<Record<string, string | null>>;
  /** The tools behind the options, for models in this process. Never goes on a wire. */
  readonly about?: { readonly tools: Readonly<Record<string, ToolDefinition>> } | undefined;
}

export interface ScaleQuestion {
  readonly type: 'scale';
  readonly text: string;
  /** Lowest first, at least two; indexes count from 0. */
  readonly levels: readonly { readonly label: string; readonly description?: string | undefined }[];
}

/** An input and the questions about it. */
export interface DecisionRequest {
  /** A text that is not blank, or JSON. */
  readonly input: string | JsonValue;
  /** At least one. Ids are the caller's and positional where tools are meant, so that tool names never become keys. */
  readonly questions: Readonly<Record<string, Question>>;
  /** For models in this process. Never goes on a wire. */
  readonly context?: DecisionContext | undefined;
}

export interface DecisionContext {
  readonly messages: readonly Message[];
  /** All tools among which is being chosen; more than the questions are about. */
  readonly catalogue: readonly ToolDefinition[];
}

export type Answer = YesNoAnswer | ChoiceAnswer | ScaleAnswer | RefusalAnswer;

export interface YesNoAnswer {
  readonly type: 'yes-no';
  /** Of yes, 0 to 1. */
  readonly probability: number;
}

export interface ChoiceAnswer {
  readonly type: 'choice';
  /** One of the question's options. */
  readonly value: string;
  /** By option, as far as reported. */
  readonly probabilities: Readonly<Record<string, number>>;
  /** The model's own measure, 0 to 1; not comparable between models. */
  readonly confidence?: number | undefined;
}

export interface ScaleAnswer {
  readonly type: 'scale';
  /** 0 to the number of levels minus 1. */
  readonly mean: number;
  /** By level, lowest first; empty when not reported. */
  readonly probabilities: readonly number[];
  readonly confidence?: number | undefined;
}

/** The model would not answer this question; the others stand. */
export interface RefusalAnswer {
  readonly type: 'refusal';
}

/** Tokens, where the model counts them. */
export interface DecisionUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

export interface DecisionResponse {
  /** One for each question, under the question's id. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** The exact version that answered, where known. Thresholds belong to it. */
  readonly modelId?: string | undefined;
  readonly usage?: DecisionUsage | undefined;
}

/** What one request may hold. Requests are cut to fit before they are sent. */
export interface DecisionModelLimits {
  readonly maxQuestions?: number | undefined;
  readonly maxOptions?: number | undefined;
  /** UTF-8 bytes of the request's body. */
  readonly maxRequestBytes?: number | undefined;
  /** Tokens of input and the longest question together, estimated. */
  readonly maxInputTokens?: number | undefined;
}

/** How probabilities become a selection. */
export type SelectionRule =
  | { readonly minProbability: number }
  | {
      readonly keep: {
        /** Keep the most probable until they hold this share of the expected useful tools, above 0 to 1. */
        readonly expectedRecall: number;
        /** At most this many. */
        readonly maxTools?: number | undefined;
        /** Never one below this. */
        readonly minProbability?: number | undefined;
      };
    };

/** Answers questions about an input with probabilities. (LangChain4j: `DecisionModel`.) */
export interface DecisionModel {
  readonly provider: string;
  readonly modelId: string;
  readonly limits?: DecisionModelLimits | undefined;
  /** `none`: takes any number of questions at once, and wants to see them all. */
  readonly batching?: 'none' | undefined;
  /** What its maker recommends when the user sets nothing. */
  readonly recommended?: SelectionRule | undefined;
  decide(request: DecisionRequest, options: { readonly signal: AbortSignal }): Promise<DecisionResponse>;
}
