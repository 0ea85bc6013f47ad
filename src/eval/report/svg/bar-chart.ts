import { escapeHtml } from '../escape-html.ts';
import { axes, px, svgElement } from './frame.ts';
import type { PlotArea } from './frame.ts';
import { linearScale } from './scale.ts';
import type { Scale } from './scale.ts';

/** One row of bars, with values from 0 to 1. */
export interface BarRow {
  readonly name: string;
  readonly bars: readonly { readonly value: number | null; readonly ci?: readonly [number, number] | undefined }[];
  /** Drawn apart, as the sum of the others. */
  readonly strong?: boolean;
}

/** Horizontal bars, one row for each set and one bar for each series, with the 95 % interval as a whisker and the value beside it. */
export function barChart(rows: readonly BarRow[], series: readonly string[], title: string): string {
  const barHeight = 11;
  const rowHeight = barHeight * series.length + 12;
  const area: PlotArea = {
    width: 560,
    height: rows.length * rowHeight + 48,
    left: 150,
    right: 46,
    top: 8,
    bottom: 40,
  };
  const x = linearScale(0, 1, area.left, area.width - area.right);
  const none: Scale = Object.assign((value: number) => value, { ticks: [] });
  const parts = [axes(area, x, none, { x: 'per cent', y: '' }, { x: (value) => String(value * 100), y: String })];
  for (const tick of x.ticks)
    parts.push(
      `<line class="grid" x1="${px(x(tick))}" x2="${px(x(tick))}" y1="${area.top}" y2="${area.height - area.bottom}"/>`,
    );
  for (const [index, row] of rows.entries()) {
    const top = area.top + index * rowHeight + 5;
    parts.push(
      `<text class="label${row.strong === true ? ' strong' : ''}" x="${area.left - 8}" y="${px(top + (barHeight * series.length) / 2 + 4)}" text-anchor="end">${escapeHtml(row.name)}</text>`,
    );
    for (const [number, bar] of row.bars.entries()) {
      const y = top + number * barHeight;
      if (bar.value === null) {
        parts.push(`<text class="tick" x="${area.left + 4}" y="${y + 9}">–</text>`);
        continue;
      }
      const end = x(bar.value);
      parts.push(
        `<rect class="bar c${number % 8}" x="${area.left}" y="${y}" width="${px(Math.max(1, end - area.left))}" height="${barHeight - 2}" rx="2">` +
          `<title>${escapeHtml(`${row.name}, ${series[number] ?? ''}: ${(bar.value * 100).toFixed(1)} %`)}</title></rect>`,
      );
      const [low, high] = bar.ci ?? [bar.value, bar.value];
      const middle = y + (barHeight - 2) / 2;
      if (high > low)
        parts.push(`<line class="whisker" x1="${px(x(low))}" x2="${px(x(high))}" y1="${middle}" y2="${middle}"/>`);
      parts.push(
        `<text class="value" x="${px(Math.max(end, x(high)) + 5)}" y="${y + 9}">${(bar.value * 100).toFixed(1)}</text>`,
      );
    }
  }
  return svgElement(area, title, parts);
}
