import { errorMessage } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';

/** Calls a listener of the host. What it throws, or what its promise is rejected with, is logged and changes nothing. */
export function tell(name: string, logger: Logger, call: () => unknown): void {
  const failed = (error: unknown): void => logger.error(`${name} failed`, { error: errorMessage(error) });
  try {
    const given = call();
    if (given instanceof Promise) given.catch(failed);
  } catch (error) {
    failed(error);
  }
}
