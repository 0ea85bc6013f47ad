import type { JSX } from 'hono/jsx/jsx-runtime';
import type { CallCardProps } from './call-card.tsx';
import { FormGuard } from './small.tsx';

/** For a call that was started and whose end nobody knows: only a person may say what happened. */
export function ResolveForm({ pause, call, context }: Pick<CallCardProps, 'pause' | 'call' | 'context'>): JSX.Element {
  return (
    <form class="decide" method="post" action={context.links.resolve(pause)}>
      <FormGuard formToken={context.formToken} />
      <input type="hidden" name="call" value={String(call.position)} />
      <input type="hidden" name={`digest-${call.position}`} value={call.digest} />
      <p>
        <strong>We don't know whether it ran.</strong> Look at the system that it would have changed, then say what you
        found.
      </p>
      <div class="buttons start">
        <button class="button" name="resolution" value="succeeded" type="submit">
          It ran
        </button>
        <button class="button" name="resolution" value="failed" type="submit">
          It failed
        </button>
        <button class="button deny" name="resolution" value="run-again" type="submit">
          Run it again
        </button>
      </div>
      <p class="fine">
        {call.annotations?.idempotentHint === true
          ? 'The tool says that running it twice changes nothing more.'
          : 'If it did run, running it again repeats its effect.'}
      </p>
    </form>
  );
}
