import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StandingRule } from '../../confirm/records.ts';
import { safeDisplay } from '../../text/safe-display.ts';
import { SafeLine, SafeValue } from './safe-value.tsx';
import { Time } from './small.tsx';

/** What a standing rule covers, in words that leave nothing open. */
export function RuleTerms({ rule, now }: { rule: StandingRule; now: number }): JSX.Element {
  const named = Object.entries(rule.match);
  const exact = named.filter(([, value]) => value !== null);
  const free = named.filter(([, value]) => value === null).map(([name]) => name);
  return (
    <>
      <p>
        {rule.server === null ? (
          "The host's own tool"
        ) : (
          <>
            The tool of <SafeLine text={rule.server} maxLength={120} />
          </>
        )}
        ,{' '}
        {rule.principal === null ? (
          'whoever asks'
        ) : (
          <>
            asked for by <SafeLine text={rule.principal === '' ? 'an unnamed caller' : rule.principal} maxLength={80} />
          </>
        )}
        ,{' '}
        {rule.conversation === null ? (
          'in every conversation'
        ) : (
          <>
            only in the conversation <SafeLine text={rule.conversation} maxLength={80} />
          </>
        )}
        , until <Time at={rule.expiresAt} now={now} absolute />.
      </p>
      {rule.anyArguments ? (
        <p class="notice bad">
          With <strong>any arguments at all</strong>, also ones never seen.
        </p>
      ) : (
        <>
          {exact.length === 0 ? null : (
            <>
              <h3>Exactly these arguments</h3>
              <SafeValue
                display={safeDisplay(Object.fromEntries(exact.map(([name, value]) => [name, parse(value)])))}
              />
            </>
          )}
          {free.length === 0 ? null : (
            <p class="why">
              <span class="label">Any value of</span>{' '}
              {free.map((name, position) => (
                <>
                  {position === 0 ? '' : ', '}
                  <SafeLine text={name} maxLength={80} />
                </>
              ))}
            </p>
          )}
          <p class="fine">An argument that is not named here means no match. A tool that changed means no match.</p>
        </>
      )}
    </>
  );
}

function parse(value: string | null): unknown {
  try {
    return value === null ? null : (JSON.parse(value) as unknown);
  } catch {
    return value;
  }
}
