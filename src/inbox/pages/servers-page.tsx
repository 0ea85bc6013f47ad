import type { JSX } from 'hono/jsx/jsx-runtime';
import { Layout } from '../components/layout.tsx';
import { SafeLine } from '../components/safe-value.tsx';
import { Time } from '../components/small.tsx';
import type { InboxUpstream } from '../types.ts';
import type { SignedInContext } from '../view-context.ts';

const states: Readonly<Record<InboxUpstream['state'], { readonly tone: string; readonly text: string }>> = {
  connected: { tone: 'good', text: 'Connected' },
  connecting: { tone: 'go', text: 'Connecting' },
  stale: { tone: 'wait', text: 'From its last list' },
  failed: { tone: 'bad', text: 'Not available' },
  disabled: { tone: 'quiet', text: 'Switched off' },
};

/** Which servers stand behind the gate and how each is. */
export function ServersPage(props: { context: SignedInContext; upstreams: readonly InboxUpstream[] }): JSX.Element {
  const { context, upstreams } = props;
  const troubled = upstreams.filter((upstream) => upstream.state === 'failed' || upstream.state === 'stale').length;
  return (
    <Layout title="Servers" context={context} current="servers">
      <h1>Servers</h1>
      <p class="fine">
        {upstreams.length} configured{troubled === 0 ? ', all well' : `, ${troubled} with trouble`}. One that fails
        never holds up the others.
      </p>
      <ul class="list">
        {upstreams.map((upstream) => (
          <li class="card tool">
            <div class="row-head">
              <h2 class="mono">
                <SafeLine text={upstream.name} maxLength={80} />
              </h2>
              <span class={`badge ${states[upstream.state].tone}`}>{states[upstream.state].text}</span>
            </div>
            <p class="fine">
              {upstream.tools} {upstream.tools === 1 ? 'tool' : 'tools'}
              {upstream.transport === undefined ? null : ` · ${upstream.transport}`}
              {upstream.since === undefined ? null : (
                <>
                  {' · '}
                  <Time at={upstream.since} now={context.now} />
                </>
              )}
            </p>
            {upstream.detail === undefined ? null : (
              <p class="detail">
                <SafeLine text={upstream.detail} maxLength={600} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Layout>
  );
}
