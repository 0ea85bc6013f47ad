import type { JSX } from 'hono/jsx/jsx-runtime';
import type { CallState } from '../../core/call-state.ts';
import type { SafeWarning } from '../../text/safe-types.ts';
import { absoluteTime, relativeTime, stateTone, stateWords } from '../words.ts';

/** Small pieces that every page uses. */

export function StateBadge({ state }: { state: CallState }): JSX.Element {
  return <span class={`badge ${stateTone(state)}`}>{stateWords[state]}</span>;
}

/** A time that reads without a script; with one it is shown in the reader's own zone. */
export function Time({ at, now, absolute }: { at: number; now: number; absolute?: boolean }): JSX.Element {
  return (
    <time
      datetime={new Date(at).toISOString()}
      title={absoluteTime(at)}
      {...(absolute === true ? { 'data-local': 'yes' } : {})}
    >
      {absolute === true ? absoluteTime(at) : relativeTime(at, now)}
    </time>
  );
}

/** The findings of the safe display, above the value they are about. */
export function Warnings({ warnings }: { warnings: readonly SafeWarning[] }): JSX.Element | null {
  if (warnings.length === 0) return null;
  const shown = warnings.slice(0, 20);
  return (
    <div class="notice bad" role="note">
      <strong>Look twice.</strong>
      <ul>
        {shown.map((warning) => (
          <li>
            {warning.path === '' ? null : (
              <>
                <code>{warning.path}</code>{' '}
              </>
            )}
            {warning.message}
          </li>
        ))}
        {warnings.length > shown.length ? <li>and {warnings.length - shown.length} more</li> : null}
      </ul>
    </div>
  );
}

/** Hidden fields that every form carries. The disabled first button makes Enter in a text field do nothing. */
export function FormGuard({ formToken }: { formToken: string }): JSX.Element {
  return (
    <>
      <button type="submit" disabled hidden aria-hidden="true" tabindex={-1}></button>
      <input type="hidden" name="form" value={formToken} />
    </>
  );
}
