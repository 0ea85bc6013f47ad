import { digestText } from '../core/digest.ts';

/** The longest exposed name; the smallest limit among model providers. */
export const longestName = 64;

/**
 * A provider's own name in a form that every model provider takes: `[A-Za-z0-9_-]`, not starting with a digit or a dash.
 * Accents are taken off; other characters become `_`. A name of which nothing readable is left gets a digest. At most
 * {@link longestName} characters; a longer one is cut and gets a digest of the whole, so that names with a long common
 * beginning stay apart. A pure function of the text.
 */
export function acceptableName(own: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(own)) return own;
  const plain = own
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  const readable = /[A-Za-z0-9]/.test(plain) ? plain : `tool_${shortDigest(own)}`;
  const started = /^[A-Za-z_]/.test(readable) ? readable : `_${readable}`;
  return started.length <= longestName ? started : withSuffix(started, shortDigest(own));
}

/** The name with a suffix, cut in front of it where it would get too long. */
export function withSuffix(name: string, suffix: string): string {
  return `${name.slice(0, longestName - suffix.length - 1)}_${suffix}`;
}

/** Eight hexadecimal digits that depend on the whole text. */
export function shortDigest(text: string): string {
  return digestText(text).slice('sha256:'.length, 'sha256:'.length + 8);
}
