import { escapeHtml } from '../escape-html.ts';
import { axes, px, svgElement } from './frame.ts';
import type { PlotArea } from './frame.ts';
import { linearScale } from './scale.ts';

/** Predictions of one interval of probability, empty ones left out. */
export interface ReliabilityPoint {
  readonly predicted: number;
  readonly observed: number;
  readonly count: number;
}

/** Share that came true against probability. On the diagonal every probability means what it says. The area of a dot grows with its count. */
export function reliabilityChart(points: readonly ReliabilityPoint[], title: string): string {
  const area: PlotArea = { width: 560, height: 400, left: 44, right: 20, top: 26, bottom: 42 };
  const x = linearScale(0, 1, area.left, area.width - area.right);
  const y = linearScale(0, 1, area.height - area.bottom, area.top);
  const percent = (value: number): string => `${Math.round(value * 100)} %`;
  const total = points.reduce((sum, point) => sum + point.count, 0);
  const path = points.map((point) => `${px(x(point.predicted))},${px(y(point.observed))}`).join(' ');
  return svgElement(area, title, [
    axes(area, x, y, { x: 'probability given', y: 'share that was needed' }, { x: percent, y: percent }),
    `<line class="diagonal" x1="${px(x(0))}" y1="${px(y(0))}" x2="${px(x(1))}" y2="${px(y(1))}"/>`,
    `<polyline class="line c0" points="${path}"/>`,
    ...points.map(
      (point) =>
        `<circle class="dot c0" cx="${px(x(point.predicted))}" cy="${px(y(point.observed))}" r="${px(3 + 9 * Math.sqrt(point.count / total))}" fill-opacity="0.75">` +
        `<title>${escapeHtml(`given ${percent(point.predicted)}, needed ${percent(point.observed)}, ${point.count} tools`)}</title></circle>`,
    ),
  ]);
}
