import { ToolgateError } from '../core/errors.ts';
import type { DecisionRequest, Question } from './port.ts';

const inspect = Symbol.for('nodejs.util.inspect.custom');

/**
 * Checks a request and gives it a `toString` that leaves the input out: what people wrote has no place in a log.
 * Throws `invalid-option` for a blank input, no questions, and questions that no model could answer.
 */
export function decisionRequest(request: DecisionRequest): DecisionRequest {
  checkDecisionRequest(request);
  return concealInput({ ...request });
}

/** Gives a request, in place, a `toString` and a form for inspection that leave the input out. */
export function concealInput(request: DecisionRequest): DecisionRequest {
  const describe = (): string => describeDecisionRequest(request);
  Object.defineProperty(request, 'toString', { value: describe });
  Object.defineProperty(request, inspect, { value: describe });
  return request;
}

/** A request in words, without its input and without the questions' texts. */
export function describeDecisionRequest(request: DecisionRequest): string {
  const counts = new Map<string, number>();
  for (const question of Object.values(request.questions))
    counts.set(question.type, (counts.get(question.type) ?? 0) + 1);
  const questions = [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
  return `DecisionRequest(input left out; questions: ${questions === '' ? 'none' : questions})`;
}

/** Throws `invalid-option` unless the request can be put to a model. */
export function checkDecisionRequest(request: DecisionRequest): void {
  if (request.input === undefined || (typeof request.input === 'string' && request.input.trim() === '')) {
    throw wrong('input', 'The input of a decision request must be JSON or a text that is not blank.');
  }
  const ids = Object.keys(request.questions);
  if (ids.length === 0) throw wrong('questions', 'A decision request needs at least one question.');
  for (const id of ids) checkQuestion(id, request.questions[id] as Question);
}

function checkQuestion(id: string, question: Question): void {
  const option = `questions.${id}`;
  if (id.trim() === '') throw wrong(option, 'The id of a question must not be blank.');
  if (typeof question.text !== 'string' || question.text.trim() === '')
    throw wrong(option, `Question ${id} has no text.`);
  switch (question.type) {
    case 'yes-no':
      for (const text of [question.yesWhen, question.noWhen]) {
        if (text !== undefined && text.trim() === '')
          throw wrong(option, `Question ${id} has a blank yesWhen or noWhen; leave it out instead.`);
      }
      return;
    case 'choice':
      if (Object.keys(question.options).length < 2) throw wrong(option, `Question ${id} needs at least two options.`);
      return;
    case 'scale':
      if (question.levels.length < 2) throw wrong(option, `Question ${id} needs at least two levels.`);
      return;
    default:
      throw new ToolgateError(
        'decision-model-unsupported',
        `Question ${id} is of a type that is not known: ${String((question as { type: unknown }).type)}.`,
        {
          data: { limit: 'questionType' },
        },
      );
  }
}

function wrong(option: string, message: string): ToolgateError {
  return new ToolgateError('invalid-option', message, { data: { option } });
}
