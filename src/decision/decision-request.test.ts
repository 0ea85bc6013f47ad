import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { decisionRequest, describeDecisionRequest } from './decision-request.ts';
import type { DecisionRequest } from './port.ts';

const request: DecisionRequest = {
  input: 'my salary is 100',
  questions: {
    a: { type: 'yes-no', text: 'A?' },
    b: { type: 'yes-no', text: 'B?' },
    c: { type: 'choice', text: 'C?', options: { x: null, y: null } },
  },
};

describe('decisionRequest', () => {
  it('has a text and a form for inspection that leave the input out', () => {
    const words = 'DecisionRequest(input left out; questions: 2 yes-no, 1 choice)';
    expect((decisionRequest(request) as { toString(): string }).toString()).toBe(words);
    expect(inspect(decisionRequest(request))).toBe(words);
    expect(describeDecisionRequest({ input: 'x', questions: {} })).toBe(
      'DecisionRequest(input left out; questions: none)',
    );
  });

  it('is otherwise the same request', () => {
    expect(JSON.parse(JSON.stringify(decisionRequest(request)))).toEqual(request);
    expect(Object.keys(decisionRequest(request))).toEqual(['input', 'questions']);
  });

  it.each<[string, unknown]>([
    ['a blank input', { ...request, input: ' ' }],
    ['no input', { questions: request.questions }],
    ['no question', { ...request, questions: {} }],
    ['a blank id', { ...request, questions: { ' ': { type: 'yes-no', text: 'A?' } } }],
    ['a question without text', { ...request, questions: { a: { type: 'yes-no', text: ' ' } } }],
    ['a blank yesWhen', { ...request, questions: { a: { type: 'yes-no', text: 'A?', yesWhen: '' } } }],
    ['one option', { ...request, questions: { a: { type: 'choice', text: 'A?', options: { x: null } } } }],
    ['one level', { ...request, questions: { a: { type: 'scale', text: 'A?', levels: [{ label: 'x' }] } } }],
  ])('refuses %s', (_, wrong) => {
    expect(() => decisionRequest(wrong as DecisionRequest)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }) as Error,
    );
  });

  it('says what to mend, and of which question', () => {
    const message = (wrong: unknown): unknown => {
      try {
        return decisionRequest(wrong as DecisionRequest);
      } catch (error) {
        return [(error as Error).message, (error as { data?: unknown }).data];
      }
    };
    const questions = (question: unknown): unknown => ({ input: 'x', questions: { a: question } });
    expect(message({ ...request, input: '' })).toEqual([
      'The input of a decision request must be JSON or a text that is not blank.',
      { option: 'input' },
    ]);
    expect(message({ input: 0, questions: {} })).toEqual([
      'A decision request needs at least one question.',
      { option: 'questions' },
    ]);
    expect(message({ input: 'x', questions: { '': { type: 'yes-no', text: 'A?' } } })).toEqual([
      'The id of a question must not be blank.',
      { option: 'questions.' },
    ]);
    expect(message(questions({ type: 'yes-no' }))).toEqual(['Question a has no text.', { option: 'questions.a' }]);
    expect(message(questions({ type: 'yes-no', text: 'A?', noWhen: ' ' }))).toEqual([
      'Question a has a blank yesWhen or noWhen; leave it out instead.',
      { option: 'questions.a' },
    ]);
    expect(message(questions({ type: 'choice', text: 'A?', options: {} }))).toEqual([
      'Question a needs at least two options.',
      { option: 'questions.a' },
    ]);
    expect(message(questions({ type: 'scale', text: 'A?', levels: [] }))).toEqual([
      'Question a needs at least two levels.',
      { option: 'questions.a' },
    ]);
    expect(message(questions({ type: 'box', text: 'A?' }))).toEqual([
      'Question a is of a type that is not known: box.',
      { limit: 'questionType' },
    ]);
    const fine = {
      input: null,
      questions: {
        a: { type: 'yes-no', text: 'A?', yesWhen: 'y', noWhen: 'n' },
        s: { type: 'scale', text: 'S?', levels: [{ label: 'l' }, { label: 'm' }] },
      },
    };
    expect(message(fine)).toEqual(fine);
  });

  it('refuses a type of question that is not known', () => {
    expect(() => decisionRequest({ input: 'x', questions: { a: { type: 'box', text: 'A?' } as never } })).toThrow(
      expect.objectContaining({ code: 'decision-model-unsupported' }) as Error,
    );
  });
});
