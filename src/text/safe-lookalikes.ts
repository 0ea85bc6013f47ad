import type { SafeSegment } from './safe-types.ts';

/** Letters of other scripts that most fonts draw like a Latin one (the common part of Unicode's confusables table). */
const latinTwins: ReadonlyMap<string, string> = new Map(
  [
    // Cyrillic
    'аa еe оo рp сc уy хx ѕs іi јj һh ԁd ԛq ԝw ӏl кk мm тt вb нh ьb гr пn АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ЅS ІI ЈJ ԌG Ӏl',
    // Greek
    'αa οo νv ρp υu ιi κk τt γy ηn χx εe ωw ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX',
    // Armenian, Cherokee
    'օo սu հh ցg ոn ԁd ᎠD ᎡR ᎢT ᎪA ᎫJ ᎬE ᎳW ᎷM ᎻH ᏀG ᏃZ ᏚS ᏞL ᏟC ᏢP ᏦK',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

const confusableScripts: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];
const onlyAscii = /^[\0-\x7f]*$/;
const word = /[\p{L}\p{M}\p{N}]+/gu;
const authority = /(?:\/\/|@)(?:[^\s/?#@]*@)?([^\s/?#@:"'<>()[\]{}|\\,;]+)/gu;

interface Finding {
  readonly start: number;
  readonly end: number;
  readonly reads: string;
}

/** Splits a printable text at words and host names that are not what they look like. Ordinary text in any script comes back whole. */
export function splitLookalikes(text: string): SafeSegment[] {
  if (onlyAscii.test(text)) return [{ kind: 'text', text }];
  const segments: SafeSegment[] = [];
  let at = 0;
  for (const finding of findLookalikes(text)) {
    if (finding.start < at) continue;
    if (finding.start > at) segments.push({ kind: 'text', text: text.slice(at, finding.start) });
    segments.push({ kind: 'lookalike', text: text.slice(finding.start, finding.end), reads: finding.reads });
    at = finding.end;
  }
  if (at < text.length) segments.push({ kind: 'text', text: text.slice(at) });
  return segments;
}

function findLookalikes(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(authority)) {
    const host = match[1] ?? '';
    if (onlyAscii.test(host)) continue;
    const start = match.index + match[0].length - host.length;
    findings.push({ start, end: start + host.length, reads: asciiHost(host) });
  }
  const twinWords: Finding[] = [];
  let otherWords = false;
  for (const match of text.matchAll(word)) {
    const value = match[0];
    if (onlyAscii.test(value)) continue;
    const place = { start: match.index, end: match.index + value.length };
    const scripts = confusableScripts.filter((script) => script.test(value)).length;
    const plain = value.normalize('NFKC');
    if (scripts > 1 && !isFormula(value)) findings.push({ ...place, reads: `mixed scripts: ${spellOut(value)}` });
    else if (plain !== value && onlyAscii.test(plain))
      findings.push({ ...place, reads: `not ASCII, stands for ${plain}` });
    else if (!/\p{Script=Latin}/u.test(value) && scripts === 1) {
      if (Array.from(value).every((letter) => latinTwins.has(letter)))
        twinWords.push({ ...place, reads: `not Latin: ${spellOut(value)}` });
      else otherWords = true;
    }
  }
  // In a text of that script such words are ordinary; alone among Latin ones they are bait.
  if (!otherWords) findings.push(...twinWords);
  return findings.sort((left, right) => left.start - right.start || right.end - left.end);
}

/** Greek letters that resemble nothing else stand beside Latin ones in formulas and units: ΔT, μs. */
function isFormula(value: string): boolean {
  return Array.from(value).every(
    (letter) =>
      /[\p{Script=Latin}\p{N}]/u.test(letter) || (/\p{Script=Greek}/u.test(letter) && !latinTwins.has(letter)),
  );
}

/** The word with every foreign letter as its code point: `p<U+0430>yments`. */
function spellOut(value: string): string {
  let spelled = '';
  for (const letter of value) {
    if (letter.length === 1 && letter <= '\x7e') spelled += letter;
    else spelled += `<U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
  }
  return spelled;
}

function asciiHost(host: string): string {
  if (URL.canParse(`http://${host}`)) return `host ${new URL(`http://${host}`).hostname}`;
  return `host ${spellOut(host)}`;
}
