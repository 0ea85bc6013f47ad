import { foldedSegments, safeText } from './safe-text.ts';
import type { SafeDisplay, SafeNode, SafeSegment, SafeText, SafeTextOptions } from './safe-types.ts';

/** What a piece of output is, for a renderer that colours. */
export type SafePaint = (text: string, role: 'mark' | 'lookalike' | 'key' | 'note') => string;

export interface SafePlainOptions {
  /** Everything on one line, newlines as marks. Default false. */
  readonly singleLine?: boolean | undefined;
  /** Colours a piece, for terminals. It gets inert text. Default: none. */
  readonly paint?: SafePaint | undefined;
  /** Folded parts are written out. Default false. */
  readonly unfold?: boolean | undefined;
}

/** One untrusted text on one line: for names, log fields, messages and titles. Folds what is longer than `maxLength` (default 2,000). */
export function safeLine(text: string, options?: SafeTextOptions): string {
  return plainText(safeText(text, options), { singleLine: true });
}

/**
 * A display as plain text for terminals, MCP text and logs. It contains no control character but the newline (none on a
 * single line), so it cannot move a cursor, and what was made visible stands in `⟦…⟧`, which no untrusted text can forge.
 */
export function plainDisplay(display: SafeDisplay, options?: SafePlainOptions): string {
  const lines = plainNode(display.root, '', options ?? {});
  if (options?.singleLine === true) return joinLines(lines);
  return lines.join('\n');
}

/** Entries on one line. Texts are in quotes, so that no value can pass for the next key. */
function joinLines(lines: readonly string[]): string {
  let joined = '';
  for (const line of lines) {
    const gap = joined === '' ? '' : /[:.]$/.test(joined) ? ' ' : ', ';
    joined += gap + line.trim();
  }
  return joined;
}

/** One safe text as plain text. */
export function plainText(text: SafeText, options?: SafePlainOptions): string {
  const head = plainSegments(text.head, options);
  if (text.fold === null) return head;
  const paint = options?.paint ?? ((value) => value);
  const middle =
    options?.unfold === true
      ? plainSegments(foldedSegments(text), options)
      : paint(`⟦… ${describeFold(text)} …⟧`, 'mark');
  return head + middle + plainSegments(text.tail, options);
}

/** `12,034 more characters, sha256:1a2b…`, for the mark of a fold. */
export function describeFold(text: SafeText): string {
  if (text.fold === null) return '';
  const { characters, digest, kind } = text.fold;
  return `${count(characters, 'more character')}${kind === null ? '' : `, ${kind}`}, ${digest.slice(0, 19)}`;
}

/** The mark of one segment, or its text. */
export function segmentLabel(segment: SafeSegment): string {
  switch (segment.kind) {
    case 'text':
      return segment.text;
    case 'lookalike':
      return `${segment.text}⟦${segment.reads}⟧`;
    case 'hidden':
      return `⟦${segment.label}⟧`;
    case 'spaces':
      return `⟦${count(segment.count, 'space')}⟧`;
    default:
      return '⟦newline⟧';
  }
}

function plainSegments(segments: readonly SafeSegment[], options?: SafePlainOptions): string {
  const paint = options?.paint;
  let line = '';
  for (const segment of segments) {
    if (segment.kind === 'newline' && options?.singleLine !== true) line += '\n';
    else if (paint === undefined || segment.kind === 'text') line += segmentLabel(segment);
    else line += paint(segmentLabel(segment), segment.kind === 'lookalike' ? 'lookalike' : 'mark');
  }
  return line;
}

function plainNode(node: SafeNode, indent: string, options: SafePlainOptions): string[] {
  const paint = options.paint ?? ((value) => value);
  switch (node.type) {
    case 'scalar':
      return [indent + node.text];
    case 'note':
      return [indent + paint(`⟦${node.text}⟧`, 'note')];
    case 'string': {
      // Every line of a longer text is marked at its left edge, so that no line of it can pass for one of ours.
      const lines = plainText(node.text, options).split('\n');
      if (lines.length === 1) return [`${indent}"${lines[0] ?? ''}"`];
      return lines.map((line) => `${indent}│ ${line}`);
    }
    case 'list':
      if (node.items.length === 0) return [`${indent}(empty list)`];
      return node.items.flatMap((item, position) => labelled(`${position + 1}.`, item, indent, options));
    default:
      if (node.entries.length === 0) return [`${indent}(empty)`];
      return node.entries.flatMap(({ key, value }) => labelled(paint(keyLabel(key), 'key'), value, indent, options));
  }
}

/** Plain keys as they are, all others in quotes. */
export function keyLabel(key: SafeText): string {
  const only = key.head[0];
  if (key.fold === null && key.head.length === 1 && only?.kind === 'text' && /^[\w$.-]+$/.test(only.text)) {
    return `${only.text}:`;
  }
  return `"${plainText(key, { singleLine: true })}":`;
}

function labelled(label: string, node: SafeNode, indent: string, options: SafePlainOptions): string[] {
  const lines = plainNode(node, `${indent}  `, options);
  const only = lines[0];
  const nested = node.type === 'list' ? node.items.length > 0 : node.type === 'map' && node.entries.length > 0;
  if (lines.length === 1 && only !== undefined && !nested) return [`${indent}${label} ${only.trimStart()}`];
  return [`${indent}${label}`, ...lines];
}

function count(amount: number, what: string): string {
  return `${amount.toLocaleString('en-US')} ${what}${amount === 1 ? '' : 's'}`;
}
