/** `toolgate/eval`: measures on labelled cases how well tools are found and selected, and reports it. Node only. */
export type { EvaluationCase, EvaluationSet, EvaluationTool } from './types.ts';
export { loadEvaluationSet, loadEvaluationTools } from './load-evaluation-set.ts';
export { DEFAULT_SAMPLE, runEvaluation } from './run-evaluation.ts';
export type { EvaluationOptions, EvaluationOutcome } from './run-evaluation.ts';
export { LOWER_IS_BETTER, METRIC_NAMES } from './run-types.ts';
export type {
  Curves,
  EvaluationRun,
  LatencySummary,
  MetricName,
  Metrics,
  Miss,
  PerCase,
  SelectionSummary,
  SetResult,
} from './run-types.ts';
export type { CreateScorer, ScoreRequest, ScoreResult, Scorer } from './scorers/scorer.ts';
export { createSimpleScorer } from './scorers/simple-scorer.ts';
export { createDecisionModelScorer } from './scorers/decision-model-scorer.ts';
export { weightedTurns } from './scorers/turns.ts';
export type { WeightedTurn } from './scorers/turns.ts';
export { completeAt, lenientRecallAt, ndcgAt, recallAt } from './metrics/ranking.ts';
export { brierScore, expectedCalibrationError, reliabilityBins } from './metrics/calibration.ts';
export type { Prediction, ReliabilityBin } from './metrics/calibration.ts';
export { auroc } from './metrics/auroc.ts';
export { bootstrapValues, meanOf, percentileInterval } from './metrics/bootstrap.ts';
export type { BootstrapOptions, Interval } from './metrics/bootstrap.ts';
export { comparePaired } from './metrics/paired-comparison.ts';
export type { PairedComparison } from './metrics/paired-comparison.ts';
