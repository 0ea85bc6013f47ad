import { safeDisplay } from '../text/safe-display.ts';
import { plainDisplay } from '../text/safe-plain.ts';

const longest = 170;

/** Arguments on one line for a list, where nothing can be decided. What is left out is counted. */
export function summarise(value: unknown): string {
  const line = plainDisplay(safeDisplay(value, { maxLength: 84, maxNodes: 60 }), { singleLine: true });
  if (line === '(empty)') return 'no arguments';
  const characters = Array.from(line);
  // A few more are better than a note about a few more.
  if (characters.length <= longest + 40) return line;
  return `${characters.slice(0, longest).join('')} … ${characters.length - longest} more characters`;
}
