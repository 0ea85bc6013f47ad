import { describe, expect, it, onTestFinished } from 'vitest';
import { langchainDecisionModel } from '../../src/models/index.ts';
import type { LangchainDecisionModelLike } from '../../src/models/index.ts';
import { decisionModelContract } from '../../src/testing/decision-model-contract.ts';
import type { ContractAnswer } from '../../src/testing/decision-model-contract.ts';

interface LangchainRequest {
  readonly state: unknown;
  readonly questions: Readonly<Record<string, { readonly type: string; readonly instructions: string }>>;
}

interface LangchainConfig {
  readonly callbacks?: unknown;
  readonly signal?: AbortSignal;
}

/** A model of the form that `@langchain/core` documents. */
function modelThat(
  invoke: (request: LangchainRequest, config: LangchainConfig) => Promise<unknown>,
): LangchainDecisionModelLike {
  return { model: 'lc-1', invoke };
}

function encode(answer: ContractAnswer): unknown {
  if (answer === 'wrong-type') return { type: 'box', box: { top: 0, bottom: 1, left: 0, right: 1 } };
  if (answer === 'refusal') return undefined;
  if ('probability' in answer) return { type: 'noul', noul: answer.probability };
  if ('choice' in answer)
    return { type: 'choice', choice: answer.choice, probabilities: answer.probabilities, confidence: 0.5 };
  const probabilities = Object.fromEntries(
    answer.probabilities.map((probability, level) => [String(level), probability]),
  );
  return { type: 'score', score: answer.mean, legend: {}, probabilities, confidence: 0.5 };
}

decisionModelContract({ describe, expect, it, onTestFinished }, 'langchainDecisionModel', {
  start(behaviour) {
    const received: string[] = [];
    const model = modelThat(async (request, { signal }) => {
      received.push(JSON.stringify(request));
      if (behaviour.fault === 'hang')
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
      if (behaviour.fault === 'garbage') return null;
      if (behaviour.fault === 'error') throw new Error('for good');
      const answers = Object.entries(request.questions).map(([id, question]) => [
        id,
        encode(behaviour.answer?.(question.instructions) ?? { probability: 0.5 }),
      ]);
      return { model: 'lc-1', answers: Object.fromEntries(answers) as unknown };
    });
    return { model: langchainDecisionModel(model), received: () => received };
  },
  skip: { refusal: 'the released answers of LangChain.js know no refusal, a missing answer is an error there' },
});

describe('langchainDecisionModel', () => {
  it('is called without callbacks of a surrounding chain, with the signal, and reads the usage', async () => {
    const configs: LangchainConfig[] = [];
    const model = langchainDecisionModel(
      modelThat(async (_, config) => {
        configs.push(config);
        return {
          model: 'lc-1-pinned',
          answers: { a: { type: 'noul', noul: 0.5 } },
          usage_metadata: { input_tokens: 3, output_tokens: 1 },
        };
      }),
    );
    const response = await model.decide(
      { input: 'x', questions: { a: { type: 'yes-no', text: 'A?' } } },
      { signal: new AbortController().signal },
    );
    expect(response).toMatchObject({ modelId: 'lc-1-pinned', usage: { inputTokens: 3, outputTokens: 1 } });
    expect(configs[0]?.callbacks).toEqual([]);
    expect(configs[0]?.signal).toBeInstanceOf(AbortSignal);
  });
});
