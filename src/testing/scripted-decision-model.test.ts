import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import type { DecisionRequest } from '../decision/port.ts';
import { decisionModelContract } from './decision-model-contract.ts';
import type { ContractAnswer } from './decision-model-contract.ts';
import { scriptedDecisionModel } from './scripted-decision-model.ts';
import { validateDecisionResponse } from '../decision/validate-response.ts';
import { checkDecisionRequest } from '../decision/decision-request.ts';
import type { DecisionModel } from '../decision/port.ts';

const signal = new AbortController().signal;
const tool = (name: string): ToolDefinition => ({ name, inputSchema: {} });

describe('scriptedDecisionModel', () => {
  it('answers from its table, and remembers what it was asked', async () => {
    const model = scriptedDecisionModel({ scores: { a: 0.75, b: 'refuse' }, otherwise: 0.25 });
    const request: DecisionRequest = {
      input: 'x',
      questions: {
        a: { type: 'yes-no', text: 'A?', about: { tool: tool('a') } },
        b: { type: 'yes-no', text: 'B?', about: { tool: tool('b') } },
        c: { type: 'yes-no', text: 'C?', about: { tool: tool('c') } },
        d: {
          type: 'choice',
          text: 'D?',
          options: { x: null, y: null, none: null },
          about: { tools: { x: tool('a'), y: tool('c') } },
        },
        e: { type: 'scale', text: 'E?', levels: [{ label: 'l' }, { label: 'm' }, { label: 'h' }] },
      },
    };
    expect((await model.decide(request, { signal })).answers).toEqual({
      a: { type: 'yes-no', probability: 0.75 },
      b: { type: 'refusal' },
      c: { type: 'yes-no', probability: 0.25 },
      d: { type: 'choice', value: 'x', probabilities: { x: 0.75, y: 0.25, none: 0 } },
      e: { type: 'scale', mean: 1, probabilities: [] },
    });
    expect(model.requests).toEqual([request]);
  });

  it('chooses the last option when no tool claims the choice', async () => {
    const questions = {
      c: { type: 'choice', text: 'C?', options: { x: null, none: null }, about: { tools: { x: tool('a') } } },
    } as const;
    const { answers } = await scriptedDecisionModel({ scores: { a: 0.25 } }).decide(
      { input: 'x', questions },
      { signal },
    );
    expect(answers['c']).toEqual({ type: 'choice', value: 'none', probabilities: { x: 0.25, none: 0.75 } });
  });
});

function encode(answer: ContractAnswer): unknown {
  if (answer === 'refusal') return { type: 'refusal' };
  if (answer === 'wrong-type') return { type: 'box' };
  if ('probability' in answer) return { type: 'yes-no', probability: answer.probability };
  if ('choice' in answer) return { type: 'choice', value: answer.choice, probabilities: answer.probabilities };
  return { type: 'scale', mean: answer.mean, probabilities: answer.probabilities };
}

// The contract itself, on the smallest model that can meet it.
decisionModelContract({ describe, expect, it, onTestFinished }, 'a model of ten lines', {
  start(behaviour) {
    const received: string[] = [];
    const model: DecisionModel = {
      provider: 'tiny',
      modelId: '1',
      async decide(request, options) {
        checkDecisionRequest(request);
        options.signal.throwIfAborted();
        received.push(JSON.stringify([request.input, Object.values(request.questions).map(({ text }) => text)]));
        if (behaviour.fault === 'hang')
          await new Promise((_, reject) =>
            options.signal.addEventListener('abort', () => reject(options.signal.reason as Error)),
          );
        if (behaviour.fault === 'error') throw Object.assign(new Error('for good'), { code: 'x' });
        const answers = Object.fromEntries(
          Object.entries(request.questions).map(([id, { text }]) => [
            id,
            encode(behaviour.answer?.(text) ?? { probability: 0.5 }),
          ]),
        );
        return validateDecisionResponse(request, behaviour.fault === 'garbage' ? 7 : { answers }, 'tiny');
      },
    };
    return { model, received: () => received };
  },
  skip: { error: 'a plain error of a tiny model has no type' },
});
