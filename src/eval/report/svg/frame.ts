import { escapeHtml } from '../escape-html.ts';
import type { Scale } from './scale.ts';

/** Where a plot draws, in pixels. */
export interface PlotArea {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A pixel value without needless digits. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The plot's element around its parts. `label` is read out by screen readers. */
export function svgElement(area: Pick<PlotArea, 'width' | 'height'>, label: string, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${area.width} ${area.height}" role="img" aria-label="${escapeHtml(label)}">${parts.join('')}</svg>`;
}

/** Grid lines and numbers of both axes, and what the axes are. */
export function axes(
  area: PlotArea,
  x: Scale,
  y: Scale,
  names: { readonly x: string; readonly y: string },
  format: { readonly x: (value: number) => string; readonly y: (value: number) => string },
): string {
  const base = area.height - area.bottom;
  const end = area.width - area.right;
  const parts = y.ticks.map(
    (tick) =>
      `<line class="grid" x1="${area.left}" x2="${end}" y1="${px(y(tick))}" y2="${px(y(tick))}"/>` +
      `<text class="tick" x="${area.left - 6}" y="${px(y(tick) + 4)}" text-anchor="end">${escapeHtml(format.y(tick))}</text>`,
  );
  for (const tick of x.ticks) {
    parts.push(
      `<line class="axis" x1="${px(x(tick))}" x2="${px(x(tick))}" y1="${base}" y2="${base + 4}"/>`,
      `<text class="tick" x="${px(x(tick))}" y="${base + 17}" text-anchor="middle">${escapeHtml(format.x(tick))}</text>`,
    );
  }
  parts.push(
    `<line class="axis" x1="${area.left}" x2="${end}" y1="${base}" y2="${base}"/>`,
    `<text class="name" x="${px((area.left + end) / 2)}" y="${area.height - 4}" text-anchor="middle">${escapeHtml(names.x)}</text>`,
    `<text class="name" x="${area.left}" y="12" text-anchor="start">${escapeHtml(names.y)}</text>`,
  );
  return parts.join('');
}
