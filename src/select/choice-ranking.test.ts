import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import type { Answer, ChoiceQuestion, DecisionRequest } from '../decision/port.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import type { ScriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { memorySelectionCache } from './selection-cache.ts';
import type { SelectionOptions } from './select-options.ts';
import { createToolSelector } from './select-tools.ts';
import type { SelectToolsRequest } from './select-tools.ts';

const tools = (count: number): ToolDefinition[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `t${index}`,
    description: `Does ${index}. ${'More. '.repeat(100)}`,
    inputSchema: { type: 'object' },
  }));
const go: SelectToolsRequest = { messages: [], userMessage: { role: 'user', content: 'go' } };
const rank = async (
  count: number,
  options: SelectionOptions,
): Promise<Awaited<ReturnType<ReturnType<typeof createToolSelector>['select']>>> =>
  createToolSelector({ ...options, ranking: 'choice' }).select(tools(count), go);
const choices = (model: ScriptedDecisionModel): readonly ChoiceQuestion[] =>
  model.requests.flatMap(({ questions }) => Object.values(questions).filter((question) => question.type === 'choice'));

/** Answers choices and yes/no questions by different tables, by tool name. */
function judge(
  choice: Record<string, number>,
  yes: Record<string, number>,
  fails: (request: DecisionRequest, isChoice: boolean) => boolean = () => false,
): ScriptedDecisionModel {
  return scriptedDecisionModel({
    script(request) {
      const isChoice = Object.values(request.questions).some((question) => question.type === 'choice');
      if (fails(request, isChoice)) return Promise.reject(new Error('503'));
      const answers = Object.entries(request.questions).map(([id, question]): [string, Answer] => {
        if (question.type === 'yes-no')
          return [id, { type: 'yes-no', probability: yes[question.about?.tool.name ?? ''] ?? 0 }];
        if (question.type !== 'choice') throw new Error('a scale was not expected');
        const weights = Object.keys(question.options).map((option): [string, number] => [
          option,
          choice[question.about?.tools[option]?.name ?? option] ?? 0,
        ]);
        const best = weights.reduce((top, next) => (next[1] > top[1] ? next : top));
        return [id, { type: 'choice', value: best[0], probabilities: Object.fromEntries(weights) }];
      });
      return { answers: Object.fromEntries(answers) };
    },
  });
}

describe('ranking by choice', () => {
  it('asks one choice with a "none" option and one gate for each tool when there are few', async () => {
    const decisionModel = judge({ t1: 0.7, t2: 0.2 }, { t0: 0.29, t1: 0.4, t2: 0.9 });
    const { kept, report } = await rank(3, { decisionModel });
    expect(kept).toEqual([1, 2]);
    expect(report).toMatchObject({ asked: 3, requests: 2, notes: [] });
    expect(report.entries.map(({ probability }) => probability)).toEqual([0.29, 0.4, 0.9]);
    const [question] = choices(decisionModel);
    expect(Object.keys(question?.options ?? {})).toEqual(['t0', 't1', 't2', 'none']);
    expect(Object.keys(question?.about?.tools ?? {})).toEqual(['t0', 't1', 't2']);
  });

  it('orders by the choice, not by the gate, when room is short', async () => {
    const decisionModel = judge({ t1: 0.7, t2: 0.2 }, { t0: 0.9, t1: 0.4, t2: 0.9 });
    expect((await rank(3, { decisionModel, maxTools: 1 })).kept).toEqual([1]);
  });

  it('gates by the user’s rule when there is one', async () => {
    const decisionModel = judge({ t1: 0.7 }, { t0: 0.55, t1: 0.4 });
    expect((await rank(2, { decisionModel, minProbability: 0.5 })).kept).toEqual([0]);
  });

  it('finds that nothing fits when "none" wins and no yes is clear', async () => {
    const none = await rank(3, { decisionModel: judge({ none: 0.6, t1: 0.3 }, { t1: 0.45 }) });
    expect(none.kept).toEqual([]);
    expect(none.report.notes).toEqual(['No tool fits this conversation.']);
    expect((await rank(3, { decisionModel: judge({ none: 0.6, t1: 0.3 }, { t1: 0.5 }) })).kept).toEqual([1]);
  });

  it('narrows many in chunks with short texts, and compares the finalists with long ones', async () => {
    const decisionModel = judge({ t3: 0.5, t70: 0.4, t139: 0.1 }, { t3: 0.9, t70: 0.9, t139: 0.9 });
    const { kept, report } = await rank(140, { decisionModel });
    expect(kept).toEqual([3, 70, 139]);
    const rounds = choices(decisionModel).map((question) => Object.keys(question.options).length);
    // 140 tools in 3 chunks of at most 47; each sends 8 on, which makes 24 finalists.
    expect(rounds).toEqual([48, 48, 47, 25]);
    const lengths = choices(decisionModel).map((question) =>
      Math.max(...Object.values(question.options).map((text) => text?.length ?? 0)),
    );
    expect(lengths.slice(0, 3).every((length) => length <= 170)).toBe(true);
    expect(lengths[3]).toBeGreaterThan(500);
    expect(report.entries[0]).toMatchObject({ kept: false });
    expect(report.entries.filter(({ reason }) => reason === 'shortlist')).toHaveLength(116);
  });

  it('keeps to the number of options and the tokens a model takes', async () => {
    const decisionModel = { ...judge({ t3: 1 }, { t3: 0.9 }), limits: { maxOptions: 26, maxInputTokens: 2048 } };
    const { kept } = await rank(100, { decisionModel });
    expect(kept).toEqual([3]);
    for (const question of choices(decisionModel)) expect(Object.keys(question.options).length).toBeLessThanOrEqual(26);
  });

  it('cuts the texts of the final round to what a small model takes', async () => {
    const decisionModel = {
      ...judge({ t3: 1 }, { t3: 0.9 }),
      limits: { maxOptions: 26, maxInputTokens: 2048, maxRequestBytes: 65_536 },
    };
    await rank(100, { decisionModel });
    const final = decisionModel.requests.filter(({ questions }) => questions['choice'] !== undefined).at(-1);
    const { options = {} } = choices(decisionModel).at(-1) ?? {};
    expect(Object.keys(options)).toHaveLength(25);
    const text = JSON.stringify([final?.input, options]);
    expect(text.length / 3).toBeLessThan(2048);
    expect(options['t0']).toMatch(/^t\d+: Does \d+\./u);
  });

  it('sends fewer into the final round of a model that takes few options', async () => {
    const decisionModel = { ...judge({ t3: 1 }, { t3: 0.9 }), limits: { maxOptions: 11 } };
    expect((await rank(40, { decisionModel })).kept).toEqual([3]);
    for (const question of choices(decisionModel)) expect(Object.keys(question.options).length).toBeLessThanOrEqual(11);
  });

  it('lets a failed chunk cost its tools, and a failed final choice the order only', async () => {
    let call = 0;
    const chunkFails = judge({ t3: 1 }, { t3: 0.9 }, (_, isChoice) => isChoice && (call += 1) === 2);
    const { report } = await rank(140, { decisionModel: chunkFails });
    expect(report.entries.filter(({ reason, kept }) => reason === 'fallback' && kept)).toHaveLength(47);
    expect(report).toMatchObject({ degraded: true, failed: 47 });
    const finalFails = judge({}, { t0: 0.4, t2: 0.9 }, (_, isChoice) => isChoice);
    const ordered = await rank(3, { decisionModel: finalFails, maxTools: 1 });
    expect(ordered.kept).toEqual([2]);
    expect(ordered.report).toMatchObject({
      degraded: true,
      failed: 0,
      notes: ['The tools could be judged but not compared: The decision model of scripted failed: 503'],
    });
  });

  it('lets a gate that fails cost its tools', async () => {
    const decisionModel = judge(
      { t1: 0.7 },
      { t1: 0.9 },
      (request, isChoice) => !isChoice && Object.values(request.questions).length === 1,
    );
    const { kept, report } = await rank(3, { decisionModel, maxToolsPerDecisionRequest: 2 });
    expect(kept).toEqual([1, 2]);
    expect(report.entries.map(({ reason }) => reason)).toEqual(['score', 'score', 'fallback']);
  });

  it.each<[string, unknown]>([
    ['is refused', { type: 'refusal' }],
    ['is of another kind', { type: 'yes-no', probability: 1 }],
    ['is missing', undefined],
    ['names an option that was not offered', { type: 'choice', value: 'other', probabilities: {} }],
  ])('falls back to the order of the gate when the choice %s', async (_, answer) => {
    const decisionModel = scriptedDecisionModel({
      script: ({ questions }) => ({
        answers: Object.fromEntries(
          Object.entries(questions).map(([id, question], index) => [
            id,
            question.type === 'choice' ? answer : { type: 'yes-no', probability: [0.4, 0.9, 0.5][index] },
          ]),
        ),
      }),
    });
    const { kept, report } = await rank(3, { decisionModel, maxTools: 1 });
    expect(kept).toEqual([1]);
    expect(report.degraded).toBe(true);
  });

  it('takes the chosen option for certain when there is no distribution', async () => {
    const decisionModel = scriptedDecisionModel({
      script: ({ questions }) => ({
        answers: Object.fromEntries(
          Object.entries(questions).map(([id, question]) => [
            id,
            question.type === 'choice'
              ? { type: 'choice', value: 't2', probabilities: {} }
              : { type: 'yes-no', probability: 0.4 },
          ]),
        ),
        modelId: 'pinned',
        usage: { inputTokens: 5 },
      }),
    });
    const { kept, report } = await rank(3, { decisionModel, maxTools: 1 });
    expect(kept).toEqual([2]);
    expect(report).toMatchObject({ model: { modelId: 'pinned' }, usage: { inputTokens: 10 } });
  });

  it('compares by the first paragraph while many are compared', async () => {
    const decisionModel = judge({ t3: 1 }, { t3: 0.9 });
    const list = tools(30).map((one) => ({ ...one, description: `First of ${one.name}.\n\nSecond.` }));
    await createToolSelector({ decisionModel, ranking: 'choice' }).select(list, go);
    const [chunk, ...others] = choices(decisionModel);
    expect(chunk?.options['t0']).toBe('t0: First of t0.');
    expect(others.at(-1)?.options['t0']).toBe('t0: First of t0.\n\nSecond.');
  });

  it('keeps the better tools of equal chunks in their order, and cuts 25 tools into chunks that shrink', async () => {
    const decisionModel = judge({}, { t0: 0.9, t24: 0.9 });
    const { kept } = await rank(25, { decisionModel });
    expect(kept).toEqual([0]);
    expect(choices(decisionModel).map((question) => Object.keys(question.options).length)).toEqual([26, 25]);
  });

  it('asks about 24 tools in one round', async () => {
    const decisionModel = judge({}, {});
    await rank(24, { decisionModel });
    expect(choices(decisionModel)).toHaveLength(1);
  });

  it('is kept in the cache with its order', async () => {
    const decisionModel = judge({ t1: 0.7, t2: 0.2 }, { t0: 0.9, t1: 0.4, t2: 0.9 });
    const selector = createToolSelector({
      decisionModel,
      ranking: 'choice',
      cache: memorySelectionCache(),
      maxTools: 2,
    });
    const list = tools(3);
    const first = await selector.select(list, go);
    const again = await selector.select(list, go);
    expect(first.kept).toEqual([1, 2]);
    expect(again.kept).toEqual([1, 2]);
    expect(again.report).toMatchObject({ cached: true, requests: 0 });
    expect(decisionModel.requests).toHaveLength(2);
  });
});
