/**
 * `src/eval/report` turns a run into what a person reads: text for the terminal, and one HTML file. Pure functions from
 * results to text; it imports the types of a run and the safe text of `src/text`.
 */

/** A table of aligned columns: the first to the left, the others to the right. Cells must hold no line breaks. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => width(row[column] ?? ''))));
  const line = (row: readonly string[]): string =>
    widths
      .map((space, column) => {
        const cell = row[column] ?? '';
        const padding = ' '.repeat(space - width(cell));
        return column === 0 ? cell + padding : padding + cell;
      })
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((space) => '─'.repeat(space)).join('  '), ...rows.map(line)].join('\n');
}

const segmenter = new Intl.Segmenter();

/** Characters as a person counts them; wide ones count as one too. */
function width(text: string): number {
  return [...segmenter.segment(text)].length;
}
