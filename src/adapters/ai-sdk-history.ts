import { isToolgateError } from '../core/errors.ts';
import type { MessagePart } from '../core/message.ts';
import { toolResultPart } from '../confirm/outcome-messages.ts';
import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { ToolGate, ToolTurn } from '../gate/types.ts';
import type { CallOrigin } from './ai-sdk-calls.ts';
import { approvalsOf, lastCalls, unansweredCalls } from './ai-sdk-messages.ts';
import type { SdkCallOptions } from './ai-sdk-tools.ts';

type SdkMessages = SdkCallOptions['messages'];

/** Brings the store and a history that a client holds together, before the model is asked. */
export class HistorySettler {
  readonly #gate: ToolGate;
  readonly #origin: CallOrigin;
  readonly #hasStore: boolean;
  readonly #results = new Map<string, MessagePart>();

  constructor(gate: ToolGate, origin: CallOrigin, hasStore: boolean) {
    this.#gate = gate;
    this.#origin = origin;
    this.#hasStore = hasStore;
  }

  /** The messages, with a result for each call that a newer message of the user has overtaken. */
  async settle(messages: SdkMessages, isFirst: boolean): Promise<SdkMessages> {
    if (!this.#hasStore || this.#origin.conversation === undefined) return messages;
    if (isFirst) {
      await this.#recordDenials(messages);
      if (messages.at(-1)?.role === 'user') await this.#supersede(messages);
    }
    return this.#results.size === 0 ? messages : this.#fill(messages);
  }

  /** The SDK answers a denied call itself; the store is told, so that nobody approves it later. */
  async #recordDenials(messages: SdkMessages): Promise<void> {
    const { decidedBy, principal } = this.#origin;
    const by = decidedBy ?? (principal === undefined ? undefined : { principal, via: 'ai-sdk' });
    for (const { call, approved, reason } of approvalsOf(messages)) {
      if (approved !== false) continue;
      const pause = await this.#gate.calls.find(call, this.#origin);
      const recorded = pause?.calls[0];
      if (recorded?.state !== 'awaiting') continue;
      const decision = { type: 'deny', ...(reason === undefined ? {} : { message: reason }) } as const;
      try {
        await this.#gate.calls.execute(call, {
          ...this.#origin,
          decisions: ToolCallDecisions.of({ [recorded.key]: decision }, { by }),
        });
      } catch (error) {
        // Whoever may not decide, or decides too late, only leaves the call in this history: the SDK does not run it.
        if (!isToolgateError(error) || !['not-permitted', 'decision-conflict'].includes(error.code)) throw error;
      }
    }
  }

  async #supersede(messages: SdkMessages): Promise<void> {
    const open = unansweredCalls(messages);
    if (open.length === 0) return;
    await this.#gate.supersede(this.#origin.conversation ?? '', this.#origin.principal);
    for (const call of open) {
      const pause = await this.#gate.calls.find(call, this.#origin);
      const outcome = pause?.calls[0]?.outcome;
      if (outcome !== null && outcome !== undefined) this.#results.set(call.toolCallId, toolResultPart(outcome));
    }
  }

  #fill(messages: SdkMessages): SdkMessages {
    const open = unansweredCalls(messages).filter(({ toolCallId }) => this.#results.has(toolCallId));
    if (open.length === 0) return messages;
    return messages.flatMap((message, position) => {
      const mine = open.filter((call) => call.position === position);
      if (mine.length === 0) return [message];
      return [message, { role: 'tool', content: mine.map(({ toolCallId }) => this.#results.get(toolCallId)) }];
    });
  }
}

/** The SDK answers calls of tools that were not active by itself. The gate is told, so that such a tool is shown from then on. */
export async function reportHiddenCalls(gate: ToolGate, turn: ToolTurn, messages: SdkMessages): Promise<void> {
  const shown = new Set(turn.tools.map(({ name }) => name));
  for (const call of lastCalls(messages))
    if (!shown.has(call.toolName) && turn.catalogue.get(call.toolName) !== undefined)
      await gate.calls.execute(call, { turn });
}
