import { plainDisplay, safeLine } from './safe-plain.ts';
import type { SafePlainOptions } from './safe-plain.ts';
import type { SafeDisplay, SafeTextOptions } from './safe-types.ts';

/**
 * A display as a Markdown code block, in which no link, picture, heading or HTML is active. The fence is longer than any run
 * of back-ticks inside, so that the text cannot leave it.
 */
export function markdownDisplay(display: SafeDisplay, options?: SafePlainOptions): string {
  const text = plainDisplay(display, { ...options, paint: undefined });
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** One untrusted text as a Markdown code span on one line. */
export function markdownLine(text: string, options?: SafeTextOptions): string {
  const line = safeLine(text, options);
  if (line === '') return '` `';
  const fence = '`'.repeat(longestRun(line) + 1);
  // The specification strips one space from both ends of a code span.
  return `${fence} ${line} ${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
