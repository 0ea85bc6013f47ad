import type { DecisionUsage, SelectionRule } from '../decision/port.ts';

/** `src/select` decides which tools a model sees. It imports core, schema, text, index, catalog, decision, search and relevance; never confirm. */

/**
 * Why a tool was kept or left out.
 * Kept: `always` (marked so), `included` (named in `alwaysInclude`), `direct` (given to the gate itself), `called` (in the
 * messages), `found` (by a search), `shown` (shown before, list is append-only), `forced` (by the tool choice), `pending` (a call waits),
 * `score` (by its probability), `kept-unasked` (no question was put: few tools, no text, no shortlist place but room),
 * `fallback` (the question failed or was refused), `shadow` (would have been left out).
 * Left out: `score`, `shortlist`, `budget`, `evicted`, `fallback`.
 */
export type SelectionReason =
  | 'always'
  | 'included'
  | 'direct'
  | 'called'
  | 'found'
  | 'shown'
  | 'forced'
  | 'pending'
  | 'score'
  | 'kept-unasked'
  | 'fallback'
  | 'shadow'
  | 'shortlist'
  | 'budget'
  | 'evicted';

/** One tool of the catalogue in a selection. */
export interface SelectionEntry {
  readonly name: string;
  readonly kept: boolean;
  readonly reason: SelectionReason;
  /** Of being useful in this conversation; absent when no question was put or answered. */
  readonly probability?: number | undefined;
  /** Estimated size of the definition in a prompt. */
  readonly tokens: number;
}

/** What was decided and how. Entries stand in the catalogue's order. */
export interface SelectionReport {
  readonly entries: readonly SelectionEntry[];
  /** `select`: asked; `skip`: passed all without asking; `shadow`: asked, passed all; `fallback`: could not ask at all. */
  readonly mode: 'select' | 'skip' | 'shadow' | 'fallback';
  /** In one sentence, for people: why this mode, what was cut, what was unusual. */
  readonly notes: readonly string[];
  readonly rule?: SelectionRule | undefined;
  readonly model?: { readonly provider: string; readonly modelId: string } | undefined;
  readonly usage?: DecisionUsage | undefined;
  /** Questions put, and how many of them failed or were refused. */
  readonly asked: number;
  readonly failed: number;
  readonly requests: number;
  readonly cached: boolean;
  /** True when something had to fall back. */
  readonly degraded: boolean;
  readonly durationMs: number;
  readonly tokens: { readonly all: number; readonly shown: number };
}
