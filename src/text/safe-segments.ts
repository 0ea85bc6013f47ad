import { describeCharacter, hiddenCharacter } from './safe-characters.ts';
import { splitLookalikes } from './safe-lookalikes.ts';
import type { SafeSegment, SafeText } from './safe-types.ts';

/** Runs of this many spaces are counted; shorter ones inside a line can be seen. */
const countedSpaces = 4;
/** Indentation up to here is left alone. */
const ordinaryIndent = 16;
/** More marks than this on one letter spill over its neighbours. */
const ordinaryMarks = 4;

const unusual = /[^ -~]| {2}|^ | $/;
const special = new RegExp(
  [
    '(?<newline>\\n)',
    '(?<spaces> {2,}|^ | (?=[\\r\\n]|$))',
    `(?<hidden>(?:${hiddenCharacter.source})\\p{M}*)`,
    `(?<marks>(?:(?<![^\\n])|(?<=\\p{M}{${ordinaryMarks}}))\\p{M}+)`,
  ].join('|'),
  'gu',
);

/** Which ends of a piece are not ends of the text, because it was cut there: a space at such an end hides nothing. */
export interface SegmentOptions {
  readonly cutBefore?: boolean | undefined;
  readonly cutAfter?: boolean | undefined;
}

/** Splits a text, or a piece of one, into inert segments. Nothing is folded and nothing is lost. */
export function segmentText(text: string, options: SegmentOptions = {}): readonly SafeSegment[] {
  if (text === '') return [];
  if (!unusual.test(text)) return [{ kind: 'text', text }];
  const segments: SafeSegment[] = [];
  let pending = 0;
  const flush = (end: number): void => {
    if (end > pending) segments.push(...splitLookalikes(text.slice(pending, end)));
  };
  for (const match of text.matchAll(special)) {
    const value = match[0];
    const end = match.index + value.length;
    const groups = match.groups ?? {};
    if (groups['spaces'] !== undefined && !needsCount(text, match.index, end, options)) continue;
    flush(match.index);
    pending = end;
    if (groups['newline'] !== undefined) segments.push({ kind: 'newline' });
    else if (groups['spaces'] !== undefined) segments.push({ kind: 'spaces', count: value.length });
    else for (const character of value) segments.push(hiddenSegment(character));
  }
  flush(text.length);
  return segments;
}

function needsCount(text: string, start: number, end: number, options: SegmentOptions): boolean {
  const next = text[end];
  if (start === 0 && options.cutBefore !== true) return true;
  if (next === undefined && options.cutAfter !== true) return true;
  if (next === '\n' || next === '\r') return true;
  if (text[start - 1] === '\n') return end - start > ordinaryIndent;
  return end - start >= countedSpaces;
}

function hiddenSegment(character: string): SafeSegment {
  const code = character.codePointAt(0) ?? 0;
  return { kind: 'hidden', code, ...describeCharacter(code) };
}

/** The text that the segments were made of. */
export function originalOf(segments: readonly SafeSegment[]): string {
  let text = '';
  for (const segment of segments) {
    if (segment.kind === 'text' || segment.kind === 'lookalike') text += segment.text;
    else if (segment.kind === 'hidden') text += String.fromCodePoint(segment.code);
    else if (segment.kind === 'spaces') text += ' '.repeat(segment.count);
    else text += '\n';
  }
  return text;
}

/** The text that a {@link SafeText} was made of, folded part included. Not inert. */
export function originalText(text: SafeText): string {
  return originalOf(text.head) + (text.fold?.original ?? '') + originalOf(text.tail);
}
