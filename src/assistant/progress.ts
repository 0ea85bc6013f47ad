import type { PauseReference } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { messageText } from '../core/message.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import type { SelectionReport } from '../select/types.ts';
import type { ModelUsage } from './call-model.ts';
import type { AssistantEvent, AssistantFinishReason, AssistantResponse } from './types.ts';

/** What has happened for one message so far, and how it ends. */
export class Progress {
  readonly outcomes: Outcome[] = [];
  readonly messages: Message[] = [];
  readonly reports: SelectionReport[] = [];
  metadata: JsonObject = {};
  pause: PauseReference | undefined;
  waiting: readonly string[] = [];
  #usage: ModelUsage = {};

  add(usage: ModelUsage): void {
    this.#usage = {
      inputTokens: plus(this.#usage.inputTokens, usage.inputTokens),
      outputTokens: plus(this.#usage.outputTokens, usage.outputTokens),
    };
  }

  paused(reply: Reply, emit: (event: AssistantEvent) => void): AssistantResponse {
    const response = this.#response(reply, 'awaiting-decision', '');
    emit({ type: 'paused', finishReason: 'awaiting-decision', toolCallIds: this.waiting, response });
    return response;
  }

  finished(
    reply: Reply,
    finishReason: AssistantFinishReason,
    emit: (event: AssistantEvent) => void,
  ): AssistantResponse {
    const response = this.#response(
      reply,
      finishReason,
      finishReason === 'returned-directly' ? '' : messageText(reply),
    );
    emit({ type: 'finished', finishReason, response });
    return response;
  }

  #response(reply: Reply, finishReason: AssistantFinishReason, text: string): AssistantResponse {
    const { metadata, pause, outcomes, messages, reports } = this;
    return { text, reply, finishReason, metadata, pause, outcomes, messages, reports, usage: this.#usage };
  }
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : a + b;
}
