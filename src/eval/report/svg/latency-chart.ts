import { escapeHtml } from '../escape-html.ts';
import { axes, px, svgElement } from './frame.ts';
import type { PlotArea } from './frame.ts';
import { logScale } from './scale.ts';
import type { Scale } from './scale.ts';

/** Times of one set. `quantiles` are milliseconds at 0, 5, 10 … 100 % of the cases. */
export interface LatencyRow {
  readonly name: string;
  readonly quantiles: readonly number[];
}

/** For each set a thin line from 5 to 95 %, a bar from 25 to 75 %, and the median as a dot, on a logarithmic axis. */
export function latencyChart(rows: readonly LatencyRow[], title: string): string {
  const rowHeight = 26;
  const area: PlotArea = { width: 560, height: rows.length * rowHeight + 52, left: 118, right: 62, top: 8, bottom: 42 };
  const at = (row: LatencyRow, index: number): number => Math.max(0.001, row.quantiles[index] ?? 0.001);
  const low = Math.min(...rows.map((row) => at(row, 1)));
  const high = Math.max(...rows.map((row) => at(row, 19)), low * 1.01);
  const x = logScale(low, high, area.left + 4, area.width - area.right);
  const none: Scale = Object.assign((value: number) => value, { ticks: [] });
  const parts = [axes(area, x, none, { x: 'milliseconds a case', y: '' }, { x: String, y: String })];
  for (const tick of x.ticks)
    parts.push(
      `<line class="grid" x1="${px(x(tick))}" x2="${px(x(tick))}" y1="${area.top}" y2="${area.height - area.bottom}"/>`,
    );
  for (const [index, row] of rows.entries()) {
    const y = area.top + index * rowHeight + rowHeight / 2;
    const title = `${row.name}: median ${at(row, 10)} ms, 95 % below ${at(row, 19)} ms`;
    parts.push(
      `<g><title>${escapeHtml(title)}</title>` +
        `<text class="label" x="${area.left - 8}" y="${y + 4}" text-anchor="end">${escapeHtml(row.name)}</text>` +
        `<line class="whisker" x1="${px(x(at(row, 1)))}" x2="${px(x(at(row, 19)))}" y1="${y}" y2="${y}"/>` +
        `<rect class="bar c0" x="${px(x(at(row, 5)))}" y="${y - 5}" width="${px(Math.max(2, x(at(row, 15)) - x(at(row, 5))))}" height="10" rx="2"/>` +
        `<circle class="median" cx="${px(x(at(row, 10)))}" cy="${y}" r="3.5"/>` +
        `<text class="value" x="${px(x(at(row, 19)) + 6)}" y="${y + 4}">${Number(at(row, 10).toPrecision(2))} ms</text></g>`,
    );
  }
  return svgElement(area, title, parts);
}
