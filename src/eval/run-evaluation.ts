import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageText } from '../core/message.ts';
import type { Message } from '../core/message.ts';
import type { SelectionRule } from '../decision/port.ts';
import { judgeCase } from './judge-case.ts';
import type { CaseResult } from './judge-case.ts';
import { mean } from './metrics/quantile.ts';
import type { EvaluationRun, Miss, SelectionSummary, SetResult } from './run-types.ts';
import { sampleCases } from './sample-cases.ts';
import type { CreateScorer } from './scorers/scorer.ts';
import { meanMetrics, round, summarizeSet } from './summarize-set.ts';
import type { MetricSamples } from './summarize-set.ts';
import type { EvaluationCase, EvaluationSet } from './types.ts';

/** At most so many cases of each set are measured unless told otherwise. */
export const DEFAULT_SAMPLE = 2000;

/** Milliseconds after which the run lets other events through. */
const PAUSE_AFTER = 50;

/** What is measured and how. */
export interface EvaluationOptions {
  /** At least one. */
  readonly sets: readonly EvaluationSet[];
  readonly createScorer: CreateScorer;
  /** `conversation`: all messages are scored; `last`: only the last user message. Default `conversation`. */
  readonly window?: 'conversation' | 'last';
  /** At most so many cases of each set, drawn with the seed; null: all. Default 2,000. */
  readonly sample?: number | null;
  /** Default 1. The same seed gives the same samples and intervals. */
  readonly seed?: number;
  /** Overrides what the scorer recommends. */
  readonly rule?: SelectionRule | undefined;
  /** Keeps values of single cases for later comparison. Default true. */
  readonly perCase?: boolean;
  /** Bootstrap resamples. Default 1,000. */
  readonly resamples?: number;
  readonly signal?: AbortSignal;
  /** Monotonic milliseconds. Default `performance.now`. */
  readonly now?: () => number;
  /** Called before the first case of a set and after each. */
  readonly onProgress?: (progress: { readonly set: string; readonly done: number; readonly total: number }) => void;
}

/** A run and the cases in which something needed ranks below ten or was not found, worst first, by set. */
export interface EvaluationOutcome {
  readonly run: EvaluationRun;
  readonly misses: ReadonlyMap<string, readonly Miss[]>;
}

/** Scores every case of every set, one after the other, and sums up. Errors of the scorer are passed on. */
export async function runEvaluation(options: EvaluationOptions): Promise<EvaluationOutcome> {
  const {
    sets,
    window = 'conversation',
    sample = DEFAULT_SAMPLE,
    seed = 1,
    perCase = true,
    resamples = 1000,
  } = options;
  const results: SetResult[] = [];
  const drawn: MetricSamples[] = [];
  const misses = new Map<string, readonly Miss[]>();
  let scorerName = '';
  let version: string | undefined;
  let rule: SelectionRule | null = null;
  for (const set of sets) {
    const measured = await measureSet(set, { ...options, window, sample, seed });
    scorerName = measured.scorer;
    version = measured.version;
    rule = measured.rule ?? null;
    const { summary, samples } = summarizeSet(set.name, measured.cases, { seed, perCase, resamples });
    results.push({
      name: set.name,
      tools: set.tools.length,
      cases_available: set.cases.length,
      ...summary,
      setup_ms: round(measured.setupMilliseconds, 1),
    });
    drawn.push(samples);
    misses.set(set.name, missesOf(set, measured.cases));
  }
  return {
    misses,
    run: {
      format: 'toolgate-eval-1',
      scorer: scorerName,
      ...(version === undefined ? {} : { scorer_version: version }),
      window,
      seed,
      sample,
      rule,
      sets: results,
      mean: {
        metrics: meanMetrics(results, drawn),
        selection: meanSelection(results.map((result) => result.selection)),
        latency_ms: {
          p50: round(mean(results.map((result) => result.latency_ms.p50)), 3),
          p95: round(mean(results.map((result) => result.latency_ms.p95)), 3),
        },
      },
    },
  };
}

interface MeasuredSet {
  readonly scorer: string;
  readonly version: string | undefined;
  readonly rule: SelectionRule | undefined;
  readonly cases: readonly CaseResult[];
  readonly setupMilliseconds: number;
}

async function measureSet(
  set: EvaluationSet,
  options: EvaluationOptions & {
    readonly window: 'conversation' | 'last';
    readonly sample: number | null;
    readonly seed: number;
  },
): Promise<MeasuredSet> {
  const now = options.now ?? (() => performance.now());
  const signal = options.signal ?? new AbortController().signal;
  const chosen = options.sample === null ? set.cases : sampleCases(set.cases, options.sample, set.name, options.seed);
  const setupStart = now();
  const scorer = await options.createScorer(set.tools.map((tool) => tool.definition));
  const setupMilliseconds = now() - setupStart;
  const rule = options.rule ?? scorer.rule;
  const cases: CaseResult[] = [];
  let turn = now();
  options.onProgress?.({ set: set.name, done: 0, total: chosen.length });
  for (const item of chosen) {
    // Scorers seldom wait for anything: without a pause nobody could interrupt the run.
    if (now() - turn > PAUSE_AFTER) {
      await nextTurn();
      turn = now();
    }
    signal.throwIfAborted();
    const messages = options.window === 'last' ? [lastUserMessage(item.messages)] : item.messages;
    const candidates = item.irrelevant ? item.candidates?.map((id) => set.positions.get(id) as number) : undefined;
    const start = now();
    const result = await scorer.score({ messages, candidates, signal });
    const milliseconds = now() - start;
    cases.push(judgeCase(set, item, result, rule, milliseconds));
    options.onProgress?.({ set: set.name, done: cases.length, total: chosen.length });
  }
  return { scorer: scorer.name, version: scorer.version, rule, cases, setupMilliseconds };
}

/** The newest message of the user, or the newest of all where the user said nothing. */
export function lastUserMessage(messages: readonly Message[]): Message {
  return messages.findLast((message) => message.role === 'user') ?? (messages.at(-1) as Message);
}

/** Worst are those with nothing in the first ten, of these the ones found furthest down. */
function badness(result: CaseResult): number {
  const last = Math.max(...result.ranks.map((rank) => Math.min(rank, 1e6)));
  return (1 - (result.ranking?.['ndcg@10'] ?? 0)) * 1e7 + last;
}

function missesOf(set: EvaluationSet, cases: readonly CaseResult[]): readonly Miss[] {
  const byId = new Map<string, EvaluationCase>(set.cases.map((item) => [item.id, item]));
  return cases
    .filter((result) => result.needed && result.ranks.some((rank) => rank > 10))
    .toSorted((left, right) => badness(right) - badness(left))
    .map((result) => {
      const item = byId.get(result.id) as EvaluationCase;
      return {
        id: result.id,
        kind: result.kind,
        query: messageText(lastUserMessage(item.messages)).slice(0, 300),
        needed: item.relevant.map((id, index) => {
          const rank = result.ranks[index] ?? Number.POSITIVE_INFINITY;
          return { id, rank: Number.isFinite(rank) ? rank : null };
        }),
        first: result.top.slice(0, 3).map((position) => set.tools[position]?.id ?? ''),
        'ndcg@10': round(result.ranking?.['ndcg@10'] ?? 0),
      };
    });
}

function meanSelection(selections: readonly SelectionSummary[]): SelectionSummary {
  const of = (key: keyof SelectionSummary): number => round(mean(selections.map((selection) => selection[key])));
  return {
    tools_mean: of('tools_mean'),
    tokens_mean: of('tokens_mean'),
    recall: of('recall'),
    complete: of('complete'),
  };
}
