import { digestText } from '../core/digest.ts';
import { segmentText } from './safe-segments.ts';
import type { SafeSegment, SafeText, SafeTextOptions } from './safe-types.ts';

const defaultMaxLength = 2000;

/**
 * Makes one text inert. A text longer than `maxLength` keeps its first two thirds of that length and its last third in sight,
 * because an end hidden behind a harmless beginning is an attack; what lies between is folded, counted and kept.
 */
export function safeText(text: string, options?: SafeTextOptions): SafeText {
  const limit = Math.max(3, options?.maxLength ?? defaultMaxLength);
  if (text.length <= limit) return { length: text.length, head: segmentText(text), fold: null, tail: [] };
  const binary = describeBinary(text);
  const shown = binary === null ? limit : Math.min(limit, 96);
  const headEnd = wordEnd(text, wholeCharacter(text, Math.floor((shown * 2) / 3)));
  const tailStart = wordStart(text, wholeCharacter(text, text.length - Math.floor(shown / 3)));
  const original = text.slice(headEnd, tailStart);
  return {
    length: text.length,
    head: segmentText(text.slice(0, headEnd), { cutAfter: true }),
    fold: { characters: original.length, original, digest: digestText(text), kind: binary },
    tail: segmentText(text.slice(tailStart), { cutBefore: true }),
  };
}

/** The folded part as segments, for whoever opens it. Empty when nothing is folded. */
export function foldedSegments(text: SafeText): readonly SafeSegment[] {
  return text.fold === null ? [] : segmentText(text.fold.original, { cutBefore: true, cutAfter: true });
}

/** A place near `index` that does not split a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? index - 1 : index;
}

/** How far a cut may move to fall between two words. */
const wordReach = 40;

/** The last end of a word shortly before `index`, else `index`. */
function wordEnd(text: string, index: number): number {
  const found = /(?<=\S)\s+\S*$/.exec(text.slice(Math.max(0, index - wordReach), index));
  return found === null ? index : index - found[0].length;
}

/** The first start of a word shortly after `index`, else `index`. */
function wordStart(text: string, index: number): number {
  const found = /^\S*\s+(?=\S)/.exec(text.slice(index, index + wordReach));
  return found === null ? index : index + found[0].length;
}

const base64Starts: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'PNG image'],
  ['/9j/', 'JPEG image'],
  ['R0lGOD', 'GIF image'],
  ['UklGR', 'RIFF media'],
  ['JVBERi0', 'PDF document'],
  ['UEsDB', 'ZIP archive'],
  ['H4sI', 'gzip data'],
  ['f0VMRg', 'ELF program'],
  ['TVqQ', 'Windows program'],
];

/** What a long text without spaces seems to carry, by its alphabet and first bytes. Null for text. */
function describeBinary(text: string): string | null {
  const prefix = /^data:([\w.+/-]{1,80});base64,/.exec(text.slice(0, 120));
  const start = prefix?.[0].length ?? 0;
  const sample = text.slice(start, start + 256).replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]{64,}$/.test(sample) || !/[A-Z]/.test(sample) || !/[0-9+/_-]/.test(sample)) return null;
  if (!/^[A-Za-z0-9+/_=\s-]*$/.test(start === 0 ? text : text.slice(start))) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Math.floor(((text.length - start) * 3) / 4) - padding;
  const found = base64Starts.find(([head]) => sample.startsWith(head));
  const type = prefix?.[1] ?? found?.[1] ?? 'data';
  return `${type}, base64, about ${bytes.toLocaleString('en-US')} bytes`;
}
