import { digestJson } from '../core/digest.ts';
import { ToolgateError } from '../core/errors.ts';
import { errorMessage } from '../core/errors.ts';
import type { DecisionMaker } from '../core/decision.ts';
import { isPlainObject } from '../core/json.ts';
import { appendToChain } from './append-to-chain.ts';
import { approveByRules } from './approve-by-rules.ts';
import { callOf } from './claim-call.ts';
import { forEachPause } from './for-each-pause.ts';
import { judgeDecision } from './judge-decision.ts';
import type { ManagerSetup } from './manager-options.ts';
import { callView, pauseView } from './pause-view.ts';
import type { CallRecord, PauseRecord, StandingRule } from './records.ts';
import { exactMatch, matchingRule, rulesMayCover } from './rule-match.ts';
import type { ConfirmationStore } from './store-port.ts';
import { requirePause } from './update-pause.ts';

/** How far a rule made from one call reaches. By default exactly as far as that call. */
export interface RuleScope {
  /** `exact` (default): these arguments and no others. `any`: whatever arguments. Or by name; an argument that is not named is exact. */
  readonly arguments?: 'exact' | 'any' | Readonly<Record<string, 'exact' | 'any'>>;
  /** Default `this`: only in the conversation of the call. */
  readonly conversation?: 'this' | 'all';
  /** Default `caller`: only for calls of whoever asked for this one. */
  readonly principal?: 'caller' | 'everybody';
  /** Default 30 days, at most one year. */
  readonly expiresInMs?: number;
}

/** What a rule would have done, before it is granted. */
export interface RulePreview {
  readonly rule: StandingRule;
  /** Recorded calls that it matches, of the newest 1,000 pauses. */
  readonly matches: number;
  /** Of these, how many a person approved, and how many a person denied. */
  readonly approved: number;
  readonly denied: number;
  /** Of these, how many wait now and would be approved at once. */
  readonly waiting: number;
}

/** Approvals given in advance: explicit, bounded, expiring, revocable. */
export interface StandingRules {
  preview(pauseId: string, key: string, scope: RuleScope, by: DecisionMaker): Promise<RulePreview>;
  /** Makes the rule, and approves with it what waits now. Needs `canGrantRules`. Throws `not-permitted`, `pause-not-found`, `decision-unknown-key`. */
  grant(pauseId: string, key: string, scope: RuleScope, by: DecisionMaker): Promise<StandingRule>;
  /** Rules of a tenant that hold; with `all` also revoked and expired ones. */
  list(tenant: string, options?: { readonly all?: boolean }): Promise<readonly StandingRule[]>;
  /** Ends a rule at once. What it has approved and has not run yet stays approved. */
  revoke(tenant: string, ruleId: string, by: DecisionMaker): Promise<StandingRule>;
}

const thirtyDaysMs = 30 * 86_400_000;
const longestMs = 365 * 86_400_000;

export function standingRulesOf(setup: ManagerSetup): StandingRules {
  const need = (): ConfirmationStore => {
    if (setup.store !== undefined) return setup.store;
    throw new ToolgateError('invalid-option', 'Standing rules need a manager with a store.', {
      data: { option: 'store' },
    });
  };
  const draft = async (pauseId: string, key: string, scope: RuleScope, by: DecisionMaker): Promise<StandingRule> => {
    const { pause, now } = requirePause(await need().get(pauseId), pauseId);
    const call = callOf(pause, key);
    if (call === undefined) {
      throw new ToolgateError('decision-unknown-key', `The pause has no call ${JSON.stringify(key)}.`, {
        data: { key, known: pause.calls.map((other) => other.key) },
      });
    }
    await requireRight(setup, pause, call, by);
    return ruleFrom(setup, pause, call, scope, by, now);
  };

  return {
    async preview(pauseId, key, scope, by) {
      const rule = await draft(pauseId, key, scope, by);
      const counts = { matches: 0, approved: 0, denied: 0, waiting: 0 };
      await forEachPause(
        need(),
        { tenant: rule.tenant },
        (pause) => {
          for (const call of pause.calls) {
            if (!matchingRule(rule, pause, call, rule.createdAt)) continue;
            counts.matches += 1;
            if (call.state === 'awaiting') counts.waiting += 1;
            if (call.decision?.decision.type === 'approve' && call.rule === null) counts.approved += 1;
            if (call.decision?.decision.type === 'deny') counts.denied += 1;
          }
        },
        1_000,
      );
      return { rule, ...counts };
    },

    async grant(pauseId, key, scope, by) {
      const store = need();
      const rule = await draft(pauseId, key, scope, by);
      const written = await appendToChain(
        store,
        'rules',
        rule.createdAt,
        () => ruleEntry('rule-granted', rule, by),
        (rows) => store.writeRule(rule, rows),
      );
      if (!written)
        throw new ToolgateError('store-failed', 'The rule could not be written.', { data: { operation: 'writeRule' } });
      await forEachPause(store, { tenant: rule.tenant, state: 'open', callStates: ['awaiting'] }, async (pause) => {
        await approveByRules(setup, store, pause);
      });
      return rule;
    },

    async list(tenant, options) {
      return (await need().rules(tenant, options?.all)).value;
    },

    async revoke(tenant, ruleId, by) {
      const store = need();
      for (;;) {
        const { value, now } = await store.rules(tenant, true);
        const rule = value.find((candidate) => candidate.id === ruleId);
        if (rule === undefined || (by.principal.tenant ?? '') !== tenant) {
          throw new ToolgateError(
            'not-permitted',
            `There is no standing rule ${JSON.stringify(ruleId)} that you may revoke.`,
            { data: { action: 'revoke-rule' } },
          );
        }
        if (rule.revokedAt !== null) return rule;
        const revoked = { ...rule, version: rule.version + 1, revokedAt: now };
        const written = await appendToChain(
          store,
          'rules',
          now,
          () => ruleEntry('rule-revoked', revoked, by),
          (rows) => store.writeRule(revoked, rows),
        );
        if (written) return revoked;
      }
    },
  };
}

async function requireRight(
  setup: ManagerSetup,
  pause: PauseRecord,
  call: CallRecord,
  by: DecisionMaker,
): Promise<void> {
  const refuse = (message: string): ToolgateError =>
    new ToolgateError('not-permitted', message, { data: { action: 'grant-rule' } });
  const { notPermitted } = await judgeDecision(setup, pause, call, { type: 'approve' }, by);
  if (notPermitted !== undefined) throw refuse(notPermitted);
  const { canGrantRules } = setup.options;
  if (canGrantRules === undefined)
    throw refuse('Standing rules are a right of their own: give the manager `canGrantRules`.');
  try {
    if (Object.is(await canGrantRules(by, pauseView(pause), callView(call)), true)) return;
  } catch (error) {
    setup.logger.warn('canGrantRules failed, which counts as no.', { pause: pause.id, error: errorMessage(error) });
  }
  throw refuse('You are not among those who may grant standing rules.');
}

function ruleFrom(
  setup: ManagerSetup,
  pause: PauseRecord,
  call: CallRecord,
  scope: RuleScope,
  by: DecisionMaker,
  now: number,
): StandingRule {
  if (!rulesMayCover(call)) {
    throw new ToolgateError(
      'not-permitted',
      `No standing rule may cover ${call.toolName}: it is destructive or needs several approvals, and the policy does not allow it.`,
      {
        data: { action: 'grant-rule' },
      },
    );
  }
  const expiresInMs = scope.expiresInMs ?? thirtyDaysMs;
  if (!(expiresInMs > 0 && expiresInMs <= longestMs)) {
    throw new ToolgateError('invalid-option', 'A standing rule lives more than 0 and at most 365 days.', {
      data: { option: 'expiresInMs' },
    });
  }
  const wanted = scope.arguments ?? 'exact';
  const exact = exactMatch(call.proposed);
  const match = isPlainObject(wanted)
    ? Object.fromEntries(
        Object.entries(exact).map(([name, value]) => [
          name,
          Object.hasOwn(wanted, name) && wanted[name] === 'any' ? null : value,
        ]),
      )
    : exact;
  return {
    id: setup.ids.next('rule'),
    version: 1,
    tenant: pause.identity.tenant,
    principal: scope.principal === 'everybody' ? null : pause.identity.principal,
    conversation: scope.conversation === 'all' ? null : pause.identity.conversation,
    server: call.server?.identity ?? null,
    originalName: call.originalName,
    fingerprint: call.fingerprint,
    match: wanted === 'any' ? {} : match,
    anyArguments: wanted === 'any',
    createdAt: now,
    expiresAt: now + expiresInMs,
    revokedAt: null,
    by: by.principal,
    from: { pauseId: pause.id, key: call.key },
  };
}

function ruleEntry(
  kind: string,
  rule: StandingRule,
  by: DecisionMaker,
): { kind: string; key: null; body: Record<string, string | number | boolean | null> } {
  const { id, version, tenant, principal, conversation, server, originalName, fingerprint, anyArguments, expiresAt } =
    rule;
  return {
    kind,
    key: null,
    body: {
      id,
      version,
      tenant,
      principal,
      conversation,
      server,
      originalName,
      fingerprint,
      anyArguments,
      match: digestJson(rule.match),
      expiresAt,
      by: by.principal.id,
    },
  };
}
