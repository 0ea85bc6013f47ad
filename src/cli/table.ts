/** One column of a table for a terminal. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Cut to this width with an ellipsis; the full text is in `--json`. */
  readonly maximum?: number;
}

/** Text as a table with a heading and a line below it. Widths are counted in characters as people see them. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => columns.map((column, index) => cut(row[index] ?? '', column.maximum)));
  const widths = columns.map((column, index) =>
    Math.max(width(column.title), ...cells.map((row) => width(row[index] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align ?? 'left'))
      .join('  ')
      .trimEnd();
  return (
    [
      line(columns.map(({ title }) => title)),
      widths.map((size) => '─'.repeat(size)).join('  '),
      ...cells.map(line),
    ].join('\n') + '\n'
  );
}

/** A bar of `size` characters, filled to `share` (0 to 1). */
export function bar(share: number, size: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * size * 8);
  const full = Math.floor(eighths / 8);
  const part = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8] ?? '';
  return `${'█'.repeat(full)}${part}`.padEnd(size, ' ');
}

const segmenter = new Intl.Segmenter();

function characters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function width(text: string): number {
  return characters(text).length;
}

function cut(text: string, maximum: number | undefined): string {
  if (maximum === undefined || width(text) <= maximum) return text;
  return `${characters(text)
    .slice(0, Math.max(0, maximum - 1))
    .join('')}…`;
}

function pad(text: string, size: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, size - width(text)));
  return align === 'right' ? space + text : text + space;
}
