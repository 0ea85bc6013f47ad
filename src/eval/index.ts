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
export { createHybridScorer, createSimpleScorer, createStrategyScorer } from './scorers/strategy-scorer.ts';
export { createBm25Scorer } from './scorers/bm25-scorer.ts';
export { createDecisionModelScorer } from './scorers/decision-model-scorer.ts';
export { weightedTurns } from './scorers/turns.ts';
export type { WeightedTurn } from './scorers/turns.ts';
export { completeAt, lenientRecallAt, ndcgAt, recallAt } from './metrics/ranking.ts';
export { brierScore, expectedCalibrationError, reliabilityBins } from './metrics/calibration.ts';
export type { Prediction, ReliabilityBin } from './metrics/calibration.ts';
export { SCORER_NAMES, resolveScorer } from './resolve-scorer.ts';
export { compareRuns, readRun } from './compare-runs.ts';
export type { MetricChange, RunComparison, SetComparison } from './compare-runs.ts';
export { terminalReport } from './report/terminal-report.ts';
export { comparisonReport } from './report/comparison-report.ts';
export { missesReport } from './report/misses-report.ts';
export { htmlReport } from './report/html-report.ts';
export type { HtmlReportOptions } from './report/html-report.ts';
export type { CommandIo } from './commands/command-io.ts';
export { runEvalCommand } from './commands/run-eval-command.ts';
export type { EvalCommandOptions } from './commands/eval-options.ts';
export { auroc } from './metrics/auroc.ts';
export { bootstrapValues, meanOf, percentileInterval } from './metrics/bootstrap.ts';
export type { BootstrapOptions, Interval } from './metrics/bootstrap.ts';
export { comparePaired } from './metrics/paired-comparison.ts';
export type { PairedComparison } from './metrics/paired-comparison.ts';
export { runCasesCommand } from './commands/run-cases-command.ts';
export type { CasesCommandOptions } from './commands/run-cases-command.ts';
export { readConversations } from './cases/read-conversations.ts';
export type { RecordedConversation, RecordedTurn } from './cases/recorded-conversation.ts';
export { draftCases } from './cases/draft-cases.ts';
export type { DraftCase } from './cases/draft-cases.ts';
export { labelCases } from './cases/label-cases.ts';
export type { LabelAnswer, LabelQuestion, LabelSummary, LabelledCase } from './cases/label-cases.ts';
