import { describe, expect, it } from 'vitest';
import { messageText } from '../core/message.ts';
import type { SelectionRule } from '../decision/port.ts';
import { runEvaluation } from './run-evaluation.ts';
import type { CreateScorer, ScoreRequest } from './scorers/scorer.ts';
import { smallSet } from '../../test/eval/small-set.ts';

/** Gives each tool the probability that the last message states for it: `a=0.9 b=0.2`. What is not named is not found. */
function statedScorer(rule?: SelectionRule, seen: ScoreRequest[] = []): CreateScorer {
  return (tools) => ({
    name: 'stated',
    rule,
    score(request) {
      seen.push(request);
      const scores = new Float64Array(tools.length).fill(Number.NEGATIVE_INFINITY);
      const probabilities = new Float64Array(tools.length);
      const text = request.messages.map(messageText).join(' ');
      for (const [, name, value] of text.matchAll(/(\w+)=([\d.]+)/g)) {
        const position = tools.findIndex((tool) => tool.name === name);
        scores[position] = Number(value);
        probabilities[position] = Number(value);
      }
      return { scores, probabilities };
    },
  });
}

describe('runEvaluation', () => {
  it('computes every metric of a set by hand', async () => {
    const set = smallSet([
      // Needs a and b: a first, b third. Selected at 0.5: a, c.
      { messages: ['a=0.9 c=0.6 b=0.4'], relevant: ['a', 'b'] },
      // Needs d, not found; its alternative c is first. Selected: c.
      { messages: ['c=0.8'], relevant: ['d'], alternatives: { d: ['c'] } },
      // Nothing fits within b and c, though a does: selected none of them.
      { messages: ['a=0.9 b=0.3'], candidates: ['b', 'c'] },
      // Nothing fits at all: selected d.
      { messages: ['d=0.7'] },
    ]);
    const { run } = await runEvaluation({ sets: [set], createScorer: statedScorer({ minProbability: 0.5 }) });
    const [result] = run.sets;
    const { ci, ...metrics } = result?.metrics ?? { ci: {} };
    expect(metrics).toEqual({
      'recall@1': 0.25,
      'recall@5': 0.5,
      'recall@10': 0.5,
      // (1 + 1/log2(4)) / (1 + 1/log2(3)) = 0.919721, and 0
      'ndcg@10': 0.45986,
      'complete@10': 0.5,
      'lenient_recall@10': 1,
      needless: 0.5,
      // Case 1: 0.01 + 0.36 + 0.36; case 2: 0.64 + 1 (d, given 0); case 4: 0.49; over 3 times 4 tools.
      // The third case's labels hold within its candidates only.
      brier: 0.238333,
      // [0, 0.1) 1, [0.4, 0.5) 0.6, [0.6, 0.7) 0.6, [0.7, 0.8) 0.7, [0.8, 0.9) 0.8, [0.9, 1] 0.1; over 12
      ece: 0.316667,
      // Evidence 0.9 and 0.8 against 0.7.
      auroc_nothing: 1,
      auroc_nothing_candidates: null,
    });
    expect(Object.keys(ci)).toHaveLength(10);
    expect(ci['recall@1']?.[0]).toBe(0);
    expect(ci['recall@1']?.[1]).toBe(0.5);
    // Tools have 10 tokens each.
    expect(result?.selection).toEqual({ tools_mean: 1.5, tokens_mean: 15, recall: 0.25, complete: 0 });
    expect(result).toMatchObject({ name: 'small', tools: 4, cases: 4, cases_available: 4, cases_needing_tools: 2 });
    expect(run.mean.metrics['ndcg@10']).toBe(0.45986);
    expect(run.rule).toEqual({ minProbability: 0.5 });
  });

  it('means over sets, each counting alike, those without the metric left out', async () => {
    const found = { messages: ['a=1'], relevant: ['a'] };
    const lost = { messages: ['b=1'], relevant: ['a'] };
    const { run } = await runEvaluation({
      sets: [smallSet([found, found, found, { messages: ['nothing'] }], 'one'), smallSet([lost], 'two')],
      createScorer: statedScorer({ minProbability: 0.5 }),
    });
    expect(run.mean.metrics['recall@1']).toBe(0.5);
    expect(run.mean.metrics.ci['recall@1']).toEqual([0.5, 0.5]);
    expect(run.mean.metrics.needless).toBe(0);
    expect(run.mean.selection.recall).toBe(0.5);
  });

  it('gives the scorer the window and, where no tool fits, the candidates', async () => {
    const seen: ScoreRequest[] = [];
    const set = smallSet([
      { messages: ['first', 'a=1'], relevant: ['a'], candidates: ['a', 'b'] },
      { messages: ['second', 'thanks'], candidates: ['d', 'b'] },
    ]);
    await runEvaluation({ sets: [set], createScorer: statedScorer(undefined, seen), window: 'last' });
    await runEvaluation({ sets: [set], createScorer: statedScorer(undefined, seen) });
    expect(seen.map(({ messages, candidates }) => [messages.map((message) => message.content), candidates])).toEqual([
      [['a=1'], undefined],
      [['thanks'], [3, 1]],
      [['first', 'a=1'], undefined],
      [
        ['second', 'thanks'],
        [3, 1],
      ],
    ]);
  });

  it('measures latency with the clock it is given', async () => {
    let time = 0;
    const create = statedScorer();
    const { run } = await runEvaluation({
      sets: [smallSet([{ messages: ['a=1'], relevant: ['a'] }])],
      createScorer: async (tools) => {
        time += 7;
        const scorer = await create(tools);
        return {
          ...scorer,
          score(request) {
            time += 5;
            return scorer.score(request);
          },
        };
      },
      now: () => time,
    });
    expect(run.sets[0]?.latency_ms).toEqual({ p50: 5, p95: 5 });
    expect(run.sets[0]?.setup_ms).toBe(7);
  });

  it('selects the first ten found when there is no rule, and has no calibration without probabilities', async () => {
    const { run } = await runEvaluation({
      sets: [smallSet([{ messages: ['x'], relevant: ['a'] }])],
      createScorer: (tools) => ({ name: 'plain', score: () => ({ scores: tools.map((_, index) => -index) }) }),
    });
    expect(run.sets[0]?.selection.tools_mean).toBe(4);
    expect(run.sets[0]?.metrics.brier).toBeNull();
    expect(run.sets[0]?.curves.reliability).toEqual([]);
    expect(run.rule).toBeNull();
  });

  it('gives identical results from run to run, times aside', async () => {
    const cases = Array.from({ length: 60 }, (_, index) => ({
      messages: [`a=0.${index % 10} b=0.${(index * 7) % 10}`],
      ...(index % 5 === 0 ? {} : { relevant: [index % 2 === 0 ? 'a' : 'b'] }),
    }));
    const once = async (seed: number): Promise<string> =>
      JSON.stringify(
        await runEvaluation({ sets: [smallSet(cases)], createScorer: statedScorer(), sample: 40, seed, now: () => 0 }),
      );
    const first = await once(1);
    expect(await once(1)).toBe(first);
    expect(await once(2)).not.toBe(first);
  });

  it('lists what ranks below ten or is not found', async () => {
    const { misses } = await runEvaluation({
      sets: [
        smallSet([
          { messages: ['a=1 b=0.5'], relevant: ['a', 'd'] },
          { messages: ['a=1'], relevant: ['a'] },
        ]),
      ],
      createScorer: statedScorer(),
    });
    expect(misses.get('small')).toEqual([
      {
        id: 'case-0',
        kind: 'case',
        query: 'a=1 b=0.5',
        needed: [
          { id: 'a', rank: 1 },
          { id: 'd', rank: null },
        ],
        first: ['a', 'b'],
        'ndcg@10': 0.613147,
      },
    ]);
  });

  it('lets other events through, so that a run can be interrupted', async () => {
    const abort = new AbortController();
    setImmediate(() => abort.abort(new Error('interrupted')));
    let time = 0;
    const run = runEvaluation({
      sets: [smallSet(Array.from({ length: 10_000 }, () => ({ messages: ['a=1'], relevant: ['a'] })))],
      createScorer: statedScorer(),
      sample: null,
      signal: abort.signal,
      now: () => (time += 1),
    });
    await expect(run).rejects.toThrow('interrupted');
  });

  it('stops when it is told to, and says how far it is', async () => {
    const abort = new AbortController();
    const steps: number[] = [];
    const run = runEvaluation({
      sets: [
        smallSet([
          { messages: ['a=1'], relevant: ['a'] },
          { messages: ['b=1'], relevant: ['b'] },
        ]),
      ],
      createScorer: statedScorer(),
      signal: abort.signal,
      onProgress: ({ done, total }) => {
        steps.push(done / total);
        if (done === 1) abort.abort(new Error('enough'));
      },
    });
    await expect(run).rejects.toThrow('enough');
    expect(steps).toEqual([0, 0.5]);
  });
});
