import type { ToolGate } from '../gate/types.ts';
import type { AgentOrigin } from './openai-agents.ts';
import { asText, readArguments } from './openai-agents-messages.ts';
import { outcomeText } from './outcome-answer.ts';

interface InterruptionLike {
  readonly rawItem: { readonly callId?: unknown; readonly name?: unknown; readonly arguments?: unknown };
}

/** The state of a run of the SDK, as far as it is looked at. */
export interface RunStateLike {
  getInterruptions(): readonly object[];
  approve(item: never): void;
  reject(item: never, options?: { message?: string }): void;
}

/** What a run still waits for. */
export interface CarriedState {
  /** Ids of the calls that nobody has decided yet. Run the state only when there is none. */
  readonly waiting: readonly string[];
}

/** Answers a state's interruptions as the store says. While one call of it waits nothing is changed. */
export async function carryDecisions(gate: ToolGate, state: RunStateLike, origin: AgentOrigin): Promise<CarriedState> {
  const { conversation, principal } = origin;
  const waiting: string[] = [];
  const answers: (() => void)[] = [];
  for (const item of state.getInterruptions()) {
    const { callId, name, arguments: input } = (item as InterruptionLike).rawItem;
    const call = { toolCallId: asText(callId), toolName: asText(name), input: readArguments(input) };
    const pause = await gate.calls.find(call, { conversation, principal });
    const recorded = pause?.calls[0];
    if (recorded === undefined || recorded.state === 'awaiting') {
      waiting.push(call.toolCallId);
      continue;
    }
    const { outcome } = recorded;
    const refused =
      outcome !== null && ['denied', 'expired', 'superseded', 'cancelled', 'invalid'].includes(outcome.status);
    answers.push(() =>
      refused ? state.reject(item as never, { message: outcomeText(outcome) }) : state.approve(item as never),
    );
  }
  if (waiting.length === 0) for (const answer of answers) answer();
  return { waiting };
}
