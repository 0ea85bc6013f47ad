import type { Logger } from '../core/logger.ts';
import type { CommandIo } from './io.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** A logger of one line an entry on standard error, from a level on. */
export function errorLogger(io: CommandIo, from: (typeof levels)[number]): Logger {
  const write =
    (level: (typeof levels)[number]) =>
    (message: string, details?: Readonly<Record<string, unknown>>): void => {
      if (levels.indexOf(level) < levels.indexOf(from)) return;
      io.stderr(`${level}: ${message}${details === undefined ? '' : ` ${JSON.stringify(details)}`}\n`);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
