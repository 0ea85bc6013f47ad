import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../core/tool.ts';
import type { DecisionModel, DecisionRequest } from '../../decision/port.ts';
import { createDecisionModelScorer } from './decision-model-scorer.ts';
import { createBm25Scorer } from './bm25-scorer.ts';
import { createHybridScorer, createSimpleScorer } from './strategy-scorer.ts';
import { weightedTurns } from './turns.ts';

const schema = { type: 'object' };
const tools: readonly ToolDefinition[] = [
  { name: 'send_mail', description: 'Sends a letter', inputSchema: schema },
  { name: 'find_file', description: 'Finds mail and files', inputSchema: schema },
  { name: 'weather', inputSchema: schema },
];
const { signal } = new AbortController();
const ask = (content: string) => ({ role: 'user', content });

describe('weightedTurns', () => {
  it('counts older texts less, newest first, and leaves out instructions and results', () => {
    const turns = weightedTurns(
      [
        { role: 'system', content: 'rules' },
        ask('one'),
        { role: 'assistant', content: 'two' },
        { role: 'tool', content: 'result' },
        ask(' '),
        ask('three'),
      ],
      10,
      0.5,
    );
    expect(turns).toEqual([
      { text: 'three', weight: 1 },
      { text: 'two', weight: 0.5 },
      { text: 'one', weight: 0.25 },
    ]);
  });

  it('stops after the limit', () => {
    expect(weightedTurns([ask('1'), ask('2'), ask('3')], 2).map(({ text }) => text)).toEqual(['3', '2']);
  });
});

describe('createSimpleScorer', () => {
  it('gives 2 for the name and 1 for the description, and does not find what scores below 1', async () => {
    const { scores } = await createSimpleScorer(tools).score({ messages: [ask('Mail  a MAIL file')], signal });
    // mail: 2 and 1; a: 2 + 1 (letter has none, "Sends a letter" has) and 0 + 1 ("and"), weather has an a in its name: 2; file: 0 and 3.
    expect([...(scores as Float64Array)]).toEqual([5, 5, 2]);
    const none = await createSimpleScorer(tools).score({ messages: [ask('zzz')], signal });
    expect([...(none.scores as Float64Array)]).toEqual([-Infinity, -Infinity, -Infinity]);
  });

  it('judges by the last message alone whether anything is needed', async () => {
    const { scores, evidence } = await createSimpleScorer(tools).score({
      messages: [ask('weather'), ask('thx')],
      signal,
    });
    expect((scores as Float64Array)[2]).toBeCloseTo(1.4, 12);
    expect([...(evidence as Float64Array)]).toEqual([0, 0, 0]);
  });
});

describe('the lexical scorers', () => {
  it.each([
    ['bm25', createBm25Scorer],
    ['hybrid', createHybridScorer],
  ])('%s ranks by words, with the conversation behind the last message', async (name, create) => {
    const scorer = await create(tools);
    expect(scorer.name).toBe(name);
    const first = (scores: ArrayLike<number>): number => Array.from(scores).indexOf(Math.max(...Array.from(scores)));
    const mail = await scorer.score({ messages: [ask('please send a mail')], signal });
    expect(first(mail.scores)).toBe(0);
    const moved = await scorer.score({ messages: [ask('please send a mail'), ask('now find the file')], signal });
    expect(first(moved.scores)).toBe(1);
    const confirmed = await scorer.score({ messages: [ask('how is the weather'), ask('yes')], signal });
    expect(first(confirmed.scores)).toBe(2);
    expect(await scorer.score({ messages: [ask('please send a mail')], signal })).toEqual(mail);
  });
});

describe('createDecisionModelScorer', () => {
  it('asks about every tool, or the candidates, as the selection does', async () => {
    const requests: DecisionRequest[] = [];
    const model: DecisionModel = {
      provider: 'test',
      modelId: 'test',
      recommended: { minProbability: 0.3 },
      decide(request) {
        requests.push(request);
        return Promise.resolve({
          answers: {
            t0: { type: 'yes-no', probability: 0.25 },
            t1: { type: 'refusal' },
            t2: { type: 'yes-no', probability: 0.75 },
          },
        });
      },
    };
    const scorer = createDecisionModelScorer('mine', model, tools);
    expect(scorer.rule).toEqual({ minProbability: 0.3 });
    expect(scorer.version).toBe('test');
    const result = await scorer.score({ messages: [ask('x')], signal });
    expect([...(result.probabilities as Float64Array)]).toEqual([0.25, 0, 0.75]);
    expect(Object.keys(requests[0]?.questions ?? {})).toEqual(['t0', 't1', 't2']);
    expect(requests[0]?.context?.catalogue).toBe(tools);
    await scorer.score({ messages: [ask('x')], candidates: [2], signal });
    expect(requests[1]?.questions).toMatchObject({ t2: { about: { tool: tools[2] } } });
    expect(Object.keys(requests[1]?.questions ?? {})).toEqual(['t2']);
  });
});
