/**
 * `src/text` turns text into terms and nothing else: one tokenizer for what is indexed and what is asked. It imports
 * core only, reads no clock and does no I/O.
 */

const beyondAscii = /[^\p{ASCII}]/u;
/** Combining marks of Latin, Greek and Cyrillic; Arabic vowel signs, superscript alef and tatweel; Hebrew points. */
const foldedMarks = /[\u0300-\u036f]|[\u064b-\u065f]|\u0670|\u0640|[\u0591-\u05bd]|[\u05bf-\u05c7]/gu;
const letters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ς', 'σ'],
]);
const foldedLetters = /[ßæœøđðþłħıς]/gu;

/** True when every character is ASCII. */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

/**
 * Lower-cases and drops diacritics: `Café` and `cafe`, `Straße` and `strasse` become equal. Marks that carry meaning (vowel
 * signs of Indic scripts, Japanese voicing marks) stay.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(foldedMarks, '')
    .replace(foldedLetters, (letter) => letters.get(letter) ?? letter)
    .normalize('NFC');
}
