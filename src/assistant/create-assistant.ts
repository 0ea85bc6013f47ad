import { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { ToolExecution } from '../confirm/types.ts';
import { keyedCalls, replyIdOf } from '../core/call-identity.ts';
import { ToolCallConfirmationRequiredError, ToolgateError, isToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import { callModel } from './call-model.ts';
import { checkAssistantOptions, userMessageOf } from './check-assistant.ts';
import { eventQueue } from './event-queue.ts';
import { History } from './history.ts';
import { inProcessMemory } from './memory.ts';
import { Progress } from './progress.ts';
import { answerTo, recordedResumption, statelessResumption, wasAnswered } from './resumption.ts';
import { throwIfAborted, unlessAborted } from './unless-aborted.ts';
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
  checkAssistantOptions(options);
  const memory = options.memory ?? inProcessMemory();
  const maxRounds = options.maxRounds ?? 100;

  async function start(
    message: string | Message,
    send: SendOptions,
    emit: Emit,
    streaming: boolean,
  ): Promise<AssistantResponse> {
    const user = userMessageOf(message);
    throwIfAborted(send.signal);
    const progress = new Progress();
    const history = await History.load(memory, send);
    if (send.conversation !== undefined) {
      for (const { pause, messages } of await options.gate.supersede(send.conversation, send.principal)) {
        // A call that still runs has no result yet; whoever runs it writes the reply with all of them.
        if (pause.calls.some(({ outcome }) => outcome === null)) continue;
        if (history.positionOf(pause.reply, pause.identity.replyId) < 0)
          await history.append([pause.reply, ...messages]);
      }
    }
    await history.append([user]);
    progress.messages.push(user);
    return await loop(history, progress, send, emit, streaming);
  }

  async function goOn(
    pause: string | StatelessResume,
    send: SendOptions,
    emit: Emit,
    streaming: boolean,
  ): Promise<AssistantResponse> {
    throwIfAborted(send.signal);
    const progress = new Progress();
    const resumption =
      typeof pause === 'string'
        ? await recordedResumption(options.gate, memory, pause, send)
        : await statelessResumption(options.gate, memory, pause, send);
    const { reply, replyId, history, sending } = resumption;
    if (resumption.isDone) {
      const position = history.positionOf(reply, replyId);
      return wasAnswered(history.messages, position)
        ? progress.finished(answerTo(history.messages, position, reply), 'stop', emit)
        : await loop(history, progress, sending, emit, streaming);
    }
    const execution = await settle(resumption.run, progress, emit, send.signal);
    if (execution === undefined) return progress.paused(reply, emit);
    const isNew =
      history.positionOf(reply, replyId) < 0 && (await history.appendSettled(reply, replyId, execution.messages));
    if (isNew) progress.messages.push(reply, ...execution.messages);
    const position = history.positionOf(reply, replyId);
    if (!isNew && wasAnswered(history.messages, position)) {
      // This pause was resumed before, and the model has answered since: give that answer again.
      return progress.finished(answerTo(history.messages, position, reply), 'stop', emit);
    }
    if (execution.returnDirect) return progress.finished(reply, 'returned-directly', emit);
    return await loop(history, progress, sending, emit, streaming);
  }

  async function loop(
    history: History,
    progress: Progress,
    send: SendOptions,
    emit: Emit,
    streaming: boolean,
  ): Promise<AssistantResponse> {
    let turn = await options.gate.turn({ ...send, messages: history.messages });
    for (let round = 1; ; round += 1) {
      throwIfAborted(send.signal);
      progress.reports.push(turn.report);
      emit({ type: 'selection', report: turn.report });
      const asked = { messages: history.messages, tools: turn.tools, toolChoice: turn.toolChoice };
      const answer = await unlessAborted(
        () =>
          callModel({
            model: options.model,
            system: options.system,
            ...asked,
            maxRetries: options.maxRetries ?? 2,
            signal: send.signal,
            ...(streaming ? { onText: (delta: string) => emit({ type: 'text', delta }) } : {}),
          }),
        send.signal,
      );
      const { reply } = answer;
      progress.add(answer.usage);
      emit({ type: 'reply', reply });
      const open = keyedCalls(reply).filter(({ part }) => part.providerExecuted !== true);
      if (open.length === 0) {
        // A reply that says nothing (cut short, or filtered) is no message: providers reject a history with an empty one.
        if (reply.content.length > 0) {
          await history.append([reply]);
          progress.messages.push(reply);
        }
        return progress.finished(reply, answer.finishReason, emit);
      }
      const current = turn;
      const replyId = replyIdOf(history.messages, reply);
      const execution = await settle(() => current.execute(reply), progress, emit, send.signal);
      if (execution === undefined) return progress.paused(reply, emit);
      await history.appendSettled(reply, replyId, execution.messages);
      progress.messages.push(reply, ...execution.messages);
      if (execution.returnDirect) return progress.finished(reply, 'returned-directly', emit);
      if (round >= maxRounds) throw roundLimit(maxRounds);
      turn = await current.refresh(history.messages);
    }
  }

  return {
    send: (message, send = {}) => start(message, send, () => {}, false),
    stream: (message, send = {}) => eventQueue((emit) => start(message, send, emit, true)),
    resume: (pause, send = {}) => goOn(pause, send, () => {}, false),
    resumeStream: (pause, send = {}) => eventQueue((emit) => goOn(pause, send, emit, true)),
  };
}

function roundLimit(maxRounds: number): ToolgateError {
  return new ToolgateError(
    'round-limit',
    `The model was called ${maxRounds} times for one message and still asks for tools (maxRounds).`,
    { data: { limit: maxRounds } },
  );
}

/** Runs a reply; undefined when calls wait, with the keys in `progress`. Throws `aborted` for whatever giving up has thrown below. */
async function settle(
  run: () => Promise<ToolExecution>,
  progress: Progress,
  emit: Emit,
  signal: AbortSignal | undefined,
): Promise<ToolExecution | undefined> {
  try {
    const execution = await run();
    for (const outcome of execution.outcomes) {
      progress.outcomes.push(outcome);
      emit({ type: 'outcome', outcome });
    }
    return execution;
  } catch (error) {
    if (!(error instanceof ToolCallConfirmationRequiredError)) {
      if (!isToolgateError(error)) throwIfAborted(signal);
      throw error;
    }
    progress.pause = error.pause;
    progress.metadata = { [ToolCallDecisions.AWAITING_DECISION_METADATA_KEY]: error.toolCallIds };
    progress.waiting = error.toolCallIds;
    return undefined;
  }
}
