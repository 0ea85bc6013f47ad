import * as decisions from '@langchain/core/decisions';
import { HumanMessage } from '@langchain/core/messages';
import { localDecisionModel } from 'toolgate';
import type { DecisionRequest } from 'toolgate';
import { toLangchainDecisionModel } from 'toolgate/langchain';
import { langchainDecisionModel } from 'toolgate/models';
import { scriptedDecisionModel } from 'toolgate/testing';
import { describe, expect, it } from 'vitest';

const never = new AbortController().signal;

describe('a decision model as one of LangChain', () => {
  it('answers their three kinds of questions', async () => {
    const asked: DecisionRequest[] = [];
    const model = toLangchainDecisionModel(decisions, {
      provider: 'mine',
      modelId: 'm1',
      async decide(request) {
        asked.push(request);
        return await Promise.resolve({
          answers: {
            urgent: { type: 'yes-no', probability: 0.8 },
            team: { type: 'choice', value: 'sales', probabilities: { sales: 0.7, support: 0.3 } },
            anger: { type: 'scale', mean: 1.2, probabilities: [0.2, 0.4, 0.4] },
          },
          usage: { inputTokens: 3, outputTokens: 1 },
        });
      },
    });
    const response = await model.invoke({
      state: { messages: [new HumanMessage('Now!')] },
      questions: {
        urgent: { type: 'noul', instructions: 'Is it urgent?', criteria: { true: 'today' } },
        team: { type: 'choice', instructions: 'Who?', criteria: { sales: null, support: 'Helps.' } },
        anger: { type: 'score', instructions: 'How angry?', criteria: ['calm', 'cross', 'furious'] },
      },
    });
    expect(model).toBeInstanceOf(decisions.BaseDecisionModel);
    expect(response.nouls.urgent.noul).toBe(0.8);
    expect(response.choices.team).toMatchObject({ choice: 'sales', confidence: 0.7 });
    expect(response.scores.anger).toMatchObject({ score: 1.2, probabilities: { 0: 0.2, 1: 0.4, 2: 0.4 } });
    expect(response.usage_metadata).toMatchObject({ input_tokens: 3, output_tokens: 1, total_tokens: 4 });
    expect(asked).toEqual([
      {
        input: { messages: [{ role: 'user', content: 'Now!' }] },
        questions: {
          urgent: { type: 'yes-no', text: 'Is it urgent?', yesWhen: 'today' },
          team: { type: 'choice', text: 'Who?', options: { sales: null, support: 'Helps.' } },
          anger: {
            type: 'scale',
            text: 'How angry?',
            levels: [{ label: 'calm' }, { label: 'cross' }, { label: 'furious' }],
          },
        },
      },
    ]);
  });

  it('comes back as it was', async () => {
    const own = scriptedDecisionModel({ script: () => ({ answers: { a: { type: 'yes-no', probability: 0.25 } } }) });
    const there = toLangchainDecisionModel(decisions, own);
    const back = langchainDecisionModel(there as never);
    const request: DecisionRequest = { input: 'x', questions: { a: { type: 'yes-no', text: 'Is it?' } } };
    expect((await back.decide(request, { signal: never })).answers).toEqual({
      a: { type: 'yes-no', probability: 0.25 },
    });
  });

  it('says which question it cannot answer', async () => {
    const model = toLangchainDecisionModel(decisions, localDecisionModel());
    await expect(
      model.invoke({ state: 'x', questions: { where: { type: 'box', instructions: 'Where is it?' } } }),
    ).rejects.toThrow(/"where" is of the type "box"/);
  });
});
