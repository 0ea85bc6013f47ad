import { describe, expect, it } from 'vitest';
import { compareRuns } from '../compare-runs.ts';
import { runEvaluation } from '../run-evaluation.ts';
import type { EvaluationOutcome } from '../run-evaluation.ts';
import { smallSet } from '../../../test/eval/small-set.ts';
import { comparisonReport } from './comparison-report.ts';
import { escapeHtml } from './escape-html.ts';
import { points, ruleInWords } from './format-value.ts';
import { htmlReport, pooledReliability } from './html-report.ts';
import { missesReport } from './misses-report.ts';
import { terminalReport } from './terminal-report.ts';
import { textTable } from './text-table.ts';

const hostile = '<img src=x onerror=alert(1)> "quoted" \u202Egnp.exe \u001B[31mred';

function outcome(probability = 0.9): Promise<EvaluationOutcome> {
  const set = (name: string) =>
    smallSet(
      [{ messages: [hostile], relevant: ['a'] }, { messages: ['b'], relevant: ['b'] }, { messages: ['thanks'] }],
      name,
    );
  return runEvaluation({
    sets: [set('one'), set('<two>')],
    createScorer: (tools) => ({
      name: 'mine',
      rule: { minProbability: 0.5 },
      score: () => ({
        scores: tools.map((tool) => (tool.name === 'b' ? 1 : Number.NEGATIVE_INFINITY)),
        probabilities: tools.map((tool) => (tool.name === 'b' ? probability : 0.05)),
      }),
    }),
    now: () => 0,
  });
}

describe('textTable', () => {
  it('aligns by characters as a person counts them', () => {
    expect(
      textTable(
        ['a', 'b'],
        [
          ['longer', '1'],
          ['e\u0301', '1000'],
        ],
      ),
    ).toBe(['a          b', '──────  ────', 'longer     1', 'e\u0301       1000'].join('\n'));
  });
});

describe('format', () => {
  it('writes points with their sign and rules in words', () => {
    expect([points(0.012), points(-0.012), points(0.0001), points(-0.0001)]).toEqual(['+1.2', '-1.2', '0.0', '0.0']);
    expect(ruleInWords({ keep: { expectedRecall: 0.9, maxTools: 20, minProbability: 0.01 } })).toBe(
      'the most probable until they hold 0.9 of the expected useful tools, at most 20, none below 0.01',
    );
    expect(ruleInWords(null)).toContain('first 10');
  });
});

describe('terminalReport', () => {
  it('prints both tables with a mean', async () => {
    const text = terminalReport((await outcome()).run);
    expect(text).toContain('Scorer mine, whole conversation. At most 2000 cases of each set');
    expect(text).toMatch(/^one +4 +3 +50\.0 +50\.0 +50\.0 +50\.0 +50\.0/m);
    expect(text).toContain('Selection: probability at least 0.5');
    // Needless: b is selected though nothing fits. Brier: each case has four predictions.
    expect(text).toMatch(/^mean +1\.0 +10 +50\.0 +50\.0 +100\.0 +0\.\d{3}/m);
  });
});

describe('missesReport', () => {
  it('lists what was asked, needed and found, inert', async () => {
    const text = missesReport((await outcome()).misses);
    expect(text).toContain('one: 1 case with something needed below rank 10');
    expect(text).toContain('needed  a (not found)');
    expect(text).toContain('first   b');
    expect(text).not.toContain('\u001B');
    expect(text).not.toContain('\u202E');
  });

  it('stops at the limit', async () => {
    const [miss] = (await outcome()).misses.get('one') ?? [];
    const list = Array.from({ length: 5 }, () => miss as NonNullable<typeof miss>);
    expect(missesReport(new Map([['x', list]]), 2)).toContain('… and 3 more');
  });
});

describe('comparisonReport', () => {
  it('prints what changed', async () => {
    const { run } = await outcome();
    const text = comparisonReport(compareRuns((await outcome(0.6)).run, run));
    expect(text).toMatch(/^one +recall@1 +50\.0 +50\.0 +0\.0/m);
    expect(text).toMatch(/^mean +recall@1/m);
  });
});

describe('htmlReport', () => {
  it('has every plot and no script, nothing from outside, and texts as text', async () => {
    const { run, misses } = await outcome();
    const page = htmlReport(run, { misses, comparison: compareRuns(run, run) });
    const labels = [...page.matchAll(/aria-label="([^"]*)"/g)].map((match) => match[1]);
    expect(labels).toHaveLength(6);
    expect(labels.join()).toMatch(
      /nDCG@10.*probability given.*needed tools shown.*Milliseconds.*tools shown.*tokens shown/,
    );
    expect(page).toContain('Worst cases');
    // At 0.05 all four tools are shown, at 0.1 only b: found in one of two cases.
    expect(page).toContain('<tr><td>0.05</td><td>4.0</td><td>100.0</td><td>100.0</td></tr>');
    expect(page).toContain('<tr><td>0.1</td><td>1.0</td><td>50.0</td><td>100.0</td></tr>');
    expect(page).toContain('Against the older run');
    expect(page).not.toMatch(/<script|<img|<link|url\(|https?:|src=x onerror=alert\(1\)>/);
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).toContain('&lt;two&gt;');
    expect(page).not.toContain('\u202E');
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('closes what it opens', async () => {
    const { run, misses } = await outcome();
    const page = htmlReport(run, { misses });
    for (const name of ['svg', 'section', 'table', 'tr', 'td', 'div', 'text', 'title', 'g', 'details', 'code', 'span'])
      expect([name, page.match(new RegExp(`<${name}[ >]`, 'g'))?.length]).toEqual([
        name,
        page.match(new RegExp(`</${name}>`, 'g'))?.length,
      ]);
  });

  it('leaves out what a run does not have', async () => {
    const { run } = await runEvaluation({
      sets: [smallSet([{ messages: ['x'], relevant: ['a'] }])],
      createScorer: (tools) => ({ name: 'plain', score: () => ({ scores: tools.map(() => 1) }) }),
      now: () => 0,
    });
    const page = htmlReport(run);
    expect(page).not.toContain('Does a probability');
    expect(page).not.toContain('If the rule were');
    expect(page).not.toContain('Worst cases');
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('escapeHtml', () => {
  it('makes markup and hidden characters inert', () => {
    expect(escapeHtml(`<a href="x" id='y'>&`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;');
  });
});

describe('pooledReliability', () => {
  it('weighs the intervals of sets by their counts', () => {
    const bin = (count: number, predicted: number, observed: number) => ({
      low: 0.5,
      high: 0.6,
      count,
      predicted,
      observed,
    });
    const set = (bins: readonly ReturnType<typeof bin>[]) => ({
      curves: {
        shown: [],
        latency: [],
        sweep: [],
        reliability: [...bins, { low: 0, high: 0.1, count: 0, predicted: null, observed: null }],
      },
    });
    expect(pooledReliability([set([bin(1, 0.5, 1)]), set([bin(3, 0.58, 0)])])).toEqual([
      { count: 4, predicted: expect.closeTo(0.56, 12), observed: 0.25 },
    ]);
  });
});
