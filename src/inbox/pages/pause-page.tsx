import type { JSX } from 'hono/jsx/jsx-runtime';
import type { PauseView } from '../../confirm/types.ts';
import { safeLine } from '../../text/safe-plain.ts';
import type { CallAnswer } from '../call-answers.ts';
import { CallCard } from '../components/call-card.tsx';
import { Layout } from '../components/layout.tsx';
import { SafeLine } from '../components/safe-value.tsx';
import { FormGuard, Time } from '../components/small.tsx';
import { pauseVersion } from '../page-version.ts';
import type { InboxAuditEntry } from '../types.ts';
import type { SignedInContext } from '../view-context.ts';
import { askedBy, eventText, pauseTitle, relativeTime } from '../words.ts';

interface PausePageProps {
  readonly context: SignedInContext;
  readonly pause: PauseView;
  readonly answers?: readonly CallAnswer[];
  readonly audit?: readonly InboxAuditEntry[] | undefined;
}

/** One reply of a model with every call of it. */
export function PausePage({ context, pause, answers, audit }: PausePageProps): JSX.Element {
  const waiting = pause.calls.filter((call) => call.state === 'awaiting');
  const working = pause.calls.some((call) => call.state === 'approved' || call.state === 'running');
  // Waiting calls first; the others keep the model's order behind them.
  const calls = [...waiting, ...pause.calls.filter((call) => call.state !== 'awaiting')];
  const refused = answers?.some((given) => given.answer.answer !== 'accepted') === true;
  return (
    <Layout
      title={pauseTitle(pause)}
      context={context}
      current="inbox"
      version={pauseVersion(pause)}
      refreshSeconds={working && waiting.length === 0 && !refused ? 3 : undefined}
    >
      <p class="crumb">
        <a href={context.links.home}>← All calls</a>
      </p>
      <h1>{pauseTitle(pause)}</h1>
      <dl class="facts">
        <div>
          <dt>Asked for</dt>
          <dd>
            {askedBy(pause)}
            {pause.path.length === 0 ? null : (
              <span class="fine"> in {pause.path.map((name) => safeLine(name, { maxLength: 60 })).join(' › ')}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>Conversation</dt>
          <dd>
            <SafeLine text={pause.identity.conversation} maxLength={60} />
          </dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>
            <Time at={pause.createdAt} now={context.now} />
          </dd>
        </div>
      </dl>
      {waiting.length === 0 ? null : <Deadline expiresAt={pause.expiresAt} now={context.now} />}
      {calls.map((call) => (
        <CallCard
          pause={pause}
          call={call}
          context={context}
          pick={waiting.length > 1}
          answer={answers?.find((given) => given.position === call.position)}
        />
      ))}
      {waiting.length > 1 ? <Together context={context} pause={pause} /> : null}
      {waiting.length > 0 ? <CancelAll context={context} pause={pause} /> : null}
      {audit === undefined || audit.length === 0 ? null : <History audit={audit} now={context.now} />}
    </Layout>
  );
}

function Deadline({ expiresAt, now }: { expiresAt: number | null; now: number }): JSX.Element | null {
  if (expiresAt === null) return <p class="fine">There is no deadline: it waits until somebody decides.</p>;
  if (expiresAt <= now) return <p class="notice quiet until">Its time is over. It will not run.</p>;
  return (
    <p class="notice wait until">
      If nobody decides by <Time at={expiresAt} now={now} absolute /> ({relativeTime(expiresAt, now)}), it will{' '}
      <strong>not</strong> run.
    </p>
  );
}

function Together({ context, pause }: { context: SignedInContext; pause: PauseView }): JSX.Element {
  return (
    <form id="together" class="card together" method="post" action={context.links.decide(pause)}>
      <FormGuard formToken={context.formToken} />
      <h2>Decide several together</h2>
      <p>Tick calls above; none is ticked for you. Each is still judged and recorded on its own.</p>
      <div class="row">
        <div class="field grow">
          <label for="message-together">
            Reason for a denial <span class="fine">optional, the model reads it</span>
          </label>
          <input id="message-together" name="message" type="text" autocomplete="off" maxlength={2000} />
        </div>
        <div class="buttons">
          <button class="button deny" name="decision" value="deny" type="submit">
            Deny the ticked
          </button>
          <button class="button approve" name="decision" value="approve" type="submit">
            Approve the ticked
          </button>
        </div>
      </div>
    </form>
  );
}

function CancelAll({ context, pause }: { context: SignedInContext; pause: PauseView }): JSX.Element {
  return (
    <details class="more apart">
      <summary>Call the whole request off…</summary>
      <form method="post" action={context.links.cancel(pause)}>
        <FormGuard formToken={context.formToken} />
        <p>Everything that has not run is settled as cancelled. What is running is not touched.</p>
        <button class="button" type="submit">
          Call it off
        </button>
      </form>
    </details>
  );
}

function History({ audit, now }: { audit: readonly InboxAuditEntry[]; now: number }): JSX.Element {
  return (
    <section class="card">
      <h2>History</h2>
      <ol class="timeline">
        {audit.map((entry) => (
          <li>
            <Time at={entry.at} now={now} absolute /> {eventText(entry.event)}
            {entry.key === undefined ? null : (
              <>
                {' '}
                <code>{safeLine(entry.key, { maxLength: 60 })}</code>
              </>
            )}
            {entry.by === undefined ? null : ` by ${safeLine(entry.by, { maxLength: 80 })}`}
            {entry.detail === undefined ? null : `: ${safeLine(entry.detail, { maxLength: 300 })}`}
          </li>
        ))}
      </ol>
    </section>
  );
}
