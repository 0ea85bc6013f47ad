/** A few counters in the text format that Prometheus reads. No label ever holds a name that came from outside. */
export class Metrics {
  readonly #counters = new Map<string, number>();

  add(name: string, labels: Readonly<Record<string, string>> = {}, by: number = 1): void {
    const key = seriesName(name, labels);
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + by);
  }

  /** The counters and the gauges that are given, one line each, sorted. */
  render(
    gauges: readonly (readonly [name: string, labels: Readonly<Record<string, string>>, value: number])[],
  ): string {
    const lines = [...this.#counters].map(([key, value]) => `${key} ${value}`);
    for (const [name, labels, value] of gauges) lines.push(`${seriesName(name, labels)} ${value}`);
    return `${lines.sort().join('\n')}\n`;
  }
}

function seriesName(name: string, labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).map(
    ([key, value]) => `${key}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return entries.length === 0 ? name : `${name}{${entries.join(',')}}`;
}
