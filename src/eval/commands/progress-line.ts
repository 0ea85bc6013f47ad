import type { EvaluationOptions } from '../run-evaluation.ts';
import type { CommandIo } from './command-io.ts';

/** Draws how far a run is: one line that redraws itself on a terminal, one line for each set elsewhere. */
export function progressLine(io: CommandIo): {
  readonly update: NonNullable<EvaluationOptions['onProgress']>;
  readonly end: () => void;
} {
  const width = 24;
  let drawn = '';
  return {
    update({ set, done, total }) {
      if (!io.isTty) {
        if (done === 0) io.stderr(`${set}: ${total} cases\n`);
        return;
      }
      const filled = Math.floor((done / Math.max(1, total)) * width);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
      const percent = Math.floor((done / Math.max(1, total)) * 100);
      const line = `${bar} ${String(percent).padStart(3)} % ${set}`;
      // Thousands of cases would redraw the same line thousands of times.
      if (line === drawn) return;
      io.stderr(`\r\u001B[2K${line}`);
      drawn = line;
    },
    end() {
      if (drawn !== '') io.stderr('\r\u001B[2K');
      drawn = '';
    },
  };
}
