import type { PauseView } from '../confirm/types.ts';
import { digestText } from '../core/digest.ts';

/** Short text that differs when the states of a pause's calls differ: what the script compares to notice a change. */
export function pauseVersion(pause: PauseView): string {
  return digestText(
    JSON.stringify([pause.id, pause.state, pause.calls.map((call) => [call.state, call.digest])]),
  ).slice(7, 23);
}

/** The same for a list of pauses. */
export function listVersion(pauses: readonly PauseView[]): string {
  return digestText(pauses.map(pauseVersion).join()).slice(7, 23);
}
