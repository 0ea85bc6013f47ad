import { describe, expect, it } from 'vitest';
import { silentLogger } from '../core/logger.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { memorySelectionCache } from './selection-cache.ts';
import type { CachedDecision, SelectionCache } from './selection-cache.ts';
import { createToolSelector } from './select-tools.ts';
import type { SelectToolsRequest } from './select-tools.ts';

const tools: readonly ToolDefinition[] = ['a', 'b', 'c'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const hello: SelectToolsRequest = { messages: [], userMessage: { role: 'user', content: 'hello' } };

describe('a selection with a cache', () => {
  it('SM-27 a retry of the same request reuses the decision of the first attempt', async () => {
    let call = 0;
    const picks = [
      ['a', 'b'],
      ['b', 'c'],
    ];
    const decisionModel = scriptedDecisionModel({
      script: ({ questions }) => {
        const pick = picks[call] ?? [];
        call += 1;
        return {
          answers: Object.fromEntries(
            Object.entries(questions).map(([id, question]) => [
              id,
              {
                type: 'yes-no',
                probability: question.type === 'yes-no' && pick.includes(question.about?.tool.name ?? '') ? 0.9 : 0.1,
              },
            ]),
          ),
          modelId: 'pinned-1',
        };
      },
    });
    const selector = createToolSelector({ decisionModel, cache: memorySelectionCache() });
    const first = await selector.select(tools, hello);
    const second = await selector.select(tools, hello);
    expect(first.kept).toEqual([0, 1]);
    expect(second.kept).toEqual([0, 1]);
    expect(call).toBe(1);
    expect(first.report).toMatchObject({ cached: false, requests: 1 });
    expect(second.report).toMatchObject({ cached: true, requests: 0, model: { modelId: 'pinned-1' } });
  });

  it('SM-20 never gives one principal what another was told', async () => {
    const decisionModel = scriptedDecisionModel({ otherwise: 1 });
    const selector = createToolSelector({ decisionModel, cache: memorySelectionCache() });
    const principals = [
      { tenant: 'A', id: 'u' },
      { tenant: 'B', id: 'u' },
      { tenant: 'A', id: 'v' },
      undefined,
      { id: 'u' },
      { id: 'Au' },
    ];
    for (const principal of principals) await selector.select(tools, { ...hello, principal });
    expect(decisionModel.requests).toHaveLength(principals.length);
    const secret: ToolDefinition = { name: 'a_secret_tool', inputSchema: { type: 'object' } };
    await selector.select([secret, ...tools], { ...hello, principal: { tenant: 'A', id: 'u' } });
    await selector.select(tools, { ...hello, principal: { tenant: 'B', id: 'u' } });
    expect(decisionModel.requests).toHaveLength(principals.length + 1);
    expect(JSON.stringify(decisionModel.requests.slice(1, 2))).not.toContain('a_secret_tool');
  });

  it('knows nothing when the conversation, the tools, the wording or the model differ', async () => {
    const cache = memorySelectionCache();
    const asked: string[] = [];
    const model = (modelId: string): ReturnType<typeof scriptedDecisionModel> =>
      scriptedDecisionModel({
        modelId,
        script: ({ questions }) => {
          asked.push(modelId);
          return {
            answers: Object.fromEntries(Object.keys(questions).map((id) => [id, { type: 'yes-no', probability: 1 }])),
          };
        },
      });
    const one = createToolSelector({ decisionModel: model('1'), cache });
    await one.select(tools, hello);
    await one.select(tools, { ...hello, messages: [{ role: 'assistant', content: 'before' }] });
    await one.select(tools.slice(1), hello);
    await one.select([{ ...(tools[0] as ToolDefinition), description: 'changed' }, ...tools.slice(1)], hello);
    await createToolSelector({ decisionModel: model('1'), cache, questionTemplate: 'Is {{name}} useful?' }).select(
      tools,
      hello,
    );
    await createToolSelector({ decisionModel: model('2'), cache }).select(tools, hello);
    expect(asked).toEqual(['1', '1', '1', '1', '1', '2']);
    await createToolSelector({ decisionModel: model('1'), cache }).select(tools, hello);
    expect(asked).toHaveLength(6);
  });

  it('SM-24 shares one call among identical requests at the same time', async () => {
    const decisionModel = scriptedDecisionModel({ scores: { b: 0.9 } });
    const selector = createToolSelector({ decisionModel, cache: memorySelectionCache() });
    const selections = await Promise.all(Array.from({ length: 10 }, () => selector.select(tools, hello)));
    expect(decisionModel.requests).toHaveLength(1);
    expect(selections.map(({ kept }) => kept)).toEqual(Array.from({ length: 10 }, () => [1]));
    expect(selections.reduce((sum, { report }) => sum + report.requests, 0)).toBe(1);
  });

  it('leaves the others alone when one of them gives up, and ends the call with the last one', async () => {
    let seen: AbortSignal | undefined;
    let answer: (value: unknown) => void = () => {};
    const decisionModel = scriptedDecisionModel({
      script: (_, { signal }) => {
        seen = signal;
        return new Promise((resolve) => (answer = resolve));
      },
    });
    const selector = createToolSelector({ decisionModel, cache: memorySelectionCache() });
    const first = new AbortController();
    const leaving = selector.select(tools, { ...hello, signal: first.signal });
    const staying = selector.select(tools, hello);
    await new Promise((resolve) => setImmediate(resolve));
    first.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'aborted' });
    expect(seen?.aborted).toBe(false);
    answer({
      answers: {
        tool0: { type: 'yes-no', probability: 1 },
        tool1: { type: 'yes-no', probability: 0 },
        tool2: { type: 'refusal' },
      },
    });
    const { kept, report } = await staying;
    expect(kept).toEqual([0, 2]);
    expect(report).toMatchObject({ degraded: true, failed: 1 });
    const last = new AbortController();
    const alone = selector.select(tools, { ...hello, signal: last.signal });
    await new Promise((resolve) => setImmediate(resolve));
    last.abort();
    await expect(alone).rejects.toMatchObject({ code: 'aborted' });
    expect(seen?.aborted).toBe(true);
  });

  it('counts the answers that came before the time limit, as without a cache', async () => {
    const clock = manualClock();
    const quick = scriptedDecisionModel({ scores: { a: 0.9 } });
    const decisionModel = scriptedDecisionModel({
      script: (request, { signal, attempt }) =>
        attempt === 1 ? quick.decide(request, { signal }) : new Promise(() => {}),
    });
    const selector = createToolSelector({
      decisionModel,
      cache: memorySelectionCache(),
      clock,
      timeoutMs: 50,
      maxToolsPerDecisionRequest: 1,
      fallbackStrategy: 'always-included',
    });
    const selection = selector.select(tools, hello);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(50);
    const { kept, report } = await selection;
    expect(kept).toEqual([0]);
    expect(report).toMatchObject({ mode: 'select', failed: 2, degraded: true });
  });

  it('keeps no decision that has a failure in it', async () => {
    let call = 0;
    const decisionModel = scriptedDecisionModel({ script: () => Promise.reject(new Error(`down ${(call += 1)}`)) });
    const selector = createToolSelector({ decisionModel, cache: memorySelectionCache() });
    await selector.select(tools, hello);
    await selector.select(tools, hello);
    expect(call).toBe(2);
  });

  it.each<[string, unknown]>([
    ['another number of tools', { probabilities: [1] }],
    ['no numbers', { probabilities: ['1', 1, 1] }],
    ['a number that is no probability', { probabilities: [2, 1, 1] }],
    ['a gap without an order', { probabilities: [null, 1, 1] }],
    ['an order of tools that are not there', { probabilities: [1, 1, 1], order: [3] }],
    ['nothing of the kind', 'x'],
  ])('asks when what the cache gives is of %s', async (_, given) => {
    const decisionModel = scriptedDecisionModel({ scores: { c: 1 } });
    const cache: SelectionCache = { get: () => given as CachedDecision, set() {} };
    const { kept, report } = await createToolSelector({ decisionModel, cache }).select(tools, hello);
    expect(kept).toEqual([2]);
    expect(report.cached).toBe(false);
  });

  it('asks when the cache fails, and does not mind when it cannot store', async () => {
    const warnings: string[] = [];
    const decisionModel = scriptedDecisionModel({ scores: { c: 1 } });
    const cache: SelectionCache = {
      get: () => Promise.reject(new Error('no redis')),
      set: () => Promise.reject(new Error('no redis')),
    };
    const selector = createToolSelector({
      decisionModel,
      cache,
      logger: { ...silentLogger, warn: (message) => warnings.push(message) },
    });
    expect((await selector.select(tools, hello)).kept).toEqual([2]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([
      'The selection cache could not be read; the decision model is asked.',
      'The selection cache could not be written.',
    ]);
  });
});

describe('memorySelectionCache', () => {
  it('forgets the least recently used', () => {
    const cache = memorySelectionCache({ maxEntries: 2 });
    const decision: CachedDecision = { probabilities: [] };
    void cache.set('sha256:1', decision);
    void cache.set('sha256:2', decision);
    void cache.get('sha256:1');
    void cache.set('sha256:3', decision);
    expect(cache.get('sha256:2')).toBeUndefined();
    expect(cache.get('sha256:1')).toBe(decision);
    expect(cache.get('sha256:3')).toBe(decision);
  });
});
