import type { SelectionRule } from '../../decision/port.ts';
import type { Message } from '../../core/message.ts';
import type { ToolDefinition } from '../../core/tool.ts';

/**
 * `src/eval/scorers` makes the measured ways of ranking tools: one small file each around the part that ships. It
 * imports the parts it measures, and the port in this file.
 */

/** What is to be ranked. */
export interface ScoreRequest {
  /** The conversation, or its last user message alone; at least one message. */
  readonly messages: readonly Message[];
  /** Positions of the tools that count; absent: all. The other scores are not looked at. */
  readonly candidates?: readonly number[] | undefined;
  readonly signal: AbortSignal;
}

/** A score for every tool of the catalogue, by its position. */
export interface ScoreResult {
  /** Higher is better. `-Infinity`: the tool was not found; it takes no rank. Equal scores keep the catalogue's order. */
  readonly scores: ArrayLike<number>;
  /** Of being useful, 0 to 1, where the scorer knows it. Needed for calibration and for selection by a rule. */
  readonly probabilities?: ArrayLike<number> | undefined;
  /** By which "nothing is needed" is judged, from the highest one. Default: the probabilities, else the scores. */
  readonly evidence?: ArrayLike<number> | undefined;
}

/** Ranks the tools of one catalogue. Must give the same result for the same request. */
export interface Scorer {
  readonly name: string;
  /** What exactly was measured, where there are versions: of weights, of a model. */
  readonly version?: string | undefined;
  /** How probabilities become a selection, where the scorer gives some. */
  readonly rule?: SelectionRule | undefined;
  score(request: ScoreRequest): ScoreResult | Promise<ScoreResult>;
}

/** What a scorer module exports as `createScorer`. Called once for each set. */
export type CreateScorer = (tools: readonly ToolDefinition[]) => Scorer | Promise<Scorer>;
