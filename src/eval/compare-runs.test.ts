import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareRuns, normalShare, readRun } from './compare-runs.ts';
import { runEvaluation } from './run-evaluation.ts';
import type { EvaluationRun } from './run-types.ts';
import type { CreateScorer } from './scorers/scorer.ts';
import { smallSet } from '../../test/eval/small-set.ts';

const cases = Array.from({ length: 30 }, (_, index) => ({ messages: [`question ${index}`], relevant: ['a'] }));

/** Puts tool a at the given rank. */
function ranked(rank: number): CreateScorer {
  return (tools) => ({
    name: `rank-${rank}`,
    score: () => ({ scores: tools.map((tool, index) => (tool.name === 'a' ? -rank + 0.5 : -index)) }),
  });
}

function run(rank: number, perCase = true, name = 'small'): Promise<EvaluationRun> {
  return runEvaluation({ sets: [smallSet(cases, name)], createScorer: ranked(rank), perCase, now: () => 0 }).then(
    (outcome) => outcome.run,
  );
}

describe('compareRuns', () => {
  it('sees no change between a run and itself', async () => {
    const one = await run(1);
    const { sets, mean, notes, unmatched } = compareRuns(one, one);
    expect(sets).toHaveLength(1);
    expect(sets[0]?.changes.every((change) => change.verdict === 'same' && change.difference === 0)).toBe(true);
    expect(mean.changes.every((change) => change.verdict === 'same')).toBe(true);
    expect(notes).toEqual([]);
    expect(unmatched).toEqual([]);
  });

  it('compares case by case where both runs kept the values', async () => {
    const { sets, mean } = compareRuns(await run(3), await run(1));
    const gain = sets[0]?.changes.find((change) => change.metric === 'ndcg@10');
    expect(gain).toMatchObject({
      before: 0.5,
      after: 1,
      difference: 0.5,
      ci: [0.5, 0.5],
      paired: true,
      verdict: 'better',
    });
    expect(gain?.pValue).toBeCloseTo(1 / 1001, 9);
    expect(mean.changes.find((change) => change.metric === 'ndcg@10')).toMatchObject({
      difference: 0.5,
      verdict: 'better',
    });
  });

  it('falls back to the intervals without them', async () => {
    const { sets } = compareRuns(await run(1, false), await run(3));
    expect(sets[0]?.changes.find((change) => change.metric === 'ndcg@10')).toMatchObject({
      paired: false,
      difference: -0.5,
      verdict: 'worse',
    });
  });

  it('knows of which metrics less is better', async () => {
    const nothing = (selected: boolean): Promise<EvaluationRun> =>
      runEvaluation({
        sets: [smallSet(Array.from({ length: 30 }, (_, index) => ({ messages: [`thanks ${index}`] })))],
        createScorer: (tools) => ({
          name: 'x',
          score: () => ({ scores: tools.map(() => (selected ? 1 : Number.NEGATIVE_INFINITY)) }),
        }),
        now: () => 0,
      }).then((outcome) => outcome.run);
    const { sets } = compareRuns(await nothing(true), await nothing(false));
    expect(sets[0]?.changes).toMatchObject([{ metric: 'needless', before: 1, after: 0, verdict: 'better' }]);
  });

  it('says what is not comparable', async () => {
    const before = { ...(await run(1, true, 'old')), window: 'last' as const };
    const { sets, unmatched, notes, mean } = compareRuns(before, await run(1, true, 'new'));
    expect(sets).toEqual([]);
    expect(mean.changes).toEqual([]);
    expect(unmatched).toEqual(['old', 'new']);
    expect(notes).toEqual(['window differs: last before, conversation now']);
  });
});

describe('normalShare', () => {
  it('has the values of the tables', () => {
    expect(normalShare(0)).toBeCloseTo(0.5, 7);
    expect(normalShare(1.959964)).toBeCloseTo(0.975, 6);
    expect(normalShare(3)).toBeCloseTo(0.9986501, 6);
  });
});

describe('readRun', () => {
  it('reads back a run and refuses anything else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolgate-run-'));
    try {
      const one = await run(1);
      await writeFile(join(folder, 'run.json'), JSON.stringify(one));
      expect(await readRun(join(folder, 'run.json'))).toEqual(JSON.parse(JSON.stringify(one)));
      for (const [name, text] of [
        ['not.json', '{'],
        ['other.json', '{"format":"x"}'],
        ['sets.json', '{"format":"toolgate-eval-1","sets":[{}]}'],
      ] as const) {
        await writeFile(join(folder, name), text);
        await expect(readRun(join(folder, name))).rejects.toMatchObject({ code: 'dataset-invalid' });
      }
      await expect(readRun(join(folder, 'none.json'))).rejects.toMatchObject({ code: 'dataset-invalid' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
