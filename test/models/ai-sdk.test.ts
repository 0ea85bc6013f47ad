import { APICallError } from '@ai-sdk/provider';
import type {
  Experimental_DecisionModelV4 as DecisionModelV4,
  Experimental_DecisionModelV4Answer as DecisionModelV4Answer,
} from '@ai-sdk/provider';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aiSdkDecisionModel } from '../../src/models/index.ts';
import { decisionModelContract } from '../../src/testing/decision-model-contract.ts';
import type { ContractAnswer } from '../../src/testing/decision-model-contract.ts';

type CallOptions = Parameters<DecisionModelV4['doDecide']>[0];

function modelThat(
  doDecide: DecisionModelV4['doDecide'],
  types: DecisionModelV4['supportedQuestionTypes'] = ['boolean', 'choice', 'score'],
): DecisionModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'sdk.decision',
    modelId: 'm-1',
    supportedQuestionTypes: types,
    doDecide,
  };
}

function encode(answer: ContractAnswer): DecisionModelV4Answer {
  if (answer === 'refusal') return { type: 'refusal' };
  if (answer === 'wrong-type') return { type: 'box', box: { top: 0, bottom: 1, left: 0, right: 1 } };
  if ('probability' in answer) return { type: 'boolean', probability: answer.probability };
  if ('choice' in answer) return { type: 'choice', choice: answer.choice, probabilities: { ...answer.probabilities } };
  return {
    type: 'score',
    score: answer.mean,
    probabilities: Object.fromEntries(answer.probabilities.map((probability, level) => [String(level), probability])),
  };
}

decisionModelContract({ describe, expect, it, onTestFinished }, 'aiSdkDecisionModel', {
  start(behaviour) {
    const received: string[] = [];
    const model = modelThat(async (options: CallOptions) => {
      const { abortSignal, ...sent } = options;
      received.push(JSON.stringify(sent));
      if (behaviour.fault === 'hang')
        return new Promise((_, reject) =>
          abortSignal?.addEventListener('abort', () => reject(abortSignal.reason as Error)),
        );
      if (behaviour.fault === 'garbage') return 'nothing' as never;
      if (behaviour.fault === 'error') throw new Error('for good');
      const answers = Object.entries(options.questions).map(([id, { instructions }]) => [
        id,
        encode(behaviour.answer?.(instructions as string) ?? { probability: 0.5 }),
      ]);
      return { answers: Object.fromEntries(answers) as Record<string, DecisionModelV4Answer>, warnings: [] };
    });
    return { model: aiSdkDecisionModel(model), received: () => received };
  },
});

const signal = new AbortController().signal;

describe('aiSdkDecisionModel', () => {
  it('passes the state as one part, criteria as they are, and reads usage and model', async () => {
    const seen: CallOptions[] = [];
    const model = aiSdkDecisionModel(
      modelThat(async (options) => {
        seen.push(options);
        return {
          answers: { a: { type: 'boolean', probability: 0.75 } },
          usage: { inputTokens: 9, outputTokens: 1 },
          response: { modelId: 'm-1-2026' },
          warnings: [],
        };
      }),
    );
    const questions = { a: { type: 'yes-no', text: 'A?', yesWhen: 'so' } } as const;
    expect(await model.decide({ input: [1, 2], questions }, { signal })).toEqual({
      answers: { a: { type: 'yes-no', probability: 0.75 } },
      modelId: 'm-1-2026',
      usage: { inputTokens: 9, outputTokens: 1 },
    });
    expect(seen[0]).toMatchObject({
      state: [{ type: 'json', value: [1, 2] }],
      questions: { a: { type: 'boolean', instructions: 'A?', criteria: { true: 'so' } } },
    });
    await model.decide({ input: 'text', questions }, { signal });
    expect(seen[1]?.state).toEqual([{ type: 'text', text: 'text' }]);
  });

  it('keeps the answers that are there and counts a missing one as refused', async () => {
    const model = aiSdkDecisionModel(
      modelThat(async () => ({ answers: { a: { type: 'boolean', probability: 1 } }, warnings: [] })),
    );
    const { answers } = await model.decide(
      { input: 'x', questions: { a: { type: 'yes-no', text: 'A?' }, b: { type: 'yes-no', text: 'B?' } } },
      { signal },
    );
    expect(answers).toEqual({ a: { type: 'yes-no', probability: 1 }, b: { type: 'refusal' } });
  });

  it('tries again when the error says so', async () => {
    let tries = 0;
    const model = aiSdkDecisionModel(
      modelThat(async () => {
        tries += 1;
        if (tries < 3)
          throw new APICallError({
            message: 'busy',
            url: 'u',
            requestBodyValues: {},
            statusCode: 503,
            isRetryable: true,
          });
        return { answers: { a: { type: 'boolean', probability: 0 } }, warnings: [] };
      }),
      { random: () => 0 },
    );
    await model.decide({ input: 'x', questions: { a: { type: 'yes-no', text: 'A?' } } }, { signal });
    expect(tries).toBe(3);
  });

  it('refuses a type of question that the model does not know, before it is called', async () => {
    const model = aiSdkDecisionModel(modelThat(() => Promise.reject(new Error('called')), ['choice']));
    await expect(
      model.decide({ input: 'x', questions: { a: { type: 'yes-no', text: 'A?' } } }, { signal }),
    ).rejects.toMatchObject({
      code: 'decision-model-unsupported',
    });
  });

  it('takes the old name of the method, and nothing that is no decision model', async () => {
    const old = {
      provider: 'p',
      modelId: 'm',
      supportedQuestionTypes: ['boolean'],
      doEvaluate: async () => ({ answers: { a: { type: 'boolean', probability: 0.5 } } }),
    };
    const { answers } = await aiSdkDecisionModel(old).decide(
      { input: 'x', questions: { a: { type: 'yes-no', text: 'A?' } } },
      { signal },
    );
    expect(answers).toEqual({ a: { type: 'yes-no', probability: 0.5 } });
    expect(() => aiSdkDecisionModel({ provider: 'p', modelId: 'm', supportedQuestionTypes: [] })).toThrow(
      'Not a decision model of the AI SDK',
    );
  });
});
