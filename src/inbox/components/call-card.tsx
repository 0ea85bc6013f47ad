import type { JSX } from 'hono/jsx/jsx-runtime';
import type { CallView, PauseView } from '../../confirm/types.ts';
import { digestJson } from '../../core/digest.ts';
import { isPlainObject } from '../../core/json.ts';
import { resultText } from '../../core/result.ts';
import { safeDisplay } from '../../text/safe-display.ts';
import { safeLine } from '../../text/safe-plain.ts';
import type { CallAnswer } from '../call-answers.ts';
import type { SignedInContext } from '../view-context.ts';
import { makerName, mayBecomeRule, outcomeSentences, riskOf } from '../words.ts';
import { AnswerNotice } from './answer-notice.tsx';
import { DecisionForm } from './decision-form.tsx';
import { ResolveForm } from './resolve-form.tsx';
import { SafeLine, SafeParagraph, SafeValue } from './safe-value.tsx';
import { StateBadge, Time, Warnings } from './small.tsx';

export interface CallCardProps {
  readonly pause: PauseView;
  readonly call: CallView;
  readonly answer?: CallAnswer | undefined;
  readonly context: SignedInContext;
  /** True when several calls wait, so that they can be picked for one decision. */
  readonly pick: boolean;
}

/** Everything a person must know of one call, and the means to decide it. */
export function CallCard({ pause, call, answer, context, pick }: CallCardProps): JSX.Element {
  const risk = riskOf(call);
  const headingId = `call-${call.position}`;
  const waits = call.state === 'awaiting';
  const suspendedBy = call.state === 'unknown' ? (call.suspendedBy ?? null) : null;
  return (
    <article class="card call" aria-labelledby={headingId} data-call={waits ? 'waits' : 'other'} tabindex={-1}>
      <header>
        <div class="names">
          <h2 id={headingId}>
            <SafeLine text={call.toolName} />
          </h2>
          <p class="origin">
            {call.title === null || call.title === call.toolName ? null : (
              <>
                <q>
                  <SafeLine text={call.title} />
                </q>
                {' · '}
              </>
            )}
            {call.server === null ? (
              "the host's own tool"
            ) : (
              <>
                server <SafeLine text={call.server} />
              </>
            )}
          </p>
        </div>
        <div class="badges">
          {waits ? <span class={`badge outline ${risk.tone}`}>{risk.text}</span> : null}
          <StateBadge state={call.state} />
        </div>
      </header>
      {answer === undefined ? null : <AnswerNotice answer={answer} now={context.now} />}
      <CallFacts pause={pause} call={call} context={context} />
      {suspendedBy === null ? <CallEnd pause={pause} call={call} context={context} /> : null}
      {waits ? <DecisionForm pause={pause} call={call} answer={answer} context={context} pick={pick} /> : null}
      {suspendedBy === null ? null : (
        <p class="notice go">
          The tool is an agent of its own, and{' '}
          <a href={context.links.pause({ id: suspendedBy })}>calls inside it wait</a>. It goes on when they are decided.
        </p>
      )}
      {call.state === 'unknown' && suspendedBy === null ? (
        <ResolveForm pause={pause} call={call} context={context} />
      ) : null}
      <footer class="fine">
        call {call.position + 1} of {pause.calls.length} · digest{' '}
        <code title={call.digest}>{call.digest.slice(7, 19)}</code> · tool{' '}
        <code title={call.fingerprint}>{call.fingerprint.slice(7, 19)}</code>
        {context.has.rules && mayBecomeRule(call) ? (
          <>
            {' · '}
            <a href={context.links.rule(pause, call)}>make a standing rule from this call…</a>
          </>
        ) : null}
      </footer>
    </article>
  );
}

function CallFacts({ pause, call, context }: Pick<CallCardProps, 'pause' | 'call' | 'context'>): JSX.Element {
  const edited = digestJsonOrNull(call.effectiveArguments) !== digestJsonOrNull(call.proposedArguments);
  const display = safeDisplay(call.effectiveArguments);
  const proposed = edited ? safeDisplay(call.proposedArguments) : null;
  return (
    <>
      {call.reason === null ? null : (
        <p class="why">
          <span class="label">{call.state === 'awaiting' ? 'Why it waits' : 'Why it waited'}</span>{' '}
          <SafeLine text={call.reason} maxLength={500} />
        </p>
      )}
      <Approvals call={call} now={context.now} />
      <Warnings warnings={[...display.warnings, ...(proposed?.warnings ?? [])]} />
      <section aria-label="Arguments">
        <h3>
          {edited ? 'Arguments as edited' : 'Arguments'}
          <a class="aside" href={context.links.full(pause, call, 'arguments')}>
            complete JSON
          </a>
        </h3>
        {isEmpty(call.effectiveArguments) ? (
          <p class="empty">No arguments.</p>
        ) : (
          <SafeValue display={display} fullLink={context.links.full(pause, call, 'arguments')} />
        )}
      </section>
      {proposed === null ? null : (
        <p class="why">
          <span class="label">Changed</span> {changedNames(call).join(', ')}
        </p>
      )}
      {proposed === null ? null : (
        <details class="block">
          <summary>Arguments as the model proposed them</summary>
          <SafeValue display={proposed} fullLink={context.links.full(pause, call, 'proposed')} />
        </details>
      )}
      {call.preview === null ? null : (
        <section class="quoted" aria-label="Preview">
          <h3>What the tool says would happen</h3>
          <SafeParagraph text={call.preview} />
        </section>
      )}
      {call.description === null || call.description === '' ? null : (
        <details class="block quoted">
          <summary>
            {call.server === null ? 'Description of the tool' : 'Description, in the words of the server'}
          </summary>
          {call.server === null ? null : <p class="fine">Not checked by toolgate. It may say anything.</p>}
          <SafeParagraph text={call.description} />
        </details>
      )}
    </>
  );
}

/** Where more than one person must agree: who has, and how many are missing. */
function Approvals({ call, now }: { call: CallView; now: number }): JSX.Element | null {
  const needed = call.demand?.approvals ?? 1;
  const ownCall = call.demand?.approver === 'not-caller' ? ' Whoever asked for it cannot decide it.' : '';
  if (needed <= 1) return ownCall === '' || call.state !== 'awaiting' ? null : <p class="fine">{ownCall.trim()}</p>;
  return (
    <p class="why">
      <span class="label">Approvals</span> {call.approvals.length} of {needed}
      {call.approvals.map((given, index) => (
        <>
          {index === 0 ? ': ' : ', '}
          {makerName(given.by)} (<Time at={given.at} now={now} />)
        </>
      ))}
      . <span class="fine">One denial is enough.{ownCall}</span>
    </p>
  );
}

function CallEnd({ pause, call, context }: Pick<CallCardProps, 'pause' | 'call' | 'context'>): JSX.Element | null {
  const { decision, outcome } = call;
  if (decision === null && outcome === null) return null;
  const result = outcome === null ? '' : resultText(outcome.result);
  return (
    <section class="end" aria-label="What became of it">
      {decision === null ? null : (
        <p>
          <strong>{decidedWords[decision.decision.type]}</strong> by {makerName(decision.by)}{' '}
          <Time at={decision.at} now={context.now} />{' '}
          <span class="fine">
            (<Time at={decision.at} now={context.now} absolute />)
          </span>
          {decision.decision.type === 'deny' && decision.decision.message ? (
            <>
              : <SafeLine text={decision.decision.message} maxLength={1000} />
            </>
          ) : null}
        </p>
      )}
      {call.state === 'approved' ? <p>It has not started yet.</p> : null}
      {call.state === 'running' ? <p>It is running. The result will be here.</p> : null}
      {outcome === null ? null : <p>{outcomeSentences[outcome.status]}</p>}
      {result === '' ? null : (
        <details class="block quoted" open={result.length <= 400}>
          <summary>Result, as the model reads it</summary>
          <SafeValue display={safeDisplay(result)} fullLink={context.links.full(pause, call, 'result')} />
        </details>
      )}
    </section>
  );
}

const decidedWords: Readonly<Record<'approve' | 'deny' | 'respond', string>> = {
  approve: 'Approved',
  deny: 'Denied',
  respond: 'Answered',
};

/** Top-level arguments that an approver changed, added or took away. */
function changedNames({ proposedArguments: before, effectiveArguments: after }: CallView): readonly string[] {
  if (!isPlainObject(before) || !isPlainObject(after)) return ['everything'];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const of = (value: Record<string, unknown>, name: string): string | null =>
    Object.hasOwn(value, name) ? digestJsonOrNull(value[name]) : null;
  return [...names]
    .filter((name) => of(before, name) !== of(after, name))
    .map((name) => safeLine(name, { maxLength: 80 }));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function digestJsonOrNull(value: unknown): string | null {
  try {
    return digestJson(value);
  } catch {
    return null;
  }
}
