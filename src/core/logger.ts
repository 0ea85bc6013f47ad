/** Four methods, so that `console`, pino and most loggers fit as they are. `details` never carries arguments or message text. */
export interface Logger {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** Says nothing. The default wherever a logger can be given. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
