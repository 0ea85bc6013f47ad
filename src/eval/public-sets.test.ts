import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadEvaluationSet } from './load-evaluation-set.ts';
import { runEvaluation } from './run-evaluation.ts';
import type { EvaluationRun } from './run-types.ts';
import type { CreateScorer } from './scorers/scorer.ts';
import { createBm25Scorer } from './scorers/bm25-scorer.ts';
import { createHybridScorer, createSimpleScorer } from './scorers/strategy-scorer.ts';

const data = process.env['TOOLGATE_DATA'] ?? resolve(import.meta.dirname, '../../../shared/data');
const why = existsSync(data) ? '' : ' (skipped: the public sets are not here; name their folder in TOOLGATE_DATA)';

/** Tools, cases, and cases that need a tool, as the sets' own descriptions count them. */
const counts = {
  metatool: [199, 22_554, 21_039],
  bfcl: [2848, 4763, 3643],
  sealtools: [4076, 2054, 2054],
  'toolret-apigen': [3605, 1000, 1000],
  toolalpaca: [94, 199, 199],
  nestful: [133, 290, 290],
  apibank: [70, 476, 445],
  sgd: [38, 3188, 2788],
} as const;

async function measure(names: readonly string[], createScorer: CreateScorer): Promise<EvaluationRun> {
  const sets = await Promise.all(names.map((name) => loadEvaluationSet(join(data, name))));
  const { run } = await runEvaluation({ sets, createScorer, window: 'last', sample: 300, resamples: 50, now: () => 0 });
  return run;
}

describe.skipIf(why !== '')(`the public sets${why}`, () => {
  it.each(Object.entries(counts))('%s loads whole', async (name, [tools, cases, needing]) => {
    const set = await loadEvaluationSet(join(data, name));
    expect([set.tools.length, set.cases.length, set.cases.filter((item) => !item.irrelevant).length]).toEqual([
      tools,
      cases,
      needing,
    ]);
  });

  it('are ranked better by words and pieces of words than by words, and far better than by substrings', async () => {
    const names = ['toolalpaca', 'nestful', 'apibank'];
    const score = async (create: CreateScorer): Promise<number> =>
      (await measure(names, create)).mean.metrics['ndcg@10'] ?? 0;
    const [simple, bm25, hybrid] = [
      await score(createSimpleScorer),
      await score(createBm25Scorer),
      await score(createHybridScorer),
    ];
    expect(bm25).toBeGreaterThan(0.7);
    expect(hybrid).toBeGreaterThan(bm25);
    expect(simple).toBeLessThan(bm25 - 0.2);
  });

  it('give identical results from run to run', async () => {
    const first = await measure(['toolalpaca', 'apibank'], createHybridScorer);
    expect(await measure(['toolalpaca', 'apibank'], createHybridScorer)).toEqual(first);
  });
});
