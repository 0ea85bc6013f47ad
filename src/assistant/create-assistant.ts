import { canonicalJson } from '../core/canonical-json.ts';
import { ToolCallConfirmationRequiredError, ToolgateError } from '../core/errors.ts';
import { keyedCalls, replyIdOf } from '../core/call-identity.ts';
import type { Message, Reply } from '../core/message.ts';
import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { ToolExecution } from '../confirm/types.ts';
import { callModel } from './call-model.ts';
import { eventQueue } from './event-queue.ts';
import { inProcessMemory } from './memory.ts';
import { Progress } from './progress.ts';
import type {
  Assistant,
  AssistantEvent,
  AssistantOptions,
  AssistantResponse,
  SendOptions,
  StatelessResume,
} from './types.ts';

type Emit = (event: AssistantEvent) => void;

/**
 * A small loop over any language model of the AI SDK: select, ask, run, repeat; pauses when calls wait for a person and goes on
 * in any process. Errors in arguments and of tools go back to the model, unknown tools are answered with the known ones.
 */
export function createAssistant(options: AssistantOptions): Assistant {
  const memory = options.memory ?? inProcessMemory();
  const maxRounds = options.maxRounds ?? 100;
  if (!Number.isInteger(maxRounds) || maxRounds < 1 || maxRounds > 1000) {
    throw new ToolgateError(
      'invalid-option',
      `maxRounds must be a whole number from 1 to 1,000, not ${String(maxRounds)}.`,
      { data: { option: 'maxRounds' } },
    );
  }

  async function load(send: SendOptions): Promise<Message[]> {
    return send.conversation === undefined ? [] : [...(await memory.load(send.conversation))];
  }

  /** Appends to the conversation, in memory and in `history`, which is what this process knows of it. */
  async function append(history: Message[], added: readonly Message[], send: SendOptions): Promise<void> {
    if (added.length === 0) return;
    if (send.conversation !== undefined && !(await memory.append(send.conversation, history.length, added))) {
      throw new ToolgateError(
        'aborted',
        `Another process has written to the conversation ${send.conversation} meanwhile; load it and try again.`,
        {
          data: { conversation: send.conversation },
        },
      );
    }
    history.push(...added);
  }

  async function start(
    message: string | Message,
    send: SendOptions,
    emit: Emit,
    streaming: boolean,
  ): Promise<AssistantResponse> {
    const progress = new Progress();
    const history = await load(send);
    if (send.conversation !== undefined) {
      for (const { pause, messages } of await options.gate.supersede(send.conversation, send.principal)) {
        if (positionOf(history, pause.reply, pause.identity.replyId) < 0)
          await append(history, [pause.reply, ...messages], send);
      }
    }
    const user: Message = typeof message === 'string' ? { role: 'user', content: message } : message;
    await append(history, [user], send);
    progress.messages.push(user);
    return await loop(history, progress, send, emit, streaming);
  }

  async function goOn(
    pause: string | StatelessResume,
    send: SendOptions,
    emit: Emit,
    streaming: boolean,
  ): Promise<AssistantResponse> {
    const progress = new Progress();
    let reply: Reply;
    let replyId: string | undefined;
    let conversation = send.conversation;
    let history: Message[];
    let run: () => Promise<ToolExecution>;
    if (typeof pause === 'string') {
      const view = await options.gate.confirmations.get(pause);
      if (view === undefined)
        throw new ToolgateError('pause-not-found', `There is no pause ${pause}; nothing was run.`, { data: { pause } });
      reply = view.reply;
      replyId = view.identity.replyId;
      conversation ??= view.identity.conversation;
      history = await load({ ...send, conversation });
      run = () => options.gate.resume(pause, { ...send, conversation, messages: history });
    } else {
      reply = pause.reply;
      history = pause.messages === undefined ? await load(send) : [...pause.messages];
      const turn = await options.gate.turn({ ...send, messages: history });
      run = () => turn.execute(pause.reply, pause.decisions);
    }
    const sending: SendOptions = conversation === undefined ? send : { ...send, conversation };
    const execution = await settle(reply, run, progress, emit);
    if (execution === undefined) return progress.paused(reply, emit);
    const known = positionOf(history, reply, replyId);
    if (known < 0) {
      const keep =
        typeof pause === 'string' || pause.messages === undefined
          ? sending
          : { ...sending, conversation: undefined as never };
      await append(
        history,
        [reply, ...execution.messages],
        keep.conversation === undefined ? withoutConversation(keep) : keep,
      );
      progress.messages.push(reply, ...execution.messages);
    } else if (history.at(-1)?.role !== 'tool') {
      // This pause was resumed before, and the model has answered since: give that answer again.
      return progress.finished(lastReply(history) ?? reply, 'stop', emit);
    }
    if (execution.returnDirect) return progress.finished(reply, 'returned-directly', emit);
    return await loop(history, progress, sending, emit, streaming);
  }

  async function loop(
    history: Message[],
    progress: Progress,
    send: SendOptions,
    emit: Emit,
    streaming: boolean,
  ): Promise<AssistantResponse> {
    let turn = await options.gate.turn({ ...send, messages: history });
    for (let round = 1; round <= maxRounds; round += 1) {
      send.signal?.throwIfAborted();
      progress.reports.push(turn.report);
      emit({ type: 'selection', report: turn.report });
      const answer = await callModel({
        model: options.model,
        system: options.system,
        messages: history,
        tools: turn.tools,
        // A forced choice holds for the first call only: repeated, it would never let the model end.
        toolChoice: round === 1 ? turn.toolChoice : 'auto',
        maxRetries: options.maxRetries ?? 2,
        signal: send.signal,
        ...(streaming ? { onText: (delta: string) => emit({ type: 'text', delta }) } : {}),
      });
      progress.add(answer.usage);
      emit({ type: 'reply', reply: answer.reply });
      const open = keyedCalls(answer.reply).filter(({ part }) => part.providerExecuted !== true);
      if (open.length === 0) {
        await append(history, [answer.reply], send);
        progress.messages.push(answer.reply);
        return progress.finished(answer.reply, answer.finishReason, emit);
      }
      const current = turn;
      const execution = await settle(answer.reply, () => current.execute(answer.reply), progress, emit);
      if (execution === undefined) return progress.paused(answer.reply, emit);
      await append(history, [answer.reply, ...execution.messages], send);
      progress.messages.push(answer.reply, ...execution.messages);
      if (execution.returnDirect) return progress.finished(answer.reply, 'returned-directly', emit);
      turn = await current.refresh(history);
    }
    throw new ToolgateError(
      'round-limit',
      `The model was called ${maxRounds} times for one message and still asks for tools (maxRounds).`,
      {
        data: { limit: maxRounds },
      },
    );
  }

  return {
    send: (message, send = {}) => start(message, send, () => {}, false),
    stream: (message, send = {}) => eventQueue((emit) => start(message, send, emit, true)),
    resume: (pause, send = {}) => goOn(pause, send, () => {}, false),
    resumeStream: (pause, send = {}) => eventQueue((emit) => goOn(pause, send, emit, true)),
  };
}

/** Runs a reply; undefined when calls wait, with the keys in `progress`. */
async function settle(
  reply: Reply,
  run: () => Promise<ToolExecution>,
  progress: Progress,
  emit: Emit,
): Promise<ToolExecution | undefined> {
  try {
    const execution = await run();
    for (const outcome of execution.outcomes) {
      progress.outcomes.push(outcome);
      emit({ type: 'outcome', outcome });
    }
    return execution;
  } catch (error) {
    if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
    progress.pause = error.pause;
    progress.metadata = { [ToolCallDecisions.AWAITING_DECISION_METADATA_KEY]: error.toolCallIds };
    progress.waiting = error.toolCallIds;
    return undefined;
  }
}

function withoutConversation(send: SendOptions): SendOptions {
  const { conversation: _conversation, ...rest } = send;
  return rest;
}

/** Where a reply stands in the conversation, or -1. Equal calls asked for at another point of it are another reply. */
function positionOf(history: readonly Message[], reply: Reply, replyId?: string): number {
  const wanted = canonicalJson(reply.content, { mode: 'lenient' });
  return history.findLastIndex((message, index) => {
    if (message.role !== 'assistant' || canonicalJson(message.content, { mode: 'lenient' }) !== wanted) return false;
    if (reply.id !== undefined) return (message as Reply).id === reply.id;
    return replyId === undefined || replyIdOf(history.slice(0, index), reply) === replyId;
  });
}

function lastReply(history: readonly Message[]): Reply | undefined {
  const message = history.findLast(({ role }) => role === 'assistant');
  return message === undefined ? undefined : { ...message, role: 'assistant' };
}
