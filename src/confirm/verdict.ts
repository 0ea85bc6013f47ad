import type { ConfirmationDemand, PolicyVerdict } from './types.ts';

/** The more restrictive of two verdicts: deny before confirm before allow. Two confirmations are joined into the stricter demand. */
export function stricterVerdict(a: PolicyVerdict | undefined, b: PolicyVerdict | undefined): PolicyVerdict | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (rank(a) !== rank(b)) return rank(a) > rank(b) ? a : b;
  if (rank(a) !== 1) return a;
  return { confirm: joinDemands(demandOf(a), demandOf(b)) };
}

/** The demand behind a verdict that asks for confirmation; empty for the short form. */
export function demandOf(verdict: PolicyVerdict): ConfirmationDemand {
  return typeof verdict === 'object' && 'confirm' in verdict ? verdict.confirm : {};
}

/** True for both forms of `confirm`. */
export function isConfirm(verdict: PolicyVerdict): boolean {
  return rank(verdict) === 1;
}

function rank(verdict: PolicyVerdict): number {
  if (verdict === 'allow') return 0;
  if (verdict === 'confirm' || 'confirm' in verdict) return 1;
  return 2;
}

function joinDemands(a: ConfirmationDemand, b: ConfirmationDemand): ConfirmationDemand {
  const reasons = [...new Set([a.reason, b.reason].filter((reason) => reason !== undefined))];
  const editable =
    a.editable === undefined
      ? b.editable
      : b.editable === undefined
        ? a.editable
        : a.editable.filter((name) => b.editable?.includes(name));
  const approver =
    a.approver === 'not-caller' || b.approver === 'not-caller' ? 'not-caller' : (a.approver ?? b.approver);
  return {
    ...(reasons.length > 0 ? { reason: reasons.join('; ') } : {}),
    ...(editable === undefined ? {} : { editable }),
    approvals: Math.max(a.approvals ?? 1, b.approvals ?? 1),
    ...(approver === undefined ? {} : { approver }),
    // Permissions count only when nobody withholds them; a demand that says nothing has no opinion on either.
    ...(a.standingRules === false || b.standingRules === false
      ? { standingRules: false }
      : a.standingRules === true || b.standingRules === true
        ? { standingRules: true }
        : {}),
    ...(a.acceptIn === 'client' && b.acceptIn === 'client' ? { acceptIn: 'client' as const } : {}),
  };
}

/** Checks what a policy of the host gave back. Anything that is no verdict counts as `confirm`: a broken policy never waives. */
export function readVerdict(value: unknown): PolicyVerdict | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === 'allow' || value === 'confirm') return value;
  if (typeof value === 'object') {
    if ('deny' in value && typeof value.deny === 'string') return { deny: value.deny };
    if ('confirm' in value && typeof value.confirm === 'object' && value.confirm !== null)
      return value as PolicyVerdict;
  }
  return { confirm: { reason: 'The policy gave an answer that is not a verdict.' } };
}
