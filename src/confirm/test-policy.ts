import { silentLogger } from '../core/logger.ts';
import type { Principal } from '../core/principal.ts';
import { compilePolicy } from './compile-policy.ts';
import type { PolicyInput } from './compile-policy.ts';
import type { ToolsInput } from './manager-options.ts';
import { prepareCall } from './prepare-call.ts';
import { lookupOf } from './tool-lookup.ts';

/** A call as it was recorded. */
export interface RecordedPolicyCall {
  readonly toolName: string;
  /** As the model gave it, object or JSON text. */
  readonly input?: unknown;
  readonly toolCallId?: string | undefined;
  readonly conversation?: string | undefined;
  readonly principal?: Principal | undefined;
}

/** What a policy would have done with a recorded call. */
export interface PolicyTestResult {
  readonly toolName: string;
  readonly verdict: 'run' | 'ask' | 'denied' | 'invalid' | 'unknown-tool';
  /** Why it asks, was denied, or is invalid. */
  readonly reason: string | null;
}

/** Says of recorded calls what a policy would have asked, run and denied. Nothing is run. In the order of the calls. */
export async function testPolicy(
  policy: PolicyInput | undefined,
  tools: ToolsInput,
  calls: readonly RecordedPolicyCall[],
): Promise<readonly PolicyTestResult[]> {
  const compiled = compilePolicy(policy, silentLogger);
  const lookup = lookupOf(tools);
  const signal = new AbortController().signal;
  const results: PolicyTestResult[] = [];
  for (const [index, call] of calls.entries()) {
    const { toolName } = call;
    const tool = lookup.get(toolName);
    if (tool === undefined) {
      results.push({ toolName, verdict: 'unknown-tool', reason: 'No tool of this name is known.' });
      continue;
    }
    const toolCallId = call.toolCallId ?? '';
    const key = `${index}.${toolCallId}`;
    const { conversation, principal } = call;
    const prepared = await prepareCall(
      { key, part: { type: 'tool-call', toolCallId, toolName, input: call.input } },
      tool,
      call.input,
      compiled,
      { key, toolCallId, conversation, principal, messages: [], attributes: {}, signal },
    );
    if (prepared.kind === 'free') results.push({ toolName, verdict: 'run', reason: null });
    else if (prepared.kind === 'confirm')
      results.push({ toolName, verdict: 'ask', reason: prepared.demand.reason ?? null });
    else results.push({ toolName, verdict: prepared.kind, reason: prepared.outcome.result.content[0]?.text ?? null });
  }
  return results;
}
