import { isToolgateError } from '../core/errors.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { asDecisionModelError, askAboutTools } from '../decision/ask-about-tools.ts';
import type { AskFailure, ToolAnswers } from '../decision/ask-about-tools.ts';
import { callDecisionModel } from '../decision/call-model.ts';
import { concealInput } from '../decision/decision-request.ts';
import { usable } from '../decision/plan-batches.ts';
import type { ChoiceQuestion, DecisionContext, DecisionUsage } from '../decision/port.ts';
import { describeTool } from '../decision/question-template.ts';
import { shortenText } from '../decision/shorten-text.ts';
import { estimateTokens, utf8Bytes } from '../decision/text-size.ts';
import { addUsage } from '../decision/usage.ts';
import { invalidResponse, readAnswer, readAnswers, readMetadata } from '../decision/validate-response.ts';
import type { SelectionQuestions, SelectionScores } from './decide-selection.ts';
import type { ResolvedSelectionOptions } from './select-options.ts';
import { applySelectionRule, byProbability } from './selection-rule.ts';

/** Into the final round come at most this many. */
const finalists = 24;
/** Choosing among more makes the first choice worse: 91 % right among 20, 73 % among 199, in a published measurement. */
const largestChunk = 64;
/** A chunk sends at least this many on, so that two good tools in one chunk do not put each other out. */
const fewestFromChunk = 4;
/** What a description may take while many are compared, and in the final round. */
const shortDescription = 160;
const longDescription = 1200;
/** From here on a yes is believed against the "none" option. */
const clearYes = 0.5;
const none = 'none';

interface Round {
  readonly prepared: SelectionQuestions;
  readonly context: DecisionContext;
  readonly options: ResolvedSelectionOptions;
  readonly signal: AbortSignal;
  readonly failures: AskFailure[];
  requests: number;
  modelId: string | undefined;
  usage: DecisionUsage | undefined;
}

/**
 * Orders tools by choosing among them: chunks with short descriptions each send their best on until few are left, and a final round compares those with
 * long descriptions and a "none" option. Probabilities of different chunks are never compared. Each finalist is gated by a yes/no question;
 * when "none" wins and no yes is clear, nothing fits. A chunk that fails costs its tools; a final choice that fails leaves the order to the gate.
 */
export async function rankByChoice(
  prepared: SelectionQuestions,
  context: DecisionContext,
  options: ResolvedSelectionOptions,
  signal: AbortSignal,
): Promise<SelectionScores & Pick<ToolAnswers, 'requests' | 'modelId' | 'usage'>> {
  const round: Round = {
    prepared,
    context,
    options,
    signal,
    failures: [],
    requests: 0,
    modelId: undefined,
    usage: undefined,
  };
  let left: readonly number[] = prepared.tools.map((_, position) => position);
  const most = Math.min(finalists, (usable(options.model.limits?.maxOptions) ?? finalists + 1) - 1);
  while (left.length > most) {
    const next = await narrow(left, most, round);
    if (next.length >= left.length) break;
    left = next;
  }
  const [choice, gate] = await Promise.all([
    left.length === 0 ? undefined : chooseAmong(left, longDescription, round),
    askAboutTools(
      options.model,
      {
        input: prepared.input,
        inputBytes: prepared.inputBytes,
        questions: left.map((position) => prepared.questions[position] as SelectionQuestions['questions'][number]),
        context,
      },
      { maxPerRequest: options.maxPerRequest, maxParallel: options.maxParallel, signal },
    ),
  ]);
  const probabilities = new Float64Array(prepared.tools.length).fill(Number.NaN);
  left.forEach((position, index) => (probabilities[position] = gate.probabilities[index] as number));
  for (const failure of gate.failures) {
    round.failures.push({ ...failure, positions: failure.positions.map((index) => left[index] as number) });
  }
  return {
    probabilities,
    failures: round.failures,
    order: orderOf(left, probabilities, choice, options),
    requests: round.requests + gate.requests,
    modelId: round.modelId ?? gate.modelId,
    usage: addUsage(round.usage, gate.usage),
  };
}

function orderOf(
  left: readonly number[],
  probabilities: Float64Array,
  choice: ReadonlyMap<number, number> | undefined,
  options: ResolvedSelectionOptions,
): readonly number[] {
  const kept = applySelectionRule(options.rule, probabilities);
  const gated = byProbability(probabilities, (position) => kept[position] === true);
  if (choice === undefined) return gated;
  const noneWins = left.every((position) => (choice.get(position) ?? 0) <= (choice.get(-1) ?? 0));
  if (noneWins && !probabilities.some((probability) => probability >= clearYes)) return [];
  return gated.sort((a, b) => (choice.get(b) ?? 0) - (choice.get(a) ?? 0) || a - b);
}

/** One round over chunks: the positions that go on, in order; about `most`. */
async function narrow(left: readonly number[], most: number, round: Round): Promise<readonly number[]> {
  const chunks = cutChunks(left, round);
  const each = Math.max(fewestFromChunk, Math.ceil(most / chunks.length));
  const kept: number[][] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < chunks.length) {
      const index = next;
      next += 1;
      const chunk = chunks[index] as readonly number[];
      kept[index] = [];
      if (chunk.length <= each) {
        kept[index] = [...chunk];
        continue;
      }
      const choice = await chooseAmong(chunk, shortDescription, round, chunk);
      if (choice === undefined) continue;
      kept[index] = [...chunk].sort((a, b) => (choice.get(b) ?? 0) - (choice.get(a) ?? 0) || a - b).slice(0, each);
    }
  };
  await Promise.all(Array.from({ length: Math.min(round.options.maxParallel, chunks.length) }, work));
  return kept.flat().sort((a, b) => a - b);
}

/** Chunks as even as possible that keep to the model's limits of options, bytes and tokens. */
function cutChunks(left: readonly number[], { prepared, options }: Round): readonly (readonly number[])[] {
  const limits = options.model.limits ?? {};
  const most = Math.max(2, Math.min(largestChunk, (usable(limits.maxOptions) ?? largestChunk + 1) - 1));
  const size = Math.ceil(left.length / Math.ceil(left.length / most));
  const room = roomForOptions(prepared, options);
  const chunks: number[][] = [];
  let chunk: number[] = [];
  let tokens = 0;
  let bytes = 0;
  for (const position of left) {
    const text = optionText(prepared.tools[position] as ToolDefinition, shortDescription);
    const more = sizeOf(text);
    const full = chunk.length >= size || tokens + more.tokens > room.tokens || bytes + more.bytes > room.bytes;
    if (full && chunk.length > 1) {
      chunks.push(chunk);
      chunk = [];
      tokens = 0;
      bytes = 0;
    }
    chunk.push(position);
    tokens += more.tokens;
    bytes += more.bytes;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

/** Probabilities by position, and under -1 that of "none"; undefined when the model gave nothing usable, which fails `costs`. */
async function chooseAmong(
  positions: readonly number[],
  length: number,
  round: Round,
  costs: readonly number[] = [],
): Promise<ReadonlyMap<number, number> | undefined> {
  const { prepared, options, context, signal } = round;
  const room = roomForOptions(prepared, options);
  const share = { tokens: room.tokens / positions.length, bytes: room.bytes / positions.length };
  const tools: Record<string, ToolDefinition> = {};
  const texts: Record<string, string> = {};
  positions.forEach((position, index) => {
    tools[`t${index}`] = prepared.tools[position] as ToolDefinition;
    texts[`t${index}`] = fitOption(optionText(prepared.tools[position] as ToolDefinition, length), share);
  });
  texts[none] = 'None of these tools is called for.';
  const question: ChoiceQuestion = {
    type: 'choice',
    text: 'Which of these tools does the current request in this conversation call for most?',
    options: texts,
    about: { tools },
  };
  try {
    signal.throwIfAborted();
    round.requests += 1;
    const request = concealInput({ input: prepared.input, questions: { choice: question }, context });
    const response = await callDecisionModel(options.model, request, signal);
    const { modelId, usage } = readMetadata(response);
    round.modelId ??= modelId;
    round.usage = addUsage(round.usage, usage);
    const answer = readAnswer(question, readAnswers(response)?.['choice']);
    if (typeof answer === 'string') throw invalidResponse(options.model.provider, answer, 'choice');
    if (answer.type !== 'choice') throw invalidResponse(options.model.provider, 'the choice was refused', 'choice');
    const given = new Map(Object.entries(answer.probabilities));
    if (given.size === 0) given.set(answer.value, 1);
    const byPosition = new Map(positions.map((position, index) => [position, given.get(`t${index}`) ?? 0]));
    return byPosition.set(-1, given.get(none) ?? 0);
  } catch (error) {
    const failure = isToolgateError(error) ? error : asDecisionModelError(error, options.model);
    round.failures.push({ kind: 'failed', positions: costs, error: failure });
    return undefined;
  }
}

interface Size {
  readonly tokens: number;
  readonly bytes: number;
}

/** What is left for the options beside the conversation, the question and the "none" option. */
function roomForOptions(prepared: SelectionQuestions, options: ResolvedSelectionOptions): Size {
  const limits = options.model.limits ?? {};
  const input = JSON.stringify(prepared.input);
  return {
    tokens: (usable(limits.maxInputTokens) ?? Number.POSITIVE_INFINITY) - estimateTokens(input) - 100,
    bytes: (usable(limits.maxRequestBytes) ?? Number.POSITIVE_INFINITY) - utf8Bytes(input) - 1000,
  };
}

/** What an option takes with its id; bytes doubled, since JSON may escape every character. */
function sizeOf(text: string): Size {
  return { tokens: estimateTokens(text) + 10, bytes: utf8Bytes(text) * 2 + 20 };
}

/** The text cut to its share of the room. The name at its start survives any cut. */
function fitOption(text: string, share: Size): string {
  const size = sizeOf(text);
  const part = Math.min(share.tokens / size.tokens, share.bytes / size.bytes);
  return part >= 1 ? text : shortenText(text, Math.max(1, Math.floor(text.length * part) - 10));
}

/** Names alone cost a fifth of the right choices, full texts drown the choice: a name and the start of the description. */
function optionText(tool: ToolDefinition, length: number): string {
  const description = describeTool(tool);
  const paragraph = length === shortDescription ? (description.split(/\n\s*\n/u)[0] ?? '') : description;
  return `${tool.name}: ${shortenText(paragraph, length)}`;
}
