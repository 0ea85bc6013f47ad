import { errorMessage, isToolgateError, ToolgateError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import { callDecisionModel } from './call-model.ts';
import { concealInput } from './decision-request.ts';
import { planBatches } from './plan-batches.ts';
import type { Batch } from './plan-batches.ts';
import type { DecisionContext, DecisionModel, DecisionUsage, Question, YesNoQuestion } from './port.ts';
import { questionSize } from './question-size.ts';
import { questionOverhead } from './fit-input.ts';
import { addUsage } from './usage.ts';
import { invalidResponse, readAnswer, readAnswers, readMetadata } from './validate-response.ts';

/** Yes/no questions about one input, one for each tool, in the tools' order. */
export interface ToolQuestions {
  readonly input: JsonValue;
  /** UTF-8 bytes of the input's JSON, where the model has a limit of bytes. */
  readonly inputBytes: number;
  readonly questions: readonly YesNoQuestion[];
  readonly context: DecisionContext;
}

/** How the requests are made. */
export interface AskOptions {
  /** At most this many questions in one request; wins over the model's own limit when it is lower, and over `batching: 'none'`. */
  readonly maxPerRequest?: number | undefined;
  /** Requests at the same time. */
  readonly maxParallel: number;
  /** Ends everything: what has no answer by then has failed. */
  readonly signal: AbortSignal;
}

/** Why questions have no usable answer. */
export interface AskFailure {
  readonly kind: 'refused' | 'invalid' | 'failed';
  /** Positions of the questions. */
  readonly positions: readonly number[];
  readonly error: ToolgateError;
}

/** What came back. Never an exception: whatever the model does, each question has a probability or is part of a failure. */
export interface ToolAnswers {
  /** By position; NaN where there is no usable answer. */
  readonly probabilities: Float64Array;
  readonly failures: readonly AskFailure[];
  /** Requests that were sent. */
  readonly requests: number;
  readonly modelId?: string | undefined;
  readonly usage?: DecisionUsage | undefined;
}

interface Progress {
  readonly probabilities: Float64Array;
  readonly failures: AskFailure[];
  requests: number;
  modelId: string | undefined;
  usage: DecisionUsage | undefined;
}

/**
 * Puts all questions, cut into requests that keep to the model's limits, several at a time. The unit of failure is as small as it
 * can be: a refused or unusable answer costs its question, a failed request costs its batch, never the others.
 */
export async function askAboutTools(
  model: DecisionModel,
  asked: ToolQuestions,
  options: AskOptions,
): Promise<ToolAnswers> {
  const progress: Progress = {
    probabilities: new Float64Array(asked.questions.length).fill(Number.NaN),
    failures: [],
    requests: 0,
    modelId: undefined,
    usage: undefined,
  };
  const batches = batchesFor(model, asked, options.maxPerRequest);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < batches.length) {
      const batch = batches[next] as Batch;
      next += 1;
      await askBatch(model, asked, batch, options.signal, progress);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.maxParallel, batches.length) }, work));
  const { probabilities, failures, requests, modelId, usage } = progress;
  return { probabilities, failures, requests, modelId, usage };
}

function batchesFor(model: DecisionModel, asked: ToolQuestions, maxPerRequest: number | undefined): readonly Batch[] {
  const count = asked.questions.length;
  const limits = model.batching === 'none' ? {} : (model.limits ?? {});
  const maxQuestions = Math.min(
    limits.maxQuestions ?? Number.POSITIVE_INFINITY,
    maxPerRequest ?? Number.POSITIVE_INFINITY,
  );
  return planBatches({
    count,
    limits: { ...limits, maxQuestions },
    fixedBytes: asked.inputBytes + 256,
    bytesOf: (position) => questionSize(asked.questions[position] as YesNoQuestion).bytes + questionOverhead,
  });
}

async function askBatch(
  model: DecisionModel,
  asked: ToolQuestions,
  batch: Batch,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  try {
    signal.throwIfAborted();
    progress.requests += 1;
    const questions = questionsOf(asked.questions, batch);
    const request = concealInput({ input: asked.input, questions, context: asked.context });
    readBatch(model, asked, batch, await callDecisionModel(model, request, signal), progress);
  } catch (error) {
    const positions: number[] = [];
    for (let position = batch.from; position < batch.to; position += 1) {
      progress.probabilities[position] = Number.NaN;
      positions.push(position);
    }
    progress.failures.push({ kind: 'failed', positions, error: asDecisionModelError(error, model) });
  }
}

function readBatch(
  model: DecisionModel,
  asked: ToolQuestions,
  batch: Batch,
  response: unknown,
  progress: Progress,
): void {
  const answers = readAnswers(response);
  if (answers === undefined) throw invalidResponse(model.provider, 'it has no answers');
  const refused: number[] = [];
  const invalid: number[] = [];
  let problem = '';
  for (let position = batch.from; position < batch.to; position += 1) {
    const id = questionId(position - batch.from);
    // Our own ids are no names of object members, so a plain look-up cannot reach a prototype.
    const answer = readAnswer(asked.questions[position] as Question, answers[id]);
    if (typeof answer === 'string') {
      invalid.push(position);
      problem = answer;
    } else if (answer.type === 'yes-no') progress.probabilities[position] = answer.probability;
    else refused.push(position);
  }
  const { modelId, usage } = readMetadata(response);
  progress.modelId ??= modelId;
  progress.usage = addUsage(progress.usage, usage);
  if (invalid.length > 0) {
    progress.failures.push({
      kind: 'invalid',
      positions: invalid,
      error: invalidResponse(model.provider, problem),
    });
  }
  if (refused.length > 0)
    progress.failures.push({ kind: 'refused', positions: refused, error: refusedBy(model, refused.length) });
}

/** Whatever a decision model threw, as a typed error. */
export function asDecisionModelError(error: unknown, model: Pick<DecisionModel, 'provider'>): ToolgateError {
  if (isToolgateError(error)) return error;
  return new ToolgateError(
    'decision-model-failed',
    `The decision model of ${model.provider} failed: ${errorMessage(error).slice(0, 300)}`,
    { data: { provider: model.provider, retryable: false }, cause: error },
  );
}

function refusedBy(model: DecisionModel, count: number): ToolgateError {
  return new ToolgateError(
    'decision-model-refused',
    `The decision model of ${model.provider} refused to answer ${count === 1 ? 'a question' : `${count} questions`}.`,
    { data: { questions: count } },
  );
}

const made = new WeakMap<readonly Question[], Map<string, Readonly<Record<string, Question>>>>();

/** The questions of a batch by id: made once for each list of questions and frozen, since requests share it. */
function questionsOf(list: readonly Question[], batch: Batch): Readonly<Record<string, Question>> {
  const batches = made.get(list) ?? new Map<string, Readonly<Record<string, Question>>>();
  made.set(list, batches);
  const key = `${batch.from}-${batch.to}`;
  const before = batches.get(key);
  if (before !== undefined) return before;
  const questions: Record<string, Question> = {};
  for (let position = batch.from; position < batch.to; position += 1) {
    questions[questionId(position - batch.from)] = list[position] as Question;
  }
  Object.freeze(questions);
  batches.set(key, questions);
  return questions;
}

const ids: string[] = [];

/** `tool0`, `tool1`, … by position, so that a tool's name never becomes a key. */
export function questionId(position: number): string {
  for (let next = ids.length; next <= position; next += 1) ids.push(`tool${next}`);
  return ids[position] as string;
}
