import { describe, expect, it } from 'vitest';
import { decideInBatches } from './decide-in-batches.ts';
import type { DecisionRequest, DecisionResponse, Question } from './port.ts';

const ask = (count: number): DecisionRequest => ({
  input: 'x',
  questions: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `q${index}`,
      { type: 'yes-no', text: `Q${index}?` } satisfies Question,
    ]),
  ),
});
const answerAll = (request: DecisionRequest): DecisionResponse => ({
  answers: Object.fromEntries(
    Object.keys(request.questions).map((id) => [id, { type: 'yes-no', probability: Number(id.slice(1)) / 100 }]),
  ),
  modelId: 'm',
  usage: { inputTokens: 10 },
});
const signal = new AbortController().signal;

describe('decideInBatches', () => {
  it('sends a request that fits as it is', async () => {
    const request = ask(3);
    const sent: DecisionRequest[] = [];
    await decideInBatches(request, {
      limits: { maxQuestions: 3 },
      maxParallel: 1,
      signal,
      send: async (part) => answerAll((sent.push(part), part)),
    });
    expect(sent[0]).toBe(request);
  });

  it('joins the answers, counts the tokens and keeps to the number of requests at the same time', async () => {
    let running = 0;
    let most = 0;
    const response = await decideInBatches(ask(7), {
      limits: { maxQuestions: 2 },
      maxParallel: 2,
      signal,
      async send(part) {
        most = Math.max(most, (running += 1));
        await Promise.resolve();
        running -= 1;
        return answerAll(part);
      },
    });
    expect(most).toBe(2);
    expect(response).toEqual({ ...answerAll(ask(7)), usage: { inputTokens: 40 } });
  });

  it('gives the other parts up when one fails', async () => {
    const signals: AbortSignal[] = [];
    const outcome = decideInBatches(ask(4), {
      limits: { maxQuestions: 1 },
      maxParallel: 4,
      signal,
      send(part, partSignal) {
        signals.push(partSignal);
        return 'q2' in part.questions ? Promise.reject(new Error('third')) : new Promise(() => {});
      },
    });
    await expect(outcome).rejects.toThrow('third');
    expect(signals.every((one) => one.aborted)).toBe(true);
  });

  it('refuses what fits no request, before anything is sent', async () => {
    const send = (): Promise<DecisionResponse> => Promise.reject(new Error('sent'));
    const options = { maxParallel: 1, signal, send };
    const choice: Question = { type: 'choice', text: 'C?', options: { a: null, b: null, c: null } };
    await expect(
      decideInBatches({ input: 'x', questions: { choice } }, { ...options, limits: { maxOptions: 2 } }),
    ).rejects.toMatchObject({
      code: 'decision-model-unsupported',
      data: { limit: 'maxOptions' },
    });
    await expect(
      decideInBatches({ ...ask(1), input: 'é'.repeat(500) }, { ...options, limits: { maxRequestBytes: 1500 } }),
    ).rejects.toMatchObject({
      data: { limit: 'maxRequestBytes' },
    });
    const scale: Question = { type: 'scale', text: 'S?', levels: [{ label: 'a' }, { label: 'b' }, { label: 'c' }] };
    await expect(
      decideInBatches({ input: 'x', questions: { scale } }, { ...options, limits: { maxOptions: 2 } }),
    ).rejects.toMatchObject({
      message: 'A question has 3 options; the decision model takes at most 2.',
    });
    for (const fine of [{ maxOptions: 3 }, { maxOptions: 0 }, {}]) {
      await expect(
        decideInBatches(
          { input: 'x', questions: { choice, scale, ...ask(1).questions } },
          { ...options, limits: fine },
        ),
      ).rejects.toThrow('sent');
    }
    await expect(
      decideInBatches({ ...ask(1), input: 'x'.repeat(800) }, { ...options, limits: { maxRequestBytes: 1500 } }),
    ).rejects.toThrow('sent');
  });
});
