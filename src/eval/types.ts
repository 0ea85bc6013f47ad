import type { Message } from '../core/message.ts';
import type { ToolDefinition } from '../core/tool.ts';

/**
 * `src/eval` measures how well tools are found and selected on labelled cases, and reports it. It imports everything
 * below the gate (`core` to `select`) and Node's own modules; nothing but the program and a user's scripts import it.
 */

/** One tool of an evaluation set. */
export interface EvaluationTool {
  /** Unique within the set; cases refer to it. */
  readonly id: string;
  /** What scorers see. Its name is made unique within the set: the second tool of one name gets the ending `_2`. */
  readonly definition: ToolDefinition;
  /** Estimated size of the definition in a prompt. */
  readonly tokens: number;
}

/** A conversation and the tools that are useful after its last message. */
export interface EvaluationCase {
  /** Unique within the set. */
  readonly id: string;
  /** A free word that groups cases, for example `single` or `closing`. */
  readonly kind: string;
  /** At least one; the last user message is what was asked. */
  readonly messages: readonly Message[];
  /** Ids of the useful tools. Empty exactly when `irrelevant` is true. */
  readonly relevant: readonly string[];
  /** No tool fits: none of `candidates` where the case has some, else none of the whole catalogue. */
  readonly irrelevant: boolean;
  /** The case's own list of tools. Counts only where no tool fits. */
  readonly candidates?: readonly string[] | undefined;
  /** By useful tool, other tools that are equally good answers. */
  readonly alternatives: ReadonlyMap<string, readonly string[]>;
}

/** A catalogue and cases over it. */
export interface EvaluationSet {
  readonly name: string;
  readonly tools: readonly EvaluationTool[];
  readonly cases: readonly EvaluationCase[];
  /** Position in `tools` by id. */
  readonly positions: ReadonlyMap<string, number>;
}
