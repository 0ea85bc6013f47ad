import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type {
  Answer,
  ChoiceAnswer,
  ChoiceQuestion,
  DecisionRequest,
  DecisionResponse,
  DecisionUsage,
  Question,
  ScaleAnswer,
  ScaleQuestion,
} from './port.ts';

/** Beyond this a probability outside 0 to 1 is an error and not a rounding error. */
const tolerance = 1e-6;

/**
 * Checks a response against its request and gives it back clean: one answer for each question, of the question's type,
 * with known options and probabilities from 0 to 1. Answers to questions that were never put are dropped. Throws
 * `decision-model-invalid-response`, which is never retried: the same model would answer the same way.
 */
export function validateDecisionResponse(
  request: DecisionRequest,
  response: unknown,
  provider: string,
): DecisionResponse {
  const given = readAnswers(response);
  if (given === undefined) throw invalidResponse(provider, 'it has no answers');
  const answers: Record<string, Answer> = {};
  for (const id of Object.keys(request.questions)) {
    const answer = readAnswer(request.questions[id] as Question, Object.hasOwn(given, id) ? given[id] : undefined);
    if (typeof answer === 'string') throw invalidResponse(provider, answer, id);
    Object.defineProperty(answers, id, { value: answer, enumerable: true, configurable: true, writable: true });
  }
  const { modelId, usage } = readMetadata(response);
  return { answers, ...(modelId === undefined ? {} : { modelId }), ...(usage === undefined ? {} : { usage }) };
}

/** The typed error for a response that does not fit its request. */
export function invalidResponse(provider: string, problem: string, question?: string): ToolgateError {
  return new ToolgateError(
    'decision-model-invalid-response',
    `The decision model of ${provider} gave an answer that does not fit its request: ${problem}${
      question === undefined ? '' : ` (question ${question})`
    }. It was not asked again.`,
    { data: question === undefined ? { provider } : { provider, question } },
  );
}

/** The answers of a response by question id, or undefined when it has none. */
export function readAnswers(response: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  const answers: unknown = (response as { answers?: unknown }).answers;
  return isPlainObject(answers) ? answers : undefined;
}

/** The answering model and the tokens of a response, as far as they are usable. */
export function readMetadata(response: unknown): { readonly modelId?: string; readonly usage?: DecisionUsage } {
  if (typeof response !== 'object' || response === null) return {};
  const { modelId, usage } = response as { modelId?: unknown; usage?: unknown };
  const counted = isPlainObject(usage)
    ? { ...tokens('inputTokens', usage['inputTokens']), ...tokens('outputTokens', usage['outputTokens']) }
    : {};
  return {
    ...(typeof modelId === 'string' && modelId.length > 0 ? { modelId } : {}),
    ...(Object.keys(counted).length > 0 ? { usage: counted } : {}),
  };
}

/** One answer, checked against its question; the text of what is wrong with it otherwise. A refusal is an answer. */
export function readAnswer(question: Question, answer: unknown): Answer | string {
  if (answer === undefined) return 'an answer is missing';
  if (typeof answer !== 'object' || answer === null) return 'an answer is not an object';
  const type: unknown = (answer as { type?: unknown }).type;
  if (type === 'refusal') return { type };
  if (type !== question.type) return `an answer of the wrong type, ${question.type} expected`;
  switch (question.type) {
    case 'yes-no': {
      const value: unknown = (answer as { probability?: unknown }).probability;
      const probability = readProbability(value);
      if (probability === undefined) return 'a probability that is not a number from 0 to 1';
      return probability === value ? (answer as Answer) : { type: 'yes-no', probability };
    }
    case 'choice':
      return readChoice(question, answer as Partial<Record<keyof ChoiceAnswer, unknown>>);
    default:
      return readScale(question, answer as Partial<Record<keyof ScaleAnswer, unknown>>);
  }
}

/** A number from 0 to 1, rounding errors mended; undefined for anything else. */
export function readProbability(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value >= -tolerance && value <= 1 + tolerance)) return undefined;
  return Math.min(1, Math.max(0, value));
}

function readChoice(question: ChoiceQuestion, answer: Partial<Record<keyof ChoiceAnswer, unknown>>): Answer | string {
  const { value, confidence } = answer;
  if (typeof value !== 'string' || !Object.hasOwn(question.options, value)) return 'a choice that was not offered';
  const given = answer.probabilities ?? {};
  if (!isPlainObject(given)) return 'probabilities that are not an object';
  const probabilities: Record<string, number> = {};
  for (const option of Object.keys(given)) {
    if (!Object.hasOwn(question.options, option)) return 'a probability for an option that was not offered';
    const probability = readProbability(given[option]);
    if (probability === undefined) return 'a probability that is not a number from 0 to 1';
    Object.defineProperty(probabilities, option, {
      value: probability,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return withConfidence({ type: 'choice', value, probabilities }, confidence);
}

function readScale(question: ScaleQuestion, answer: Partial<Record<keyof ScaleAnswer, unknown>>): Answer | string {
  const { mean, confidence } = answer;
  const last = question.levels.length - 1;
  if (typeof mean !== 'number' || !(mean >= -tolerance && mean <= last + tolerance))
    return `a mean outside 0 to ${last}`;
  const given = answer.probabilities ?? [];
  if (!Array.isArray(given)) return 'probabilities that are not a list';
  if (given.length > 0 && given.length !== question.levels.length) return 'not as many probabilities as levels';
  const probabilities: number[] = [];
  for (const entry of given) {
    const probability = readProbability(entry);
    if (probability === undefined) return 'a probability that is not a number from 0 to 1';
    probabilities.push(probability);
  }
  return withConfidence({ type: 'scale', mean: Math.min(last, Math.max(0, mean)), probabilities }, confidence);
}

function withConfidence(answer: ChoiceAnswer | ScaleAnswer, confidence: unknown): Answer | string {
  if (confidence === undefined || confidence === null) return answer;
  const value = readProbability(confidence);
  return value === undefined ? 'a confidence that is not a number from 0 to 1' : { ...answer, confidence: value };
}

function tokens(name: 'inputTokens' | 'outputTokens', value: unknown): DecisionUsage {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? { [name]: value } : {};
}
