import { applySelectionRule } from '../src/select/selection-rule.ts';
import { recommendedRule } from '../src/relevance/recommended.ts';
import type { Coefficients } from '../src/relevance/coefficients.ts';
import { featureNames } from '../src/relevance/feature-names.ts';
import type { FeatureName } from '../src/relevance/feature-names.ts';
import { areaUnderCurve, calibrationError, ranked, rankingFigures } from './metrics.ts';
import { logits, width } from './rows.ts';
import type { Rows } from './rows.ts';

/** Figures of one set, from weights that never saw it. Shares in percent, rounded to two digits. */
export interface Report {
  readonly cases: number;
  readonly ndcg10: number;
  readonly hit1: number;
  readonly recall5: number;
  readonly recall10: number;
  /** BM25F of the last message and of the conversation with decay, on the same candidates. */
  readonly lastMessageNdcg10: number;
  readonly conversationNdcg10: number;
  readonly calibrationError: number;
  readonly selectionRecall: number;
  readonly selectionShown: number;
  /** Tools shown where nothing is needed, and the chance that such a case scores below one that needs something. */
  readonly needlessShown?: number;
  /** Share of the cases without a needed tool that are shown any. */
  readonly needlessRate?: number;
  readonly nothingNeededAuroc?: number;
  /** The same within the cases' own candidates. */
  readonly withinCandidatesAuroc?: number;
  readonly multiTurnRecall10?: number;
  readonly predictions: { readonly probabilities: readonly number[]; readonly outcomes: readonly number[] };
}

/** Measures a model on rows. */
export function evaluate(rows: Rows, model: Coefficients): Report {
  const scores = logits(rows, model);
  const ranking = rankingFigures(rows, scores);
  const probabilities: number[] = [];
  const outcomes: number[] = [];
  const needing: number[] = [];
  const free: number[] = [];
  const within: number[] = [];
  let shown = 0;
  let recall = 0;
  let needless = 0;
  let needlessCases = 0;
  for (const [index, one] of rows.cases.entries()) {
    const order = ranked(rows, scores, index);
    const top = scores[order[0]!] ?? -20;
    if (one.relevant.length === 0 && one.candidates !== undefined) {
      const allowed = new Set(one.candidates);
      within.push(Math.max(-20, ...order.filter((row) => allowed.has(rows.ordinals[row]!)).map((row) => scores[row]!)));
      continue;
    }
    const chances = order.map((row) => 1 / (1 + Math.exp(-scores[row]!)));
    const kept = applySelectionRule(recommendedRule, chances);
    const count = kept.filter(Boolean).length;
    for (let place = 0; place < Math.min(10, order.length); place += 1) {
      probabilities.push(chances[place]!);
      outcomes.push(rows.labels[order[place]!]!);
    }
    if (one.relevant.length === 0) {
      free.push(top);
      needless += count;
      if (count > 0) needlessCases += 1;
      continue;
    }
    needing.push(top);
    shown += count;
    recall += order.filter((row, place) => kept[place] === true && rows.labels[row] === 1).length / one.relevant.length;
  }
  const bm25 = (name: FeatureName): number => {
    const column = featureNames.indexOf(name);
    return rankingFigures(
      rows,
      Float64Array.from(rows.labels, (_, row) => rows.features[row * width + column]!),
    ).ndcg10;
  };
  const multiTurn = rows.cases.some((one) => one.kind.startsWith('multi_turn_miss'))
    ? rankingFigures(rows, scores, (index) => rows.cases[index]!.kind.startsWith('multi_turn')).recall10
    : undefined;
  return {
    cases: ranking.cases,
    ndcg10: percent(ranking.ndcg10),
    hit1: percent(ranking.hit1),
    recall5: percent(ranking.recall5),
    recall10: percent(ranking.recall10),
    lastMessageNdcg10: percent(bm25('lastShare')),
    conversationNdcg10: percent(bm25('recentShare')),
    calibrationError: calibrationError({ probabilities, outcomes }),
    selectionRecall: percent(recall / needing.length),
    selectionShown: shown / needing.length,
    ...(free.length < 5
      ? {}
      : {
          needlessShown: needless / free.length,
          needlessRate: percent(needlessCases / free.length),
          nothingNeededAuroc: areaUnderCurve(needing, free),
        }),
    ...(within.length < 5 ? {} : { withinCandidatesAuroc: areaUnderCurve(needing, within) }),
    ...(multiTurn === undefined ? {} : { multiTurnRecall10: percent(multiTurn) }),
    predictions: { probabilities, outcomes },
  };
}

function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
