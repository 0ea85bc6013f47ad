import { canonicalJson } from '../core/canonical-json.ts';
import { isPlainObject } from '../core/json.ts';
import type { CallRecord, PauseRecord, StandingRule } from './records.ts';

/**
 * Whether a standing rule covers a waiting call: same tenant, caller, conversation, server, original name and fingerprint, and
 * typed, canonical values for every argument. An argument the rule does not mention means no match. Rules do not
 * reach destructive tools unless the policy's demand allows it, nor calls that need several approvers.
 */
export function matchingRule(rule: StandingRule, pause: PauseRecord, call: CallRecord, now: number): boolean {
  if (rule.revokedAt !== null || rule.expiresAt <= now) return false;
  if (rule.tenant !== pause.identity.tenant) return false;
  if (rule.principal !== null && rule.principal !== pause.identity.principal) return false;
  if (rule.conversation !== null && rule.conversation !== pause.identity.conversation) return false;
  if (rule.server !== (call.server?.identity ?? null) || rule.originalName !== call.originalName) return false;
  if (rule.fingerprint !== call.fingerprint) return false;
  if (!rulesMayCover(call)) return false;
  return rule.anyArguments || argumentsMatch(rule.match, call.proposed);
}

/** Whether a standing rule may ever speak for this call. */
export function rulesMayCover(call: CallRecord): boolean {
  if ((call.demand?.approvals ?? 1) > 1) return false;
  if (call.demand?.standingRules !== undefined) return call.demand.standingRules;
  return call.annotations?.destructiveHint !== true;
}

function argumentsMatch(match: StandingRule['match'], args: unknown): boolean {
  if (!isPlainObject(args)) return false;
  const names = Object.keys(args);
  if (Object.keys(match).some((name) => !Object.hasOwn(args, name))) return false;
  return names.every((name) => {
    if (!Object.hasOwn(match, name)) return false;
    const wanted = match[name];
    return wanted === null || wanted === canonicalJson(args[name] ?? null);
  });
}

/** The match of exactly these arguments. */
export function exactMatch(args: unknown): Readonly<Record<string, string>> {
  if (!isPlainObject(args)) return {};
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, canonicalJson(value ?? null)]));
}
