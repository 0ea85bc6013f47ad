import type { RunComparison } from '../compare-runs.ts';
import type { EvaluationRun, Miss, SetResult } from '../run-types.ts';
import { escapeHtml } from './escape-html.ts';
import { fixed, percent, ruleInWords } from './format-value.ts';
import { reportStyle } from './html-style.ts';
import { comparisonTable, resultTables, sweepTable, worstCases } from './html-tables.ts';
import { barChart } from './svg/bar-chart.ts';
import { latencyChart } from './svg/latency-chart.ts';
import { lineChart } from './svg/line-chart.ts';
import type { Line } from './svg/line-chart.ts';
import { reliabilityChart } from './svg/reliability-chart.ts';
import type { ReliabilityPoint } from './svg/reliability-chart.ts';

/** What the report shows beside the run. */
export interface HtmlReportOptions {
  readonly misses?: ReadonlyMap<string, readonly Miss[]>;
  readonly comparison?: RunComparison | undefined;
  /** At most so many worst cases of each set. Default 15. */
  readonly worst?: number;
}

/** The run as one HTML file without scripts and without anything from outside. Texts of tools and cases are escaped. */
export function htmlReport(run: EvaluationRun, options: HtmlReportOptions = {}): string {
  const { misses = new Map<string, readonly Miss[]>(), comparison, worst = 15 } = options;
  const title = `Tool finding: ${run.scorer}`;
  const sampled = run.sample === null ? 'all cases' : `at most ${run.sample} cases of each set, seed ${run.seed}`;
  const window = run.window === 'last' ? 'last user message' : 'whole conversation';
  const sweep = sweepTable(run);
  const missing = [...misses.values()].reduce((sum, list) => sum + list.length, 0);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title><style>${reportStyle}</style></head><body><main>`,
    `<h1>${escapeHtml(title)}</h1><p class="soft">${window}; ${sampled}; ${run.sets.length} ${run.sets.length === 1 ? 'set' : 'sets'}, each counting alike. Selection: ${escapeHtml(ruleInWords(run.rule))}.</p>`,
    tiles(run),
    '<div class="grid2">',
    card(
      'By set',
      'Ranking over the whole catalogue, cases that need a tool; lines are 95 % intervals.',
      setBars(run),
      [
        { name: 'nDCG@10', style: 'c0' },
        { name: 'recall@10', style: 'c1' },
      ],
    ),
    calibrationCard(run),
    card(
      'Selection by set',
      'Share of needed tools that the selection shows, and of cases in which it shows all of them. In brackets: tools shown.',
      selectionBars(run),
      [
        { name: 'recall', style: 'c0' },
        { name: 'all needed', style: 'c1' },
      ],
    ),
    card(
      'Time a case',
      'Dot: median; bar: middle half; line: 5 to 95 %.',
      latencyChart(
        run.sets.map((set) => ({ name: set.name, quantiles: set.curves.latency })),
        'Milliseconds a case by set',
      ),
    ),
    card(
      'Recall against tools shown',
      'If the model saw the first k tools of the ranking.',
      recallLines(run, 'k', 'tools shown'),
      setKeys(run),
    ),
    card(
      'Recall against tokens',
      'The same, by the size of the definitions shown.',
      recallLines(run, 'tokens', 'tokens shown'),
      setKeys(run),
    ),
    '</div><div style="height:14px"></div>',
    `<section class="card"><h2>All figures</h2><p class="soft">Shares in per cent. First the ranking, then the selection. “needless”: something was selected though nothing fits. AUROC: how well that is told apart, over the whole catalogue and within the case’s own candidates.</p>${resultTables(run)}</section>`,
    sweep === ''
      ? ''
      : `<section class="card"><h2>If the rule were a threshold</h2><p class="soft">Every tool at least this probable is shown; means over the sets.</p>${sweep}</section>`,
    comparison === undefined
      ? ''
      : `<section class="card"><h2>Against the older run</h2><p class="soft">${escapeHtml([`${comparison.before} before, ${comparison.after} now; nDCG@10 and what changed at p < 0.05`, ...comparison.notes].join('; '))}.</p>${comparisonTable(comparison)}</section>`,
    missing === 0
      ? ''
      : `<section class="card"><h2>Worst cases</h2><p class="soft">${missing} cases have something needed below rank 10; the worst ${worst} of each set are listed.</p>${worstCases(misses, worst)}</section>`,
    '</main></body></html>\n',
  ].join('');
}

function tiles(run: EvaluationRun): string {
  const { metrics, selection, latency_ms } = run.mean;
  const list: readonly (readonly [value: string, name: string])[] = [
    [percent(metrics['ndcg@10']), 'nDCG@10, mean'],
    [`${percent(metrics['recall@10'])} %`, 'recall@10'],
    [fixed(selection.tools_mean, 1), 'tools shown'],
    [`${percent(selection.recall)} %`, 'of needed tools shown'],
    ...(metrics.ece === null ? [] : [[fixed(metrics.ece, 3), 'calibration error'] as const]),
    ...(metrics.needless === null ? [] : [[`${percent(metrics.needless)} %`, 'needless selections'] as const]),
    [`${fixed(latency_ms.p50, 2)} ms`, 'median time'],
  ];
  return `<div class="tiles">${list.map(([value, name]) => `<div class="tile"><b>${escapeHtml(value)}</b><span>${name}</span></div>`).join('')}</div>`;
}

interface Key {
  readonly name: string;
  readonly style: string;
}

function card(title: string, text: string, plot: string, keys: readonly Key[] = []): string {
  const legend =
    keys.length === 0
      ? ''
      : `<div class="legend">${keys.map((key) => `<span><i class="key ${key.style}"></i>${escapeHtml(key.name)}</span>`).join('')}</div>`;
  return `<section class="card"><h2>${title}</h2><p class="soft">${text}</p>${plot}${legend}</section>`;
}

function setKeys(run: EvaluationRun): readonly Key[] {
  const keys = run.sets.map((set, index) => ({ name: set.name, style: `c${index % 8}` }));
  return run.sets.length > 1 ? [...keys, { name: 'mean', style: 'mean' }] : keys;
}

function setBars(run: EvaluationRun): string {
  const rows = [
    ...run.sets.map((set) => ({ name: set.name, metrics: set.metrics, strong: false })),
    ...(run.sets.length > 1 ? [{ name: 'mean', metrics: run.mean.metrics, strong: true }] : []),
  ];
  const series = ['ndcg@10', 'recall@10'] as const;
  return barChart(
    rows.map(({ name, metrics, strong }) => ({
      name,
      strong,
      bars: series.map((metric) => ({ value: metrics[metric], ci: metrics.ci[metric] })),
    })),
    series,
    'nDCG@10 and recall@10 by set',
  );
}

function selectionBars(run: EvaluationRun): string {
  const rows = [
    ...run.sets.map(({ name, selection }) => ({ name, selection, strong: false })),
    ...(run.sets.length > 1 ? [{ name: 'mean', selection: run.mean.selection, strong: true }] : []),
  ];
  return barChart(
    rows.map(({ name, selection, strong }) => ({
      name: `${name} (${selection.tools_mean.toFixed(1)})`,
      strong,
      bars: [{ value: selection.recall }, { value: selection.complete }],
    })),
    ['recall', 'all needed'],
    'Share of needed tools shown by set; tools shown in brackets',
  );
}

function recallLines(run: EvaluationRun, axis: 'k' | 'tokens', name: string): string {
  const lines: Line[] = run.sets.map((set, index) => ({
    name: set.name,
    colour: index,
    points: set.curves.shown.map((point) => ({ x: point[axis], y: point.recall })),
  }));
  const [first] = run.sets;
  if (run.sets.length > 1 && first !== undefined) {
    const meanAt = (index: number, key: 'k' | 'tokens' | 'recall'): number =>
      run.sets.reduce((sum, set) => sum + (set.curves.shown[index]?.[key] ?? 0), 0) / run.sets.length;
    lines.push({
      name: 'mean',
      colour: 'mean',
      points: first.curves.shown.map((_, index) => ({ x: meanAt(index, axis), y: meanAt(index, 'recall') })),
    });
  }
  return lineChart(lines, { title: `Recall against ${name}`, x: name, y: 'recall' });
}

function calibrationCard(run: EvaluationRun): string {
  const points = pooledReliability(run.sets);
  if (points.length === 0) return '';
  return card(
    'Does a probability mean what it says?',
    'The first ten tools of every case, all sets together; larger dots stand for more tools. Below the diagonal: too sure.',
    reliabilityChart(points, 'Share needed against probability given'),
  );
}

/** Reliability over all sets, intervals without predictions left out. */
export function pooledReliability(sets: readonly Pick<SetResult, 'curves'>[]): readonly ReliabilityPoint[] {
  const bins = new Map<number, { count: number; predicted: number; observed: number }>();
  for (const set of sets) {
    for (const bin of set.curves.reliability) {
      if (bin.predicted === null || bin.observed === null) continue;
      const sum = bins.get(bin.low) ?? { count: 0, predicted: 0, observed: 0 };
      sum.count += bin.count;
      sum.predicted += bin.count * bin.predicted;
      sum.observed += bin.count * bin.observed;
      bins.set(bin.low, sum);
    }
  }
  return [...bins]
    .toSorted(([left], [right]) => left - right)
    .map(([, sum]) => ({
      count: sum.count,
      predicted: sum.predicted / sum.count,
      observed: sum.observed / sum.count,
    }));
}
