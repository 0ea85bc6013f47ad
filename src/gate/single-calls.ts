import type { ToolLookup } from '../catalog/types.ts';
import type { ClaimAnswer, HostClaim } from '../confirm/claim-for-host.ts';
import type { SingleCall, SingleCallOptions, ToolCallingManager } from '../confirm/manager.ts';
import type { Proposal } from '../confirm/propose-call.ts';
import type { PauseView, ToolConversation } from '../confirm/types.ts';
import type { Outcome } from '../core/outcome.ts';
import { ToolgateError } from '../core/errors.ts';
import { foundOfOutcome } from './remember-found.ts';
import { conversationOf } from './turn.ts';
import type { TurnParts } from './turn.ts';
import type { ToolTurn, TurnRequest } from './types.ts';

/** Where a single call stands. */
export interface GateCallOptions extends Partial<TurnRequest>, Omit<SingleCallOptions, 'conversation'> {
  /** The turn whose reply holds the call; what that turn did not show is hidden. Absent: every tool can be called. */
  readonly turn?: ToolTurn | undefined;
  /** Names of the agents around the one that calls, outermost first. */
  readonly path?: readonly string[] | undefined;
}

/**
 * Single calls through the same checks as whole replies, for frameworks that hand over one call at a time. Each is a pause of
 * its own when it waits; the ids of the calls tell deliveries apart. Errors as of `ToolCallingManager`.
 */
export interface GateCalls {
  /** Runs the call, or gives what is recorded of it. Throws `ToolCallConfirmationRequiredError` while it waits. */
  execute(call: SingleCall, options: GateCallOptions): Promise<Outcome>;
  /** The checks without running: whether it waits. */
  propose(call: SingleCall, options: GateCallOptions): Promise<Proposal>;
  /** What is recorded of the call. */
  find(call: SingleCall, options: GateCallOptions): Promise<PauseView | undefined>;
  /** For frameworks that run the call themselves: the right to do so once, or the outcome it has. Needs a store. */
  claim(call: SingleCall, options: GateCallOptions): Promise<ClaimAnswer>;
  /** How a claimed call ended. */
  finish(claim: HostClaim, result: unknown): Promise<Outcome>;
}

/** What single calls need of their gate. */
export interface GateCallsParts {
  readonly manager: ToolCallingManager;
  readonly partsOf: (turn: ToolTurn) => TurnParts | undefined;
  readonly lookup: (request: Partial<TurnRequest>) => Promise<ToolLookup>;
  /** Whether a call of a hidden tool makes it shown. */
  readonly activates: boolean;
  /** Names of the gate's own search tools. */
  readonly searchNames: ReadonlySet<string>;
}

export function createGateCalls({ manager, partsOf, lookup, activates, searchNames }: GateCallsParts): GateCalls {
  function partsFor(options: GateCallOptions): TurnParts | undefined {
    if (options.turn === undefined) return undefined;
    const parts = partsOf(options.turn);
    // Without its parts nobody knows what the turn showed and to whom: taking all tools instead would open what was hidden.
    if (parts !== undefined) return parts;
    throw new ToolgateError(
      'invalid-option',
      'The turn was not made by this gate, or is a copy. Give the very object that gate.turn() or refresh() gave.',
      { data: { option: 'turn' } },
    );
  }

  async function conversationFor(options: GateCallOptions): Promise<ToolConversation> {
    const parts = partsFor(options);
    const own =
      parts === undefined
        ? {
            id: options.conversation,
            messages: options.messages ?? [],
            tools: await lookup(options),
            principal: options.principal,
            attributes: options.attributes,
          }
        : conversationOf(parts);
    return {
      ...own,
      attributes: options.attributes ?? own.attributes,
      signal: options.signal ?? parts?.request.signal,
      path: options.path,
    };
  }

  /** What the conversation learns from a call: that the tool is in use, and what a search found. */
  function remember(parts: TurnParts | undefined, outcome: Outcome): void {
    if (parts === undefined) return;
    const { session, arranged, catalogue } = parts;
    const { toolName, status } = outcome;
    if (catalogue.get(toolName) !== undefined) {
      const isShown = arranged.names.has(toolName);
      if (status !== 'invalid' || isShown) session.called.add(toolName);
      else if (activates) session.found.add(toolName);
    }
    for (const name of foundOfOutcome(outcome, searchNames)) session.found.add(name);
  }

  return {
    async execute(call, options) {
      const outcome = await manager.executeToolCall(call, { ...options, conversation: await conversationFor(options) });
      remember(partsFor(options), outcome);
      return outcome;
    },
    propose: async (call, options) =>
      await manager.propose(call, { ...options, conversation: await conversationFor(options) }),
    find: async (call, options) =>
      await manager.find(call, {
        id: options.conversation,
        messages: options.messages ?? [],
        tools: [],
        principal: options.principal,
      }),
    async claim(call, options) {
      const answer = await manager.claim(call, { ...options, conversation: await conversationFor(options) });
      if (answer.type === 'settled') remember(partsFor(options), answer.outcome);
      return answer;
    },
    finish: async (claim, result) => await manager.finish(claim, result),
  };
}
