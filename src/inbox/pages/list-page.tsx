import type { JSX } from 'hono/jsx/jsx-runtime';
import type { CallView, PauseView } from '../../confirm/types.ts';
import { safeDisplay } from '../../text/safe-display.ts';
import { Layout } from '../components/layout.tsx';
import { SafeLine } from '../components/safe-value.tsx';
import { StateBadge, Time } from '../components/small.tsx';
import type { InboxTab } from '../list-pauses.ts';
import { inboxTabs } from '../list-pauses.ts';
import { summarise } from '../summary.ts';
import { listVersion } from '../page-version.ts';
import type { SignedInContext } from '../view-context.ts';
import { askedBy, pauseTitle, relativeTime, riskOf } from '../words.ts';

interface ListPageProps {
  readonly context: SignedInContext;
  readonly tab: InboxTab;
  readonly query: string;
  readonly pauses: readonly PauseView[];
  readonly next?: string | undefined;
  /** How many requests have calls in each state; null: more than were counted. */
  readonly counts: Readonly<Record<'waiting' | 'running' | 'unknown', number | null>>;
}

/** The calls that wait, run, are unknown or are done, grouped by the reply they belong to. */
export function ListPage({ context, tab, query, pauses, next, counts }: ListPageProps): JSX.Element {
  const { links } = context;
  const address = (changes: Readonly<Record<string, string>>): string =>
    `${links.home}?${new URLSearchParams({ state: tab.id, ...(query === '' ? {} : { q: query }), ...changes }).toString()}`;
  return (
    <Layout
      title={counts.waiting === 0 ? tab.title : `(${counts.waiting ?? '50+'}) ${tab.title}`}
      context={context}
      current="inbox"
      version={listVersion(pauses)}
    >
      <h1>{tab.heading}</h1>
      <div class="tools">
        <nav class="tabs" aria-label="States">
          {inboxTabs.map((other) => (
            <a href={address({ state: other.id })} {...(other.id === tab.id ? { 'aria-current': 'page' } : {})}>
              {other.title}
              {other.id === 'done' ? null : <Count value={counts[other.id]} />}
            </a>
          ))}
        </nav>
        <form class="search" method="get" action={links.home} role="search">
          <input type="hidden" name="state" value={tab.id} />
          <label class="hidden" for="q">
            Filter by tool, server, caller or conversation
          </label>
          <input
            id="q"
            name="q"
            type="search"
            value={query}
            placeholder="Filter by tool, server, caller…"
            data-key="/"
          />
          <button class="button" type="submit">
            Filter
          </button>
        </form>
      </div>
      {pauses.length === 0 ? (
        <div class="nothing">
          <p>{query === '' ? tab.nothing : 'Nothing matches this filter.'}</p>
          {query === '' ? null : <a href={`${links.home}?state=${tab.id}`}>Show all</a>}
        </div>
      ) : (
        <ul class="list">
          {pauses.map((pause) => (
            <PauseRow context={context} pause={pause} />
          ))}
        </ul>
      )}
      {next === undefined ? null : (
        <p class="next">
          <a class="button" href={address({ cursor: next })}>
            Older
          </a>
        </p>
      )}
    </Layout>
  );
}

function Count({ value }: { value: number | null }): JSX.Element | null {
  if (value === 0) return null;
  return <span class="count">{value === null ? '50+' : value}</span>;
}

function PauseRow({ context, pause }: { context: SignedInContext; pause: PauseView }): JSX.Element {
  const shown = pause.calls.slice(0, 3);
  const waits = pause.calls.some((call) => call.state === 'awaiting');
  return (
    <li class="card row-card">
      <div class="row-head">
        <h2>
          <a href={context.links.pause(pause)} data-row="yes">
            {pauseTitle(pause)}
          </a>
          {pause.calls.length === 1 ? <Server name={pause.calls[0]?.server ?? null} /> : null}
        </h2>
        <p class="fine">
          for {askedBy(pause)} · <Time at={pause.createdAt} now={context.now} />
          {!waits || pause.expiresAt === null ? null : (
            <>
              {' · '}
              <span class="deadline">
                {pause.expiresAt > context.now
                  ? `expires ${relativeTime(pause.expiresAt, context.now)}`
                  : 'its time is over'}
              </span>
            </>
          )}
        </p>
      </div>
      <ul class={pause.calls.length === 1 ? 'calls single' : 'calls'}>
        {shown.map((call) => (
          <CallRow call={call} named={pause.calls.length > 1} />
        ))}
        {pause.calls.length > shown.length ? (
          <li class="fine">
            and {pause.calls.length - shown.length} more {pause.calls.length - shown.length === 1 ? 'call' : 'calls'}
          </li>
        ) : null}
      </ul>
    </li>
  );
}

function Server({ name }: { name: string | null }): JSX.Element | null {
  if (name === null) return null;
  return (
    <span class="fine">
      {' '}
      on <SafeLine text={name} maxLength={60} />
    </span>
  );
}

function CallRow({ call, named }: { call: CallView; named: boolean }): JSX.Element {
  const risk = riskOf(call);
  const flagged = safeDisplay(call.effectiveArguments).warnings.length;
  return (
    <li>
      {named ? (
        <span class="call-name">
          <SafeLine text={call.toolName} maxLength={80} />
          <Server name={call.server} />
        </span>
      ) : null}
      <span class="summary">{summarise(call.effectiveArguments)}</span>
      <span class="badges">
        {flagged === 0 ? null : <span class="badge bad">Look twice</span>}
        {call.state === 'awaiting' ? (
          <span class={`badge outline ${risk.tone}`}>{risk.text}</span>
        ) : (
          <StateBadge state={call.state} />
        )}
      </span>
    </li>
  );
}
