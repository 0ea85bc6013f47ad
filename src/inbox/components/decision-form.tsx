import type { JSX } from 'hono/jsx/jsx-runtime';
import { inertJson } from '../../text/safe-json.ts';
import { safeLine } from '../../text/safe-plain.ts';
import type { CallCardProps } from './call-card.tsx';
import { FormGuard } from './small.tsx';

/**
 * The ways to decide one call. Nothing is preset and nothing has the focus; both main buttons are equal in size. Every decision
 * carries the digest of what was shown, so that a call that changed meanwhile is refused.
 */
export function DecisionForm({ pause, call, answer, context, pick }: CallCardProps): JSX.Element {
  const id = (part: string): string => `${part}-${call.position}`;
  const name = safeLine(call.toolName, { maxLength: 60 });
  const typed = answer?.typed;
  return (
    <form class="decide" method="post" action={context.links.decide(pause)}>
      <FormGuard formToken={context.formToken} />
      <input type="hidden" name="call" value={String(call.position)} />
      <input type="hidden" name={`digest-${call.position}`} value={call.digest} />
      <div class="row">
        <div class="field grow">
          <label for={id('message')}>
            Reason for a denial <span class="fine">optional, the model reads it</span>
          </label>
          <input
            id={id('message')}
            name={`message-${call.position}`}
            type="text"
            autocomplete="off"
            maxlength={2000}
            value={typed?.message ?? ''}
          />
        </div>
        <div class="buttons">
          <button
            class="button deny"
            name="decision"
            value="deny"
            type="submit"
            aria-label={`Deny ${name}`}
            data-key="d"
          >
            Deny
          </button>
          <button
            class="button approve"
            name="decision"
            value="approve"
            type="submit"
            aria-label={`Approve ${name}`}
            data-key="a"
          >
            Approve
          </button>
        </div>
      </div>
      <details class="more" open={typed?.arguments !== undefined}>
        <summary>Change the arguments…</summary>
        <label for={id('arguments')}>
          Arguments as JSON <span class="fine">checked against the tool before it runs; the model is told</span>
        </label>
        <textarea
          id={id('arguments')}
          name={`arguments-${call.position}`}
          rows={rowsFor(call.proposedArguments)}
          spellcheck={false}
        >
          {typed?.arguments ?? inertJson(call.proposedArguments)}
        </textarea>
        <button class="button" name="decision" value="approve-edited" type="submit">
          Approve with these arguments
        </button>
      </details>
      <details class="more" open={typed?.result !== undefined}>
        <summary>Answer in its place…</summary>
        <label for={id('result')}>
          Result <span class="fine">given to the model; the tool does not run</span>
        </label>
        <textarea id={id('result')} name={`result-${call.position}`} rows={4}>
          {typed?.result ?? ''}
        </textarea>
        <button class="button" name="decision" value="respond" type="submit">
          Send this answer
        </button>
      </details>
      {pick ? (
        <p class="pick">
          <label>
            <input type="checkbox" name="call" value={String(call.position)} form="together" /> Decide together with
            others
          </label>
          <input type="hidden" name={`digest-${call.position}`} value={call.digest} form="together" />
        </p>
      ) : null}
    </form>
  );
}

function rowsFor(value: unknown): number {
  return Math.min(24, Math.max(4, inertJson(value).split('\n').length + 1));
}
