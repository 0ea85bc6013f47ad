import { keyedCalls } from '../core/call-identity.ts';
import type { KeyedCall } from '../core/call-identity.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { ToolgateError } from '../core/errors.ts';
import type { Reply } from '../core/message.ts';
import { callContext, finderOf } from './call-context.ts';
import type { ReplyContext } from './call-context.ts';
import { deniedInTurn } from './denied-in-turn.ts';
import { findTool } from './find-tool.ts';
import type { ManagerSetup } from './manager-options.ts';
import { repeatedDenialOutcome } from './outcomes.ts';
import { callName, prepareCall } from './prepare-call.ts';
import type { PreparedCall, PreparedRun } from './prepare-call.ts';

/** The calls of a reply that are run here: all but those the provider executes itself. Throws `invalid-option` for what is no reply. */
export function callsToRun(reply: Reply): readonly KeyedCall[] {
  if (reply?.role !== 'assistant') {
    throw new ToolgateError('invalid-option', "A reply must be an assistant message: { role: 'assistant', content }.", {
      data: { option: 'reply' },
    });
  }
  return keyedCalls(reply).filter(({ part }) => part.providerExecuted !== true);
}

/** Puts every call through every check that needs no person, before any of them runs. In the model's order. */
export async function prepareReply(
  setup: ManagerSetup,
  context: ReplyContext,
  calls: readonly KeyedCall[],
): Promise<readonly PreparedCall[]> {
  const finder = finderOf(setup, context);
  let denied: ReturnType<typeof deniedInTurn> | undefined;
  return Promise.all(
    calls.map(async (call): Promise<PreparedCall> => {
      const tool = await findTool(call, finder);
      if ('kind' in tool) return tool;
      const prepared = await prepareCall(
        call,
        tool,
        call.part.input,
        setup.policy,
        callContext(context, callName(call)),
      );
      if (prepared.kind !== 'confirm' || !setup.refuseRepeats) return prepared;
      denied ??= deniedInTurn(context.messages);
      if (!(await wasDenied(prepared, denied))) return prepared;
      return { kind: 'denied', call, tool, outcome: repeatedDenialOutcome(callName(call)) };
    }),
  );
}

async function wasDenied(
  prepared: PreparedRun,
  denied: readonly { readonly toolName: string; readonly input: unknown }[],
): Promise<boolean> {
  const mine = canonicalJson(prepared.arguments ?? null, { mode: 'lenient' });
  for (const earlier of denied) {
    if (earlier.toolName !== prepared.call.part.toolName) continue;
    const parsed = await prepared.tool.parse(earlier.input);
    if (parsed.ok && canonicalJson(parsed.value ?? null, { mode: 'lenient' }) === mine) return true;
  }
  return false;
}
