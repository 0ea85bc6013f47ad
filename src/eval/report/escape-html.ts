import { safeLine } from '../../text/safe-plain.ts';

/** Text of strangers as HTML text or attribute value: hidden and turning characters made visible, markup inert, in one line. */
export function escapeHtml(text: string): string {
  return safeLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
