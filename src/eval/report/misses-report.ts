import { safeLine } from '../../text/safe-plain.ts';
import type { Miss } from '../run-types.ts';

/**
 * The cases in which something needed is not among the first ten, worst first.
 * @param limit at most so many of each set. Default 20
 */
export function missesReport(misses: ReadonlyMap<string, readonly Miss[]>, limit = 20): string {
  const lines: string[] = [];
  for (const [name, list] of misses) {
    lines.push(`${name}: ${list.length} ${list.length === 1 ? 'case' : 'cases'} with something needed below rank 10`);
    for (const miss of list.slice(0, limit)) {
      lines.push(
        `  ${safeLine(miss.id)} (${safeLine(miss.kind)})`,
        `    asked   ${safeLine(miss.query)}`,
        `    needed  ${miss.needed.map(({ id, rank }) => `${safeLine(id)} (${rank === null ? 'not found' : `rank ${rank}`})`).join(', ')}`,
        `    first   ${miss.first.length === 0 ? 'nothing' : miss.first.map((id) => safeLine(id)).join(', ')}`,
      );
    }
    if (list.length > limit) lines.push(`  … and ${list.length - limit} more`);
  }
  return `${lines.join('\n')}\n`;
}
