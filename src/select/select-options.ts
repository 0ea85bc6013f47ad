import type { Clock } from '../core/clock.ts';
import { ToolgateError } from '../core/errors.ts';
import { silentLogger } from '../core/logger.ts';
import type { Logger } from '../core/logger.ts';
import type { Message } from '../core/message.ts';
import { noTelemetry } from '../core/telemetry.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { DecisionModelListener } from '../decision/listeners.ts';
import { listenTo } from '../decision/listeners.ts';
import type { DecisionModel, SelectionRule } from '../decision/port.ts';
import { createQuestionTemplate } from '../decision/question-template.ts';
import { systemClock } from '../core/system.ts';
import { createQuestionLists } from './question-lists.ts';
import type { QuestionLists } from './question-lists.ts';
import type { SelectionCache } from './selection-cache.ts';
import { defaultSelectionRule } from './selection-rule.ts';
import type { Shortlist } from './shortlist.ts';
import type { SelectionReport } from './types.ts';

/**
 * What happens to a tool whose question failed: `all-tools` (default) keeps it and warns, `always-included` drops it, `fail` rejects
 * the whole selection. (LangChain4j: `FallbackStrategy`.)
 */
export type FallbackStrategy = 'all-tools' | 'always-included' | 'fail';

/** How tools are selected. Only `decisionModel` is required. */
export interface SelectionOptions {
  /** Gives each tool the probability that it is useful. */
  readonly decisionModel: DecisionModel;
  /** Kept when the probability reaches this, 0 to 1. Default: what the model recommends, else 0.5. Belongs to a pinned version of a model. */
  readonly minProbability?: number | undefined;
  /** Instead of `minProbability`. Only one of the two may be given. */
  readonly rule?: SelectionRule | undefined;
  /** At most this many tools are kept by their probability; tools that pass without a question do not count. Default: no limit. */
  readonly maxTools?: number | undefined;
  /** `{{name}}` required, `{{description}}` and `{{parameters}}` optional. Default: see `defaultQuestionTemplate`. */
  readonly questionTemplate?: string | undefined;
  /** How many of the last messages the model sees; system messages are not counted. At least 1. Default 10. */
  readonly maxMessages?: number | undefined;
  /** Applied to all messages before the last ones are taken. Default: all pass. */
  readonly messageFilter?: ((message: Message) => boolean) | undefined;
  /** Longer messages are cut to this many characters; start and end survive, the cut is marked. At least 1. Default 4,000. */
  readonly maxMessageLength?: number | undefined;
  /** Questions in one request; the conversation goes with every batch. At least 1. Default: the model's own limit. */
  readonly maxToolsPerDecisionRequest?: number | undefined;
  /** Names that pass without a question. Names that no tool has are said in the report. Default: none. */
  readonly alwaysInclude?: readonly string[] | undefined;
  /** Default `all-tools`. */
  readonly fallbackStrategy?: FallbackStrategy | undefined;
  /** Requests at the same time. At least 1. Default 4. */
  readonly maxParallelRequests?: number | undefined;
  /** For the whole selection, in milliseconds, above 0. Default 10,000. What has no answer by then falls back. */
  readonly timeoutMs?: number | undefined;
  /** Narrows a large catalogue before questions are put. Default: none. */
  readonly shortlist?: Shortlist | undefined;
  /** Below this many tools to ask about nothing is asked and all pass. Default 0: always asked. */
  readonly minTools?: number | undefined;
  /** Below this many tokens of tools to ask about nothing is asked and all pass. Default 0: always asked. */
  readonly minTokens?: number | undefined;
  /** Keeps answers, never across principals. Default: none. */
  readonly cache?: SelectionCache | undefined;
  /** `shadow` decides and reports, but passes everything. Default `select`. */
  readonly mode?: 'select' | 'shadow' | undefined;
  /**
   * `yes-no` (default): one question for each tool. `choice`: tools are ordered by choosing among them, in chunks and a final round with a
   * "none" option, and each finalist is gated by a yes/no question; without a rule of the user's at 0.3.
   */
  readonly ranking?: 'yes-no' | 'choice' | undefined;
  /** Told of each selection. What it throws is logged and changes nothing. */
  readonly onSelection?: ((report: SelectionReport) => void) | undefined;
  /** Told of each request to the model. What they throw is logged and changes nothing. */
  readonly listeners?: readonly DecisionModelListener[] | undefined;
  /** Warned when something falls back. Default: silent. */
  readonly logger?: Logger | undefined;
  readonly telemetry?: Telemetry | undefined;
  /** Puts what the decision model was shown on the span. Default false: no message text leaves the process this way. */
  readonly recordInput?: boolean | undefined;
  readonly clock?: Clock | undefined;
}

/** Options checked and with their defaults. */
export interface ResolvedSelectionOptions {
  readonly model: DecisionModel;
  readonly rule: SelectionRule;
  readonly maxTools: number | undefined;
  readonly questionLists: QuestionLists;
  readonly templateText: string;
  readonly maxMessages: number;
  readonly messageFilter: ((message: Message) => boolean) | undefined;
  readonly maxMessageLength: number;
  readonly maxPerRequest: number | undefined;
  readonly alwaysInclude: ReadonlySet<string>;
  readonly fallback: FallbackStrategy;
  readonly maxParallel: number;
  readonly timeoutMs: number;
  readonly shortlist: Shortlist | undefined;
  readonly minTools: number;
  readonly minTokens: number;
  readonly cache: SelectionCache | undefined;
  readonly mode: 'select' | 'shadow';
  readonly ranking: 'yes-no' | 'choice';
  readonly onSelection: ((report: SelectionReport) => void) | undefined;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly recordInput: boolean;
  readonly clock: Clock;
}

/**
 * The rule of `ranking: 'choice'` when the user sets none. There the order does most of the work, and a gate at a half would cost more good tools
 * than it keeps bad ones out (published measurements of tool selection by choice).
 */
const gentleGate: SelectionRule = { minProbability: 0.3 };

/** Checks options; throws `invalid-option` for the first that is wrong. */
export function resolveSelectionOptions(options: SelectionOptions): ResolvedSelectionOptions {
  const { decisionModel, minProbability, rule } = options;
  if (typeof decisionModel?.decide !== 'function') throw wrong('decisionModel', 'a decision model is required');
  if (minProbability !== undefined && rule !== undefined)
    throw wrong('rule', 'give either minProbability or rule, not both');
  if (minProbability !== undefined) probability('minProbability', minProbability);
  if (rule !== undefined) checkRule(rule);
  const logger = options.logger ?? silentLogger;
  const own = rule ?? (minProbability === undefined ? undefined : { minProbability });
  return {
    model: listenTo(decisionModel, options.listeners ?? [], logger),
    rule: own ?? (options.ranking === 'choice' ? gentleGate : (recommendedRule(decisionModel) ?? defaultSelectionRule)),
    maxTools: atLeast('maxTools', options.maxTools, 1),
    questionLists: createQuestionLists(createQuestionTemplate(options.questionTemplate), decisionModel.limits ?? {}),
    templateText: options.questionTemplate ?? '',
    maxMessages: atLeast('maxMessages', options.maxMessages, 1) ?? 10,
    messageFilter: options.messageFilter,
    maxMessageLength: atLeast('maxMessageLength', options.maxMessageLength, 1) ?? 4000,
    maxPerRequest: atLeast('maxToolsPerDecisionRequest', options.maxToolsPerDecisionRequest, 1),
    alwaysInclude: new Set(options.alwaysInclude ?? []),
    fallback: fallbackOf(options),
    maxParallel: atLeast('maxParallelRequests', options.maxParallelRequests, 1) ?? 4,
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 10_000),
    shortlist: options.shortlist,
    minTools: atLeast('minTools', options.minTools, 0) ?? 0,
    minTokens: atLeast('minTokens', options.minTokens, 0) ?? 0,
    cache: options.cache,
    mode: oneOf('mode', options.mode ?? 'select', ['select', 'shadow']),
    ranking: oneOf('ranking', options.ranking ?? 'yes-no', ['yes-no', 'choice']),
    onSelection: options.onSelection,
    logger,
    telemetry: options.telemetry ?? noTelemetry,
    recordInput: options.recordInput ?? false,
    clock: options.clock ?? systemClock,
  };
}

/** In shadow mode everything passes, so there is nothing to reject. */
function fallbackOf({ fallbackStrategy = 'all-tools', mode }: SelectionOptions): FallbackStrategy {
  oneOf('fallbackStrategy', fallbackStrategy, ['all-tools', 'always-included', 'fail']);
  return mode === 'shadow' && fallbackStrategy === 'fail' ? 'always-included' : fallbackStrategy;
}

/** A model's recommendation, when it is usable: a stranger's number must not break the selection. */
function recommendedRule(model: DecisionModel): SelectionRule | undefined {
  try {
    if (model.recommended === undefined) return undefined;
    checkRule(model.recommended);
    return model.recommended;
  } catch {
    return undefined;
  }
}

function checkRule(rule: SelectionRule): void {
  if ('minProbability' in rule) {
    probability('rule.minProbability', rule.minProbability);
    return;
  }
  const { expectedRecall, maxTools, minProbability } = rule.keep;
  if (!(expectedRecall > 0 && expectedRecall <= 1))
    throw wrong('rule.keep.expectedRecall', 'it must be above 0 and at most 1');
  atLeast('rule.keep.maxTools', maxTools, 1);
  if (minProbability !== undefined) probability('rule.keep.minProbability', minProbability);
}

function probability(option: string, value: number): void {
  if (!(typeof value === 'number' && value >= 0 && value <= 1)) throw wrong(option, 'it must be from 0 to 1');
}

function atLeast(option: string, value: number | undefined, least: number): number | undefined {
  if (value !== undefined && !(Number.isInteger(value) && value >= least)) {
    throw wrong(option, `it must be a whole number of at least ${least}`);
  }
  return value;
}

function positive(option: string, value: number): number {
  if (!(value > 0)) throw wrong(option, 'it must be above 0');
  return value;
}

function oneOf<Value extends string>(option: string, value: Value, allowed: readonly Value[]): Value {
  if (!allowed.includes(value)) throw wrong(option, `it must be one of ${allowed.join(', ')}`);
  return value;
}

function wrong(option: string, problem: string): ToolgateError {
  return new ToolgateError('invalid-option', `The selection option ${option} cannot be used: ${problem}.`, {
    data: { option },
  });
}
