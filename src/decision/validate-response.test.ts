import { describe, expect, it } from 'vitest';
import type { DecisionRequest } from './port.ts';
import { readProbability, validateDecisionResponse } from './validate-response.ts';

const request: DecisionRequest = {
  input: 'x',
  questions: {
    y: { type: 'yes-no', text: 'Y?' },
    c: { type: 'choice', text: 'C?', options: { red: null, blue: 'the sky' } },
    s: { type: 'scale', text: 'S?', levels: [{ label: 'low' }, { label: 'mid' }, { label: 'high' }] },
  },
};
const good = {
  y: { type: 'yes-no', probability: 0.5 },
  c: { type: 'choice', value: 'red', probabilities: { red: 1 }, confidence: 0.5 },
  s: { type: 'scale', mean: 2, probabilities: [0, 0, 1] },
};

describe('validateDecisionResponse', () => {
  it('gives back a good response clean', () => {
    const response = {
      answers: { ...good, nobody: { type: 'refusal' } },
      modelId: 'm',
      usage: { inputTokens: 3, outputTokens: -1 },
      more: true,
    };
    expect(validateDecisionResponse(request, response, 'p')).toEqual({
      answers: good,
      modelId: 'm',
      usage: { inputTokens: 3 },
    });
  });

  it('accepts a refusal for any question', () => {
    const answers = { y: { type: 'refusal' }, c: { type: 'refusal' }, s: { type: 'refusal', reason: 'x' } };
    expect(validateDecisionResponse(request, { answers }, 'p').answers).toEqual({
      y: { type: 'refusal' },
      c: { type: 'refusal' },
      s: { type: 'refusal' },
    });
  });

  it('mends rounding errors and leaves out what is not reported', () => {
    const answers = {
      y: { type: 'yes-no', probability: 1 + 1e-9 },
      c: { type: 'choice', value: 'blue', confidence: null },
      s: { type: 'scale', mean: -1e-9 },
    };
    expect(validateDecisionResponse(request, { answers }, 'p').answers).toEqual({
      y: { type: 'yes-no', probability: 1 },
      c: { type: 'choice', value: 'blue', probabilities: {} },
      s: { type: 'scale', mean: 0, probabilities: [] },
    });
  });

  it.each<[string, unknown, string | undefined]>([
    ['nothing', undefined, undefined],
    ['null', null, undefined],
    ['no answers', {}, undefined],
    ['answers as a list', { answers: [good.y] }, undefined],
    ['a missing answer', { answers: { ...good, y: undefined } }, 'y'],
    ['an answer that is null', { answers: { ...good, y: null } }, 'y'],
    ['the wrong type', { answers: { ...good, y: good.c } }, 'y'],
    ['an unknown type', { answers: { ...good, s: { type: 'box' } } }, 's'],
    ['a probability above 1', { answers: { ...good, y: { type: 'yes-no', probability: 1.001 } } }, 'y'],
    ['a probability below 0', { answers: { ...good, y: { type: 'yes-no', probability: -0.001 } } }, 'y'],
    ['NaN', { answers: { ...good, y: { type: 'yes-no', probability: Number.NaN } } }, 'y'],
    ['a text', { answers: { ...good, y: { type: 'yes-no', probability: '0.5' } } }, 'y'],
    ['an option that was not offered', { answers: { ...good, c: { ...good.c, value: 'green' } } }, 'c'],
    ['an option that every object has', { answers: { ...good, c: { ...good.c, value: 'toString' } } }, 'c'],
    [
      'a probability of an unknown option',
      { answers: { ...good, c: { ...good.c, probabilities: { green: 1 } } } },
      'c',
    ],
    ['a bad probability of an option', { answers: { ...good, c: { ...good.c, probabilities: { red: 2 } } } }, 'c'],
    ['probabilities of options as a list', { answers: { ...good, c: { ...good.c, probabilities: [1] } } }, 'c'],
    ['a confidence above 1', { answers: { ...good, c: { ...good.c, confidence: 2 } } }, 'c'],
    ['a mean above the last level', { answers: { ...good, s: { ...good.s, mean: 2.01 } } }, 's'],
    ['a mean below the first level', { answers: { ...good, s: { ...good.s, mean: -0.01 } } }, 's'],
    ['too few level probabilities', { answers: { ...good, s: { ...good.s, probabilities: [0.5, 0.5] } } }, 's'],
    ['a bad level probability', { answers: { ...good, s: { ...good.s, probabilities: [0, 0, Number.NaN] } } }, 's'],
    ['level probabilities as an object', { answers: { ...good, s: { ...good.s, probabilities: { '0': 1 } } } }, 's'],
  ])('refuses %s', (_, response, question) => {
    expect(() => validateDecisionResponse(request, response, 'p')).toThrow(
      expect.objectContaining({
        code: 'decision-model-invalid-response',
        data: question === undefined ? { provider: 'p' } : { provider: 'p', question },
      }) as Error,
    );
  });
});

describe('the message of a response that does not fit', () => {
  it.each<[unknown, string]>([
    [undefined, 'it has no answers'],
    [{ answers: {} }, 'an answer is missing (question y)'],
    [{ answers: { y: 'yes' } }, 'an answer is not an object (question y)'],
    [{ answers: { y: { type: 'choice' } } }, 'an answer of the wrong type, yes-no expected (question y)'],
    [{ answers: { ...good, y: { type: 'yes-no' } } }, 'a probability that is not a number from 0 to 1 (question y)'],
    [{ answers: { ...good, c: { type: 'choice', value: 1 } } }, 'a choice that was not offered (question c)'],
    [
      { answers: { ...good, c: { ...good.c, probabilities: 'x' } } },
      'probabilities that are not an object (question c)',
    ],
    [
      { answers: { ...good, c: { ...good.c, probabilities: { x: 1 } } } },
      'a probability for an option that was not offered (question c)',
    ],
    [
      { answers: { ...good, c: { ...good.c, confidence: '1' } } },
      'a confidence that is not a number from 0 to 1 (question c)',
    ],
    [{ answers: { ...good, s: { ...good.s, mean: '1' } } }, 'a mean outside 0 to 2 (question s)'],
    [{ answers: { ...good, s: { ...good.s, probabilities: 'x' } } }, 'probabilities that are not a list (question s)'],
    [
      { answers: { ...good, s: { ...good.s, probabilities: [1] } } },
      'not as many probabilities as levels (question s)',
    ],
    [
      { answers: { ...good, s: { ...good.s, probabilities: [2, 0, 0] } } },
      'a probability that is not a number from 0 to 1 (question s)',
    ],
  ])('for %j says what is wrong and that it was not asked again', (response, problem) => {
    expect(() => validateDecisionResponse(request, response, 'p')).toThrow(
      `The decision model of p gave an answer that does not fit its request: ${problem}. It was not asked again.`,
    );
  });

  it('reads a model and tokens only where they are usable', () => {
    const read = (more: object): object => validateDecisionResponse(request, { answers: good, ...more }, 'p');
    for (const more of [
      {},
      { modelId: '' },
      { modelId: 7 },
      { usage: null },
      { usage: { inputTokens: '3', outputTokens: Infinity } },
    ]) {
      expect(Object.keys(read(more))).toEqual(['answers']);
    }
    expect(read({ usage: { outputTokens: 0 } })).toEqual({ answers: good, usage: { outputTokens: 0 } });
  });
});

describe('readProbability', () => {
  it('takes numbers from 0 to 1 and no others', () => {
    expect([0, 0.5, 1, -1e-7, 1 + 1e-7].map(readProbability)).toEqual([0, 0.5, 1, 0, 1]);
    expect([-1e-5, 1 + 1e-5, Number.NaN, Infinity, '1', null, undefined, true, 1n].map(readProbability)).toEqual(
      Array(9).fill(undefined),
    );
  });
});
