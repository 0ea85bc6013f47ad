import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StandingRule } from '../../confirm/records.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { Layout } from '../components/layout.tsx';
import { RuleTerms } from '../components/rule-terms.tsx';
import { FormGuard, Time } from '../components/small.tsx';
import type { SignedInContext } from '../view-context.ts';

/** Every approval given in advance: those that hold, then those that ended. */
export function RulesPage(props: { context: SignedInContext; rules: readonly StandingRule[] }): JSX.Element {
  const { context } = props;
  const holds = (rule: StandingRule): boolean => rule.revokedAt === null && rule.expiresAt > context.now;
  const newest = props.rules.toSorted((left, right) => right.createdAt - left.createdAt);
  const rules = [...newest.filter(holds), ...newest.filter((rule) => !holds(rule))];
  return (
    <Layout title="Rules" context={context} current="rules">
      <h1>Standing rules</h1>
      <p class="fine">Approvals given in advance. A denial by policy is out of their reach.</p>
      {rules.length === 0 ? (
        <div class="nothing">
          <p>There is no standing rule.</p>
          <p class="fine">One is made from a call: open the call and follow the link at its end.</p>
        </div>
      ) : (
        <ul class="list">
          {rules.map((rule) => (
            <li class="card">
              <div class="row-head">
                <h2 class="mono">{safeLine(rule.originalName, { maxLength: 80 })}</h2>
                {holds(rule) ? (
                  <span class="badge good">Holds</span>
                ) : (
                  <span class="badge quiet">{rule.revokedAt === null ? 'Expired' : 'Revoked'}</span>
                )}
              </div>
              <RuleTerms rule={rule} now={context.now} />
              <p class="fine">
                granted by {safeLine(rule.by.id, { maxLength: 80 })} <Time at={rule.createdAt} now={context.now} />
                {rule.from === null ? null : (
                  <>
                    {' '}
                    from <a href={context.links.pause({ id: rule.from.pauseId })}>a call</a>
                  </>
                )}
              </p>
              {holds(rule) ? (
                <form method="post" action={context.links.revoke}>
                  <FormGuard formToken={context.formToken} />
                  <input type="hidden" name="rule" value={rule.id} />
                  <button class="button deny" type="submit">
                    Revoke
                  </button>
                </form>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Layout>
  );
}
