import { isToolgateError, ToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import { hasText } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { Digest } from '../core/digest.ts';
import type { Span } from '../core/telemetry.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { startDeadline } from '../decision/deadline.ts';
import { currentUserMessage } from '../decision/conversation-input.ts';
import { asDecisionModelError } from '../decision/ask-about-tools.ts';
import { decideSelection } from './decide-selection.ts';
import { passUnasked } from './pass-unasked.ts';
import type { PassReason, SelectionToolChoice } from './pass-unasked.ts';
import { quietly, reportSelection, startSelectionSpan } from './report-selection.ts';
import { resolveSelectionOptions } from './select-options.ts';
import type { ResolvedSelectionOptions, SelectionOptions } from './select-options.ts';
import { finishSelection, settle, settleRest, startDraft } from './selection.ts';
import type { Selection, SelectionDraft } from './selection.ts';
import { createSharedCalls } from './shared-calls.ts';
import type { SharedCalls } from './shared-calls.ts';
import type { CachedDecision } from './selection-cache.ts';
import { toolTokens } from './tool-tokens.ts';

/** What tools are selected for. */
export interface SelectToolsRequest {
  /** The conversation so far; may or may not hold `userMessage`. */
  readonly messages: readonly Message[];
  /** The current user message as it goes to the model. */
  readonly userMessage: Message;
  /** The same as the user sent it, before retrieved content or format instructions were added. */
  readonly originalUserMessage?: Message | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Part of the cache's key. */
  readonly principal?: Principal | undefined;
  readonly toolChoice?: SelectionToolChoice | undefined;
  /** Tools that pass without a question, by name, and why. */
  readonly passed?: ReadonlyMap<string, PassReason> | undefined;
  /** Digest of the tools, where it is known already; else it is computed when the cache needs it. */
  readonly toolsFingerprint?: Digest | undefined;
  /** Tokens of the tool at a position, where they are known already. */
  readonly tokensOf?: ((position: number) => number) | undefined;
}

/** Selects tools. Keeps no conversation: two calls with the same arguments ask the same questions. */
export interface ToolSelector {
  /**
   * Rejects with `aborted` when the caller gave up, with `unknown-tool` for a forced tool that is not there, with `selection-failed` when
   * the fallback is `fail`; never because of anything else the decision model does, and never later than the time limit.
   */
  select(tools: readonly ToolDefinition[], request: SelectToolsRequest): Promise<Selection>;
}

/** Checks the options (`invalid-option`) and makes a selector of them. */
export function createToolSelector(options: SelectionOptions): ToolSelector {
  const resolved = resolveSelectionOptions(options);
  const shared = createSharedCalls<CachedDecision>();
  return { select: (tools, request) => select(tools, request, resolved, shared) };
}

const selectors = new WeakMap<SelectionOptions, ToolSelector>();

/** Selects tools once. The same options object keeps its rendered questions, so pass the same one again. */
export function selectTools(
  tools: readonly ToolDefinition[],
  request: SelectToolsRequest,
  options: SelectionOptions,
): Promise<Selection> {
  let selector = selectors.get(options);
  if (selector === undefined) {
    selector = createToolSelector(options);
    selectors.set(options, selector);
  }
  return selector.select(tools, request);
}

async function select(
  tools: readonly ToolDefinition[],
  request: SelectToolsRequest,
  options: ResolvedSelectionOptions,
  shared: SharedCalls<CachedDecision>,
): Promise<Selection> {
  const { clock, model } = options;
  const started = clock.now();
  throwIfAborted(request.signal);
  const draft = startDraft(tools);
  const span = startSelectionSpan(options, tools.length);
  try {
    await decide(draft, request, options, shared, span);
  } catch (error) {
    quietly(() => span?.end(error));
    throw error;
  }
  const selection = finishSelection(draft, {
    rule: options.rule,
    provider: model.provider,
    modelId: model.modelId,
    durationMs: clock.now() - started,
    tokensOf: request.tokensOf,
  });
  reportSelection(selection, draft.degraded ? draft.notes.join(' ') : undefined, span, options);
  return selection;
}

async function decide(
  draft: SelectionDraft,
  request: SelectToolsRequest,
  options: ResolvedSelectionOptions,
  shared: SharedCalls<CachedDecision>,
  span: Span | undefined,
): Promise<void> {
  passUnasked(draft, {
    messages: request.messages,
    alwaysInclude: options.alwaysInclude,
    toolChoice: request.toolChoice,
    passed: request.passed,
  });
  const candidates: number[] = [];
  draft.reasons.forEach((reason, position) => {
    if (reason === undefined) candidates.push(position);
  });
  const skip = whyNotAsk(draft, candidates, request, options);
  if (skip !== undefined) {
    draft.mode = 'skip';
    draft.notes.push(skip);
    settleRest(draft, true, 'kept-unasked');
    return;
  }
  await ask(draft, candidates, request, options, shared, span);
  throwIfAborted(request.signal);
  if (request.toolChoice === 'required') keepSomething(draft);
  if (options.mode === 'shadow') passEverything(draft);
}

/** Why no question shall be put, in a sentence; undefined when they shall. */
function whyNotAsk(
  draft: SelectionDraft,
  candidates: readonly number[],
  request: SelectToolsRequest,
  options: ResolvedSelectionOptions,
): string | undefined {
  if (candidates.length === 0)
    return draft.tools.length === 0 ? 'There are no tools.' : 'Every tool passes without a question.';
  if (!hasText(currentUserMessage(request))) return 'The user message has no text, so all tools pass.';
  if (candidates.length < options.minTools) {
    return `There are fewer than ${options.minTools} tools to ask about, so all pass.`;
  }
  if (options.minTokens > 0) {
    const tokensOf =
      request.tokensOf ?? ((position: number): number => toolTokens(draft.tools[position] as ToolDefinition));
    const tokens = candidates.reduce((sum, position) => sum + tokensOf(position), 0);
    if (tokens < options.minTokens)
      return `The tools to ask about take fewer than ${options.minTokens} tokens, so all pass.`;
  }
  return undefined;
}

async function ask(
  draft: SelectionDraft,
  candidates: readonly number[],
  request: SelectToolsRequest,
  options: ResolvedSelectionOptions,
  shared: SharedCalls<CachedDecision>,
  span: Span | undefined,
): Promise<void> {
  const deadline = startDeadline(options.clock, options.timeoutMs, request.signal, () => timedOut(options));
  try {
    await decideSelection(draft, candidates, request, options, { signal: deadline.signal, shared, span });
  } catch (error) {
    throwIfAborted(request.signal);
    if (isToolgateError(error) && error.code === 'selection-failed') throw error;
    fallBackWhole(draft, error, options);
  } finally {
    deadline.release();
  }
}

/** The questions could not even be put: a filter or the model's own properties threw, or the time was up before. */
function fallBackWhole(draft: SelectionDraft, error: unknown, options: ResolvedSelectionOptions): void {
  const failure = asDecisionModelError(error, options.model);
  if (options.fallback === 'fail') {
    throw new ToolgateError('selection-failed', `The tools could not be selected: ${failure.message}`, {
      data: { failures: [failure.message] },
      cause: error,
    });
  }
  const kept = options.fallback === 'all-tools';
  draft.mode = 'fallback';
  draft.degraded = true;
  draft.failed = draft.reasons.filter((reason) => reason === undefined).length;
  settleRest(draft, kept, 'fallback');
  draft.notes.push(
    `Failed to select tools, ${kept ? 'all tools' : 'only the always included tools'} are passed on: ${failure.message}`,
  );
}

/** A required choice cannot be met without a tool: the best-scored one stays, or the first where none has a score. */
function keepSomething(draft: SelectionDraft): void {
  if (
    draft.kept.includes(1) &&
    draft.reasons.some((reason, position) => draft.kept[position] === 1 && reason === 'score')
  )
    return;
  let best = -1;
  draft.probabilities.forEach((probability, position) => {
    if (draft.kept[position] === 1 || Number.isNaN(probability)) return;
    if (best < 0 || probability > (draft.probabilities[best] as number)) best = position;
  });
  if (best < 0 && !draft.kept.includes(1)) best = 0;
  if (best < 0) return;
  settle(draft, best, true, 'forced');
  draft.notes.push(
    `A tool must be called, so the best-scored one is kept: ${(draft.tools[best] as ToolDefinition).name}.`,
  );
}

function passEverything(draft: SelectionDraft): void {
  let count = 0;
  draft.reasons.forEach((_, position) => {
    if (draft.kept[position] === 1) return;
    settle(draft, position, true, 'shadow');
    count += 1;
  });
  if (draft.mode === 'select') draft.mode = 'shadow';
  draft.notes.push(`Shadow mode passes on what would have been left out: ${count}.`);
}

function timedOut(options: ResolvedSelectionOptions): ToolgateError {
  return new ToolgateError(
    'decision-model-timeout',
    `The decision model of ${options.model.provider} did not answer within ${options.timeoutMs} ms.`,
    { data: { provider: options.model.provider, timeoutMs: options.timeoutMs } },
  );
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new ToolgateError('aborted', 'The selection of tools was given up by its caller.', { cause: signal.reason });
  }
}
