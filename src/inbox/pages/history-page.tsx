import type { JSX } from 'hono/jsx/jsx-runtime';
import type { CallView, PauseView } from '../../confirm/types.ts';
import { Layout } from '../components/layout.tsx';
import { SafeLine } from '../components/safe-value.tsx';
import { StateBadge, Time } from '../components/small.tsx';
import { summarise } from '../summary.ts';
import type { SignedInContext } from '../view-context.ts';
import { askedBy, makerName, stateWords } from '../words.ts';

/** The ends that the history can be narrowed to. */
export const historyStates = [
  'succeeded',
  'failed',
  'denied',
  'responded',
  'expired',
  'superseded',
  'cancelled',
  'invalid',
  'unknown',
] as const;

interface HistoryPageProps {
  readonly context: SignedInContext;
  readonly query: string;
  readonly state: string;
  readonly pauses: readonly PauseView[];
  readonly next?: string | undefined;
}

/** Every call with how it ended and who decided it, one line each. */
export function HistoryPage({ context, query, state, pauses, next }: HistoryPageProps): JSX.Element {
  const rows = pauses.flatMap((pause) =>
    pause.calls.filter((call) => matches(call, state)).map((call) => ({ pause, call })),
  );
  const kept = { ...(query === '' ? {} : { q: query }), ...(state === '' ? {} : { state }) };
  return (
    <Layout title="History" context={context} current="history">
      <h1>History</h1>
      <form class="tools search" method="get" action={context.links.history} role="search">
        <label class="hidden" for="q">
          Filter by tool, server, caller or conversation
        </label>
        <input id="q" name="q" type="search" value={query} placeholder="Filter by tool, server, caller…" data-key="/" />
        <label class="hidden" for="state">
          How it ended
        </label>
        <select id="state" name="state">
          <option value="">Any end</option>
          {historyStates.map((name) => (
            <option value={name} selected={name === state}>
              {stateWords[name]}
            </option>
          ))}
        </select>
        <button class="button" type="submit">
          Filter
        </button>
      </form>
      {rows.length === 0 ? (
        <div class="nothing">
          <p>No call has ended{query === '' && state === '' ? ' yet' : ' that matches this filter'}.</p>
        </div>
      ) : (
        <div class="card scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Tool</th>
                <th scope="col">End</th>
                <th scope="col">Arguments</th>
                <th scope="col">Decided by</th>
                <th scope="col">For</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ pause, call }) => (
                <Row context={context} pause={pause} call={call} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next === undefined ? null : (
        <p class="next">
          <a
            class="button"
            href={`${context.links.history}?${new URLSearchParams({ ...kept, cursor: next }).toString()}`}
          >
            Older
          </a>
        </p>
      )}
    </Layout>
  );
}

function matches(call: CallView, state: string): boolean {
  return state === '' ? call.outcome !== null || call.state === 'stale' : call.state === state;
}

function Row({ context, pause, call }: { context: SignedInContext; pause: PauseView; call: CallView }): JSX.Element {
  const by = call.decision?.by ?? call.outcome?.by;
  return (
    <tr>
      <td>
        <a href={context.links.pause(pause)} class="mono">
          <SafeLine text={call.toolName} maxLength={80} />
        </a>
        {call.server === null ? null : (
          <div class="fine">
            <SafeLine text={call.server} maxLength={60} />
          </div>
        )}
      </td>
      <td>
        <StateBadge state={call.state} />
      </td>
      <td class="summary">{summarise(call.effectiveArguments)}</td>
      <td>{makerName(by)}</td>
      <td>{askedBy(pause)}</td>
      <td class="when">
        <Time at={call.decision?.at ?? pause.createdAt} now={context.now} />
      </td>
    </tr>
  );
}
