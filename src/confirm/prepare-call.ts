import type { RegisteredTool } from '../catalog/types.ts';
import type { KeyedCall } from '../core/call-identity.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Digest } from '../core/digest.ts';
import { errorMessage } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ToolCallContext } from '../core/tool.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import { deniedOutcome, invalidArgumentsOutcome } from './outcomes.ts';
import type { ConfirmationDemand, PolicyVerdict } from './types.ts';
import { demandOf, isConfirm } from './verdict.ts';

/** A call after every check that needs no person. */
export type PreparedCall =
  | (PreparedEnd & { readonly kind: 'invalid' })
  | (PreparedEnd & { readonly kind: 'denied' })
  | (PreparedRun & { readonly kind: 'free' })
  | (PreparedRun & { readonly kind: 'confirm' });

/** The call has its outcome already: invalid, or denied by policy. */
export interface PreparedEnd {
  readonly kind: 'invalid' | 'denied';
  readonly call: KeyedCall;
  readonly outcome: Outcome;
  /** A hidden tool that is to be shown from now on. */
  readonly activate?: string;
  readonly tool?: RegisteredTool;
}

/** The call may run, now (`free`) or after a decision (`confirm`). */
export interface PreparedRun {
  readonly kind: 'free' | 'confirm';
  readonly call: KeyedCall;
  readonly tool: RegisteredTool;
  /** Parsed, defaulted, validated. */
  readonly arguments: unknown;
  readonly digest: Digest;
  readonly demand: ConfirmationDemand;
  /** A mark or a policy threw. At run that means: not run. */
  readonly failed: boolean;
}

/** Parses the arguments, then asks the policy. The tool has been found and is permitted. Never throws. */
export async function prepareCall(
  call: KeyedCall,
  tool: RegisteredTool,
  input: unknown,
  policy: CompiledPolicy,
  context: ToolCallContext,
): Promise<PreparedCall> {
  const name = callName(call);
  const parsed = await tool.parse(input).catch((error: unknown) => ({
    ok: false as const,
    issues: [{ path: '', message: errorMessage(error) }],
  }));
  if (!parsed.ok) return { kind: 'invalid', call, tool, outcome: invalidArgumentsOutcome(name, parsed.issues) };
  const { verdict, failed } = await policy.judge({ ...name, arguments: parsed.value, tool }, context);
  if (typeof verdict === 'object' && 'deny' in verdict) {
    return { kind: 'denied', call, tool, outcome: deniedOutcome(name, 'policy', verdict.deny) };
  }
  let digest: Digest | undefined;
  return {
    kind: kindOf(verdict),
    call,
    tool,
    arguments: parsed.value,
    // Only what waits or is recorded is ever compared with it.
    get digest() {
      digest ??= callDigest(tool, parsed.value, policy.version);
      return digest;
    },
    demand: demandOf(verdict),
    failed,
  };
}

function kindOf(verdict: PolicyVerdict): 'free' | 'confirm' {
  return isConfirm(verdict) ? 'confirm' : 'free';
}

/** What an outcome and a policy call a call by. */
export function callName(call: KeyedCall): {
  readonly key: string;
  readonly toolCallId: string;
  readonly toolName: string;
} {
  return { key: call.key, toolCallId: call.part.toolCallId, toolName: call.part.toolName };
}

/** Binds a decision to exactly this: exposed name, fingerprint, arguments and policy version. */
export function callDigest(tool: RegisteredTool, args: unknown, policyVersion: string): Digest {
  return digestText(
    canonicalJson(['toolgate-call-1', tool.name, tool.fingerprint, args ?? null, policyVersion], { mode: 'lenient' }),
  );
}
