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
  const editable = call.demand?.editable;
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
      {editable?.length === 0 ? null : <EditForm call={call} typed={typed?.arguments} editable={editable} />}
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

interface EditFormProps {
  readonly call: CallCardProps['call'];
  readonly typed: string | undefined;
  readonly editable: readonly string[] | undefined;
}

/** Larger arguments are not put into a page a second time. */
const longestEdit = 100_000;

function EditForm({ call, typed, editable }: EditFormProps): JSX.Element {
  const id = `arguments-${call.position}`;
  const only = editable === undefined ? '' : `; only ${editable.map((name) => safeLine(name)).join(', ')} may change`;
  const json = typed ?? inertJson(call.proposedArguments);
  if (json.length > longestEdit) return <p class="fine more">The arguments are too large to be changed in a page.</p>;
  return (
    <details class="more" open={typed !== undefined}>
      <summary>Change the arguments…</summary>
      <label for={id}>
        Arguments as JSON{' '}
        <span class="fine">checked against the tool and the policy again; the model is told{only}</span>
      </label>
      <textarea id={id} name={id} rows={rowsFor(json)} spellcheck={false}>
        {json}
      </textarea>
      <button class="button" name="decision" value="approve-edited" type="submit">
        Approve with these arguments
      </button>
    </details>
  );
}

function rowsFor(json: string): number {
  return Math.min(24, Math.max(4, json.split('\n').length + 1));
}
