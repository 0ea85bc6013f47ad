import { escapeHtml } from '../escape-html.ts';
import { axes, px, svgElement } from './frame.ts';
import type { PlotArea } from './frame.ts';
import { linearScale, logScale } from './scale.ts';

/** One line of a plot. */
export interface Line {
  readonly name: string;
  /** Number of the colour, from 0; `mean` is drawn thick in the text's colour. */
  readonly colour: number | 'mean';
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Lines over a logarithmic x axis; y from 0 to 1 as per cent. Points carry their values as a tooltip. */
export function lineChart(
  lines: readonly Line[],
  names: { readonly title: string; readonly x: string; readonly y: string },
): string {
  const area: PlotArea = { width: 560, height: 320, left: 44, right: 14, top: 26, bottom: 42 };
  const all = lines.flatMap((line) => line.points.filter((point) => point.x > 0));
  const low = Math.min(...all.map((point) => point.x));
  const high = Math.max(...all.map((point) => point.x));
  const x = logScale(low, high, area.left + 6, area.width - area.right - 6);
  const floor = Math.min(0.9, Math.floor(Math.min(...all.map((point) => point.y)) * 10) / 10);
  const y = linearScale(floor, 1, area.height - area.bottom, area.top);
  const parts = [
    axes(area, x, y, names, { x: thousands, y: (value) => `${Math.round(value * 100)} %` }),
    ...lines.map((line) => {
      const points = line.points.filter((point) => point.x > 0);
      const path = points.map((point) => `${px(x(point.x))},${px(y(point.y))}`).join(' ');
      const style = line.colour === 'mean' ? 'line mean' : `line c${line.colour % 8}`;
      const dots = points.map(
        (point) =>
          `<circle class="dot ${line.colour === 'mean' ? 'mean' : `c${line.colour % 8}`}" cx="${px(x(point.x))}" cy="${px(y(point.y))}" r="${line.colour === 'mean' ? 3.5 : 2.5}">` +
          `<title>${escapeHtml(`${line.name}: ${(point.y * 100).toFixed(1)} % at ${thousands(point.x)}`)}</title></circle>`,
      );
      return `<polyline class="${style}" points="${path}"/>${dots.join('')}`;
    }),
  ];
  return svgElement(area, names.title, parts);
}

/** 1200 as 1.2k. */
export function thousands(value: number): string {
  return value >= 1000 ? `${Number((value / 1000).toPrecision(2))}k` : String(Number(value.toPrecision(3)));
}
