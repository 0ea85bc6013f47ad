import { describe, expect, it } from 'vitest';
import { silentLogger } from '../core/logger.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { listenTo } from './listeners.ts';
import type { DecisionRequest } from './port.ts';

const request: DecisionRequest = { input: 'x', questions: { a: { type: 'yes-no', text: 'A?' } } };
const good = { answers: { a: { type: 'yes-no', probability: 0.5 } } };
const signal = new AbortController().signal;

describe('listenTo', () => {
  it('is the model itself without listeners', () => {
    const model = scriptedDecisionModel();
    expect(listenTo(model, [], silentLogger)).toBe(model);
  });

  it('tells of request, response and error, with attributes shared by the events of one request', async () => {
    const model = scriptedDecisionModel({
      script: (_, { attempt }) => (attempt === 1 ? good : Promise.reject(new Error('down'))),
    });
    const told: unknown[] = [];
    const watched = listenTo(
      model,
      [
        { onRequest: ({ attributes, provider, modelId }) => attributes.set('started', `${provider}/${modelId}`) },
        {
          onResponse: ({ attributes, response }) => told.push(attributes.get('started'), response),
          onError: ({ attributes, error }) => told.push(attributes.get('started'), (error as Error).message),
        },
      ],
      silentLogger,
    );
    await watched.decide(request, { signal });
    await expect(watched.decide(request, { signal })).rejects.toThrow('down');
    expect(told).toEqual(['scripted/scripted-1', good, 'scripted/scripted-1', 'down']);
  });

  it('tells of an answer that does not fit as an error, and still gives it to who asked', async () => {
    const told: unknown[] = [];
    const watched = listenTo(
      scriptedDecisionModel({ script: () => ({ answers: { b: 1 } }) }),
      [
        {
          onResponse: () => told.push('response'),
          onError: ({ error }) => told.push((error as { code?: unknown }).code),
        },
      ],
      silentLogger,
    );
    expect(await watched.decide(request, { signal })).toEqual({ answers: { b: 1 } });
    expect(told).toEqual(['decision-model-invalid-response']);
  });

  it('keeps what the model says of itself', () => {
    const model = scriptedDecisionModel({
      limits: { maxQuestions: 3 },
      batching: 'none',
      recommended: { minProbability: 0.2 },
    });
    expect(listenTo(model, [{}], silentLogger)).toMatchObject({
      provider: 'scripted',
      modelId: 'scripted-1',
      limits: { maxQuestions: 3 },
      batching: 'none',
      recommended: { minProbability: 0.2 },
    });
  });

  it('is not broken by listeners that throw, reject or meet a broken logger', async () => {
    const warnings: unknown[] = [];
    const bad = [
      {
        onRequest() {
          throw new Error('sync');
        },
        onResponse: (() => Promise.reject(new Error('async'))) as never,
      },
    ];
    const watched = listenTo(scriptedDecisionModel(), bad, {
      ...silentLogger,
      warn: (_, details) => warnings.push(details?.['error']),
    });
    expect((await watched.decide(request, { signal })).answers['a']).toEqual({ type: 'yes-no', probability: 0 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual(['sync', 'async']);
    const broken = {
      ...silentLogger,
      warn() {
        throw new Error('logger');
      },
    };
    await expect(listenTo(scriptedDecisionModel(), bad, broken).decide(request, { signal })).resolves.toBeDefined();
  });
});
