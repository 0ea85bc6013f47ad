import { isPlainObject } from '../core/json.ts';
import type { DecisionRequest, Question, ScaleQuestion } from '../decision/port.ts';

/** The body of a System One request. `about` and `context` stay here. */
export function encodeSystemOne(model: string, request: DecisionRequest): unknown {
  return {
    model,
    state: request.input,
    questions: Object.fromEntries(
      Object.entries(request.questions).map(([id, question]) => [id, encodeQuestion(question)]),
    ),
  };
}

/**
 * A System One answer as a response. Servers differ: the type, the distribution, the confidence and the usage may be missing, and a
 * question that cannot be answered is left out, which is read as a refusal. What is there must be right; validation says so afterwards.
 */
export function decodeSystemOne(request: DecisionRequest, body: unknown): unknown {
  if (!isPlainObject(body) || !isPlainObject(body['answers'])) return undefined;
  const given = body['answers'];
  const answers: [string, unknown][] = [];
  for (const [id, question] of Object.entries(request.questions)) {
    const answer: unknown = Object.hasOwn(given, id) ? given[id] : undefined;
    answers.push([id, answer === undefined || answer === null ? { type: 'refusal' } : decodeAnswer(question, answer)]);
  }
  const usage = isPlainObject(body['usage']) ? body['usage'] : {};
  return {
    answers: Object.fromEntries(answers),
    modelId: body['model'],
    usage: { inputTokens: usage['input_tokens'], outputTokens: usage['output_tokens'] },
  };
}

function encodeQuestion(question: Question): unknown {
  switch (question.type) {
    case 'yes-no': {
      const { text, yesWhen, noWhen } = question;
      const criteria =
        yesWhen === undefined && noWhen === undefined ? {} : { criteria: { true: yesWhen ?? '', false: noWhen ?? '' } };
      return { type: 'noul', instructions: text, ...criteria };
    }
    case 'choice':
      return { type: 'choice', instructions: question.text, criteria: question.options };
    default:
      return {
        type: 'score',
        instructions: question.text,
        criteria: question.levels.map(({ label, description }) =>
          description === undefined ? label : `${label}: ${description}`,
        ),
      };
  }
}

const types = { 'yes-no': 'noul', choice: 'choice', scale: 'score' } as const;

function decodeAnswer(question: Question, answer: unknown): unknown {
  if (!isPlainObject(answer)) return answer;
  const type = answer['type'];
  if (type === 'refusal') return { type };
  if (type !== undefined && type !== types[question.type]) return { type: 'another type' };
  switch (question.type) {
    case 'yes-no':
      return { type: 'yes-no', probability: answer['noul'] };
    case 'choice':
      return {
        type: 'choice',
        value: answer['choice'],
        probabilities: answer['probabilities'] ?? {},
        confidence: answer['confidence'],
      };
    default:
      return {
        type: 'scale',
        mean: answer['score'],
        probabilities: levelProbabilities(question, answer['probabilities']),
        confidence: answer['confidence'],
      };
  }
}

/** By index in any order; a level that is not mentioned has none. Anything that is no index of a level stays wrong for the validation. */
function levelProbabilities(question: ScaleQuestion, given: unknown): unknown {
  if (given === undefined || given === null) return [];
  if (!isPlainObject(given)) return given;
  const probabilities: unknown[] = question.levels.map(() => 0);
  for (const [key, probability] of Object.entries(given)) {
    if (!/^(?:0|[1-9]\d*)$/u.test(key) || Number(key) >= probabilities.length) return undefinedLevel;
    probabilities[Number(key)] = probability;
  }
  return probabilities;
}

/** No list: fails the validation of a scale's probabilities. */
const undefinedLevel = 'a level that does not exist';
