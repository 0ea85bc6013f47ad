import type { SafeWarningKind } from './safe-types.ts';

/**
 * Code points that are never shown as themselves: controls, format and bidirectional characters, default-ignorable,
 * private-use and unassigned ones, unpaired surrogates, line and paragraph separators, every space but U+0020, the blank
 * Braille pattern, and the two brackets that mark what was made visible (so that the marks cannot be forged).
 */
export const hiddenCharacter: RegExp =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\u27E6\u27E7]|(?! )\p{Zs}/u;

const names: ReadonlyMap<number, string> = new Map([
  [0x07, 'bell'],
  [0x08, 'backspace'],
  [0x1b, 'escape (starts a terminal command)'],
  [0x7f, 'delete'],
  [0x85, 'next line'],
  [0xa0, 'no-break space'],
  [0xad, 'soft hyphen'],
  [0x61c, 'Arabic letter mark'],
  [0x180e, 'Mongolian vowel separator'],
  [0x200b, 'zero width space'],
  [0x200c, 'zero width non-joiner'],
  [0x200d, 'zero width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0x27e6, 'bracket that toolgate uses for its own marks'],
  [0x27e7, 'bracket that toolgate uses for its own marks'],
  [0x2800, 'blank Braille pattern'],
  [0x3000, 'ideographic space'],
  [0x3164, 'Hangul filler'],
  [0xfe0f, 'emoji style'],
  [0xfeff, 'zero width no-break space'],
]);

/** What a hidden code point is called where it is made visible. `label` is short ASCII and unique for the code point. */
export function describeCharacter(code: number): { readonly label: string; readonly name: string } {
  if (code === 0x09) return { label: 'tab', name: 'tab' };
  if (code === 0x0d) return { label: 'CR', name: 'carriage return' };
  const label = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const known = names.get(code);
  if (known !== undefined) return { label, name: known };
  if (code >= 0xe0000 && code <= 0xe007f) return { label, name: 'invisible tag character' };
  const character = String.fromCodePoint(code);
  if (/\p{Cs}/u.test(character)) return { label, name: 'half of a character' };
  if (/\p{Co}/u.test(character)) return { label, name: 'private-use character' };
  if (/\p{Cc}/u.test(character)) return { label, name: 'control character' };
  if (/\p{Zs}/u.test(character)) return { label, name: 'unusual space' };
  if (/\p{Cn}/u.test(character)) return { label, name: 'unassigned character' };
  if (/\p{M}/u.test(character)) return { label, name: 'combining mark' };
  return { label, name: 'invisible character' };
}

const harmless: ReadonlySet<number> = new Set([0x09, 0x0d, 0xa0, 0x3000, 0x202f, 0xfe0f, 0x27e6, 0x27e7]);

/** The warning that a hidden code point deserves, or null for those that ordinary text is full of. */
export function warningFor(code: number): SafeWarningKind | null {
  if (harmless.has(code)) return null;
  const character = String.fromCodePoint(code);
  if (/\p{Bidi_Control}/u.test(character)) return 'direction';
  if (/\p{Cs}/u.test(character)) return 'broken-text';
  if (/\p{Co}/u.test(character)) return 'private-use';
  if (/\p{Cc}/u.test(character)) return 'control';
  return 'invisible';
}

/** A run of this many spaces pushes text out of sight and deserves a warning. */
export const longRun: number = 24;
