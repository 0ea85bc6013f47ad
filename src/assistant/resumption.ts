import type { ToolExecution } from '../confirm/types.ts';
import { replyIdOf } from '../core/call-identity.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { ToolgateError } from '../core/errors.ts';
import type { Message, Reply } from '../core/message.ts';
import { askerOf } from '../gate/asker.ts';
import type { ToolGate } from '../gate/types.ts';
import { wrong } from './check-assistant.ts';
import { History } from './history.ts';
import type { AssistantMemory } from './memory.ts';
import type { SendOptions, StatelessResume } from './types.ts';

/** A reply that waited, and what it takes to go on with it. */
export interface Resumption {
  readonly reply: Reply;
  readonly replyId: string;
  readonly history: History;
  /** For the calls of the model that follow. */
  readonly sending: SendOptions;
  readonly run: () => Promise<ToolExecution>;
  /** The results are in the history already, and nothing else would keep the calls from running again. */
  readonly isDone: boolean;
}

/**
 * By the id of a pause: conversation and principal are those of whoever asked. Throws `pause-not-found`, `invalid-option` for
 * another conversation, `not-permitted` for another principal.
 */
export async function recordedResumption(
  gate: ToolGate,
  memory: AssistantMemory,
  pauseId: string,
  send: SendOptions,
): Promise<Resumption> {
  const view = await gate.confirmations.get(pauseId);
  if (view === undefined)
    throw new ToolgateError('pause-not-found', `There is no pause ${pauseId}; nothing was run.`, {
      data: { pause: pauseId },
    });
  const { conversation, replyId } = view.identity;
  if (send.conversation !== undefined && send.conversation !== conversation)
    throw wrong('conversation', `The pause ${pauseId} belongs to another conversation; leave it out. Nothing was run.`);
  const principal = askerOf(view.identity, send.principal);
  if (send.principal !== undefined && principal !== send.principal)
    throw new ToolgateError(
      'not-permitted',
      `The pause ${pauseId} belongs to another principal; nothing was run. Whoever decides does so by confirmations.decide.`,
      { data: { action: 'resume' } },
    );
  const sending: SendOptions = { ...send, conversation, ...(principal === undefined ? {} : { principal }) };
  const history = await History.load(memory, sending);
  const run = (): Promise<ToolExecution> => gate.resume(pauseId, { ...sending, messages: history.messages });
  return { reply: view.reply, replyId, history, sending, run, isDone: false };
}

/** With the reply itself. Given messages are the caller's own history: a memory that holds others is not written to. */
export async function statelessResumption(
  gate: ToolGate,
  memory: AssistantMemory,
  pause: StatelessResume,
  send: SendOptions,
): Promise<Resumption> {
  const { reply } = pause ?? {};
  if (reply?.role !== 'assistant')
    throw wrong('pause', 'To go on takes the id of a pause, or { reply, decisions } of a paused response.');
  const remembered = await History.load(memory, send);
  const given = pause.messages === undefined ? undefined : withoutReply(pause.messages, reply);
  const isOwn = given !== undefined && json(given) !== json(remembered.messages);
  const history = isOwn ? new History(given) : remembered;
  const before = history.messages;
  const run = async (): Promise<ToolExecution> => {
    const turn = await gate.turn({ ...send, messages: before });
    return await turn.execute(reply, pause.decisions);
  };
  const replyId = replyIdOf(before, reply);
  // Only an id of the provider tells that it is this very reply and not equal calls of another one.
  const isDone = reply.id !== undefined && history.positionOf(reply, replyId) >= 0;
  return { reply, replyId, history, sending: send, run, isDone };
}

/** Whether somebody went on after the reply at this position. */
export function wasAnswered(messages: readonly Message[], position: number): boolean {
  return messages.at(-1)?.role !== 'tool' || messages.slice(position + 1).some(({ role }) => role === 'user');
}

/** The model's last words after the reply at this position and before the user's next message; else the reply itself. */
export function answerTo(messages: readonly Message[], position: number, reply: Reply): Reply {
  const after = messages.slice(position + 1);
  const next = after.findIndex(({ role }) => role === 'user');
  const answer = (next < 0 ? after : after.slice(0, next)).findLast(({ role }) => role === 'assistant');
  return answer === undefined ? reply : { ...answer, role: 'assistant' };
}

/** "Up to and without the reply", also where a caller has put it at the end. */
function withoutReply(messages: readonly Message[], reply: Reply): readonly Message[] {
  const last = messages.at(-1);
  return last?.role === 'assistant' && json(last.content) === json(reply.content) ? messages.slice(0, -1) : messages;
}

function json(value: unknown): string {
  return canonicalJson(value, { mode: 'lenient' });
}
