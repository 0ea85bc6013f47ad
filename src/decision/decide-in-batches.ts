import { ToolgateError } from '../core/errors.ts';
import { planBatches, usable } from './plan-batches.ts';
import type {
  Answer,
  DecisionModelLimits,
  DecisionRequest,
  DecisionResponse,
  DecisionUsage,
  Question,
} from './port.ts';
import { utf8Bytes } from './text-size.ts';
import { addUsage } from './usage.ts';

/** How a back-end sends requests that keep to its limits. */
export interface DecideInBatchesOptions {
  readonly limits: DecisionModelLimits;
  /** Requests at the same time. */
  readonly maxParallel: number;
  readonly signal: AbortSignal;
  /** Sends one request. */
  readonly send: (request: DecisionRequest, signal: AbortSignal) => Promise<DecisionResponse>;
}

/**
 * Cuts a request so that each part keeps to the limits, sends the parts in parallel and joins the answers. If one part fails, the others are
 * given up and its error is thrown. Throws `decision-model-unsupported`, before anything is sent, for a choice with too many options
 * and for a single question that does not fit a request.
 */
export async function decideInBatches(
  request: DecisionRequest,
  { limits, maxParallel, signal, send }: DecideInBatchesOptions,
): Promise<DecisionResponse> {
  const ids = Object.keys(request.questions);
  const questions = ids.map((id) => request.questions[id] as Question);
  checkOptions(questions, limits);
  const fixedBytes = utf8Bytes(JSON.stringify(request.input)) * (typeof request.input === 'string' ? 1 : 1.1) + 512;
  const bytesOf = (position: number): number => wireBytes(ids[position] as string, questions[position] as Question);
  checkBytes(questions, fixedBytes, bytesOf, limits);
  const batches = planBatches({ count: ids.length, limits, fixedBytes, bytesOf });
  if (batches.length === 1) return send(request, signal);
  const giveUp = new AbortController();
  const inner = AbortSignal.any([signal, giveUp.signal]);
  const answers = new Map<string, Answer>();
  let modelId: string | undefined;
  let usage: DecisionUsage | undefined;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < batches.length) {
      const batch = batches[next];
      next += 1;
      const part = ids.slice(batch?.from, batch?.to);
      const response = await send({ ...request, questions: pick(request.questions, part) }, inner);
      for (const id of part) {
        const answer = Object.hasOwn(response.answers, id) ? response.answers[id] : undefined;
        if (answer !== undefined) answers.set(id, answer);
      }
      modelId ??= response.modelId;
      usage = addUsage(usage, response.usage);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxParallel, batches.length) }, work));
  } catch (error) {
    giveUp.abort(error);
    throw error;
  }
  return {
    answers: Object.fromEntries(answers),
    ...(modelId === undefined ? {} : { modelId }),
    ...(usage === undefined ? {} : { usage }),
  };
}

function pick(questions: DecisionRequest['questions'], ids: readonly string[]): DecisionRequest['questions'] {
  return Object.fromEntries(ids.map((id) => [id, questions[id] as Question]));
}

function checkOptions(questions: readonly Question[], limits: DecisionModelLimits): void {
  const most = usable(limits.maxOptions);
  if (most === undefined) return;
  for (const question of questions) {
    const count =
      question.type === 'choice'
        ? Object.keys(question.options).length
        : question.type === 'scale'
          ? question.levels.length
          : 0;
    if (count > most)
      throw unsupported('maxOptions', `A question has ${count} options; the decision model takes at most ${most}.`);
  }
}

function checkBytes(
  questions: readonly Question[],
  fixedBytes: number,
  bytesOf: (position: number) => number,
  limits: DecisionModelLimits,
): void {
  const most = usable(limits.maxRequestBytes);
  if (most === undefined) return;
  const longest = questions.reduce((bytes, _, position) => Math.max(bytes, bytesOf(position)), 0);
  if (fixedBytes + longest > most) {
    throw unsupported(
      'maxRequestBytes',
      `The input and its longest question take about ${Math.ceil(fixedBytes + longest)} bytes; the decision model takes at most ${most}. Shorten the input.`,
    );
  }
}

/** An upper bound of what a question takes in the body of any back-end. */
function wireBytes(id: string, question: Question): number {
  const { about: _, ...sent } = question as Question & { readonly about?: unknown };
  return utf8Bytes(JSON.stringify(sent)) + utf8Bytes(JSON.stringify(id)) + 64;
}

function unsupported(limit: string, message: string): ToolgateError {
  return new ToolgateError('decision-model-unsupported', message, { data: { limit } });
}
