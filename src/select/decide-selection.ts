import { ToolgateError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Message } from '../core/message.ts';
import { messageText } from '../core/message.ts';
import type { Span } from '../core/telemetry.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { askAboutTools } from '../decision/ask-about-tools.ts';
import type { AskFailure } from '../decision/ask-about-tools.ts';
import { conversationWindow, currentUserMessage } from '../decision/conversation-input.ts';
import { fitInput } from '../decision/fit-input.ts';
import type { YesNoQuestion } from '../decision/port.ts';
import { addUsage } from '../decision/usage.ts';
import { rankByChoice } from './choice-ranking.ts';
import { lookUpDecision, storeDecision } from './cached-decision.ts';
import { fingerprintTools, selectionCacheKey } from './selection-cache.ts';
import type { CachedDecision } from './selection-cache.ts';
import type { ResolvedSelectionOptions } from './select-options.ts';
import type { SelectToolsRequest } from './select-tools.ts';
import type { SelectionDraft } from './selection.ts';
import { settle } from './selection.ts';
import { applySelectionRule } from './selection-rule.ts';
import type { SharedCalls } from './shared-calls.ts';
import { quietly } from './report-selection.ts';
import { raceSignal } from './race-signal.ts';
import { shortlistedPositions } from './shortlist.ts';

/** Everything that a decision about tools needs, made once for each selection. */
export interface SelectionQuestions {
  /** Positions in the draft of the tools asked about. */
  readonly asked: readonly number[];
  readonly tools: readonly ToolDefinition[];
  readonly questions: readonly YesNoQuestion[];
  readonly window: readonly Message[];
  readonly input: JsonObject;
  readonly inputBytes: number;
}

/** What came back: by position among the tools asked about. */
export interface SelectionScores {
  readonly probabilities: ArrayLike<number>;
  readonly failures: readonly AskFailure[];
  /** Only for a choice: positions worth keeping, best first. What is not in it and has no probability was left out on the way. */
  readonly order?: readonly number[] | undefined;
}

/** What belongs to one run of a selection. */
export interface SelectionRun {
  /** Aborted by the caller or when the time is up. */
  readonly signal: AbortSignal;
  readonly shared: SharedCalls<CachedDecision>;
  readonly span: Span | undefined;
}

/** Asks the decision model about the candidates and settles each of them in the draft. May throw whatever a stranger's code throws. */
export async function decideSelection(
  draft: SelectionDraft,
  candidates: readonly number[],
  request: SelectToolsRequest,
  options: ResolvedSelectionOptions,
  run: SelectionRun,
): Promise<void> {
  const { signal, shared, span } = run;
  const window = conversationWindow(request, options);
  const asked = await shortlist(draft, candidates, window, options, signal);
  const prepared = prepare(draft, asked, window, request, options);
  draft.asked = asked.length;
  if (options.recordInput) quietly(() => span?.set({ 'toolgate.selection.input': JSON.stringify(prepared.input) }));
  const scores = await scoreWithCache(draft, prepared, request, options, signal, shared);
  settleScores(draft, prepared, scores, options);
}

async function shortlist(
  draft: SelectionDraft,
  candidates: readonly number[],
  window: readonly Message[],
  options: ResolvedSelectionOptions,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const size = options.shortlist?.size ?? 100;
  if (options.shortlist === undefined || candidates.length <= size) return candidates;
  const tools = candidates.map((position) => draft.tools[position] as ToolDefinition);
  const query = window
    .filter((message) => message.role === 'user')
    .map((message) => messageText(message))
    .join('\n')
    .slice(-4000);
  let chosen: readonly number[];
  try {
    const { shortlist: list } = options;
    const ranking = await raceSignal(() => list.rank(tools, query, { signal }), signal);
    chosen = shortlistedPositions(tools, query, ranking, size);
  } catch (error) {
    if (signal.aborted) throw error;
    draft.degraded = true;
    draft.notes.push('The shortlist failed, so every tool is asked about.');
    return candidates;
  }
  const asked = chosen.map((position) => candidates[position] as number);
  const left = new Set(asked);
  for (const position of candidates) if (!left.has(position)) settle(draft, position, false, 'shortlist');
  draft.notes.push(
    `Of ${candidates.length} tools ${asked.length} are on the shortlist; the others were not asked about.`,
  );
  return asked;
}

function prepare(
  draft: SelectionDraft,
  asked: readonly number[],
  window: readonly Message[],
  request: SelectToolsRequest,
  options: ResolvedSelectionOptions,
): SelectionQuestions {
  const { tools, questions, longest } = options.questionLists(
    asked.length === draft.tools.length
      ? draft.tools
      : asked.map((position) => draft.tools[position] as ToolDefinition),
  );
  const limits = options.model.limits ?? {};
  const fitted = fitInput(window, currentUserMessage(request), options.maxMessageLength, limits, longest);
  if (fitted.cut) draft.notes.push('The conversation was shortened to what the decision model takes.');
  return { asked, tools, questions, window, input: fitted.input, inputBytes: fitted.bytes };
}

async function scoreWithCache(
  draft: SelectionDraft,
  prepared: SelectionQuestions,
  request: SelectToolsRequest,
  options: ResolvedSelectionOptions,
  signal: AbortSignal,
  shared: SharedCalls<CachedDecision>,
): Promise<SelectionScores> {
  const { cache, model } = options;
  if (cache === undefined) return score(draft, prepared, options, signal);
  const key = selectionCacheKey({
    principal: request.principal,
    input: prepared.input,
    tools: request.toolsFingerprint ?? fingerprintTools(draft.tools),
    asked: prepared.asked,
    model: { provider: model.provider, modelId: model.modelId },
    template: options.templateText,
    ranking: options.ranking,
  });
  const known = await lookUpDecision(cache, key, prepared.asked.length, signal, options.logger);
  if (known !== undefined) {
    draft.cached = true;
    draft.modelId = known.modelId;
    return fromCache(known);
  }
  let own: SelectionScores | undefined;
  const decision = await shared.join(key, signal, async (sharedSignal) => {
    own = await score(draft, prepared, options, sharedSignal);
    const made: CachedDecision = {
      probabilities: Array.from(own.probabilities, (probability) => (Number.isNaN(probability) ? null : probability)),
      order: own.order,
      modelId: draft.modelId,
    };
    // Only what is whole is worth keeping: a failure may be over the next time.
    if (own.failures.length === 0) storeDecision(cache, key, made, options.logger);
    return made;
  });
  if (own !== undefined) return own;
  draft.modelId = decision.modelId;
  draft.cached = true;
  const scores = fromCache(decision);
  return decision.order === undefined ? withMissing(scores, model) : scores;
}

async function score(
  draft: SelectionDraft,
  prepared: SelectionQuestions,
  options: ResolvedSelectionOptions,
  signal: AbortSignal,
): Promise<SelectionScores> {
  const context = { messages: prepared.window, catalogue: draft.tools };
  if (options.ranking === 'choice') {
    const ranked = await rankByChoice(prepared, context, options, signal);
    count(draft, ranked);
    return ranked;
  }
  const { questions, input, inputBytes } = prepared;
  const answers = await askAboutTools(
    options.model,
    { input, inputBytes, questions, context },
    { maxPerRequest: options.maxPerRequest, maxParallel: options.maxParallel, signal },
  );
  count(draft, answers);
  return answers;
}

function count(
  draft: SelectionDraft,
  made: Pick<Awaited<ReturnType<typeof askAboutTools>>, 'requests' | 'modelId' | 'usage'>,
): void {
  draft.requests += made.requests;
  draft.modelId = made.modelId ?? draft.modelId;
  draft.usage = addUsage(draft.usage, made.usage);
}

function settleScores(
  draft: SelectionDraft,
  prepared: SelectionQuestions,
  scores: SelectionScores,
  options: ResolvedSelectionOptions,
): void {
  const { asked } = prepared;
  settleFailures(draft, asked, scores.failures, options);
  const kept =
    scores.order === undefined
      ? applySelectionRule(options.rule, scores.probabilities, options.maxTools)
      : keepOrdered(asked.length, scores.order, options.maxTools);
  let any = false;
  asked.forEach((position, index) => {
    const probability = scores.probabilities[index] as number;
    if (draft.reasons[position] !== undefined) return;
    draft.probabilities[position] = probability;
    const keep = kept[index] === true;
    any ||= keep;
    settle(draft, position, keep, keep || !Number.isNaN(probability) ? 'score' : 'shortlist');
  });
  if (!any && scores.failures.length === 0) draft.notes.push('No tool fits this conversation.');
}

function keepOrdered(count: number, order: readonly number[], maxTools: number | undefined): readonly boolean[] {
  const kept: boolean[] = [];
  for (let position = 0; position < count; position += 1) kept.push(false);
  for (const position of order.slice(0, maxTools)) kept[position] = true;
  return kept;
}

function settleFailures(
  draft: SelectionDraft,
  asked: readonly number[],
  failures: readonly AskFailure[],
  options: ResolvedSelectionOptions,
): void {
  if (failures.length === 0) return;
  const messages = [...new Set(failures.map((failure) => failure.error.message))];
  if (options.fallback === 'fail') {
    throw new ToolgateError('selection-failed', `The tools could not be selected: ${messages.join(' ')}`, {
      data: { failures: messages },
      cause: failures[0]?.error,
    });
  }
  const kept = options.fallback === 'all-tools';
  let failed = 0;
  for (const failure of failures) {
    for (const index of failure.positions) {
      const position = asked[index] as number;
      if (draft.reasons[position] !== undefined) continue;
      settle(draft, position, kept, 'fallback');
      failed += 1;
    }
  }
  draft.failed = failed;
  draft.degraded = true;
  if (failed === 0) {
    draft.notes.push(`The tools could be judged but not compared: ${messages.slice(0, 3).join(' ')}`);
    return;
  }
  if (failed === asked.length) draft.mode = 'fallback';
  const what =
    failed === asked.length
      ? kept
        ? 'all tools'
        : 'only the always included tools'
      : `${failed} of ${asked.length} tools`;
  const verb = failed === asked.length ? 'are passed on' : kept ? 'are passed on unjudged' : 'are left out unjudged';
  draft.notes.push(`Failed to select tools, ${what} ${verb}: ${messages.slice(0, 3).join(' ')}`);
}

function fromCache(known: CachedDecision): SelectionScores {
  return {
    probabilities: known.probabilities.map((probability) => probability ?? Number.NaN),
    failures: [],
    order: known.order,
  };
}

/** A joined call may have been incomplete: what has no probability failed for us as it did for the one who asked. */
function withMissing(scores: SelectionScores, model: ResolvedSelectionOptions['model']): SelectionScores {
  const positions: number[] = [];
  for (let index = 0; index < scores.probabilities.length; index += 1) {
    if (Number.isNaN(scores.probabilities[index] as number)) positions.push(index);
  }
  if (positions.length === 0) return scores;
  const error = new ToolgateError(
    'decision-model-failed',
    `The decision model of ${model.provider} gave no answer to an equal request made at the same time.`,
    {
      data: { provider: model.provider, retryable: false },
    },
  );
  return { ...scores, failures: [{ kind: 'failed', positions, error }] };
}
