import { randomUUID } from 'node:crypto';
import { inputRequired } from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '../core/clock.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { errorAnswer } from './call-answers.ts';
import type { McpResult } from './call-answers.ts';
import type { CallHooks, ElicitationAnswer, ElicitationParams } from './types.ts';

const answerWithinMs = 600_000;

/** One request of a client that may be asked something in the middle of its call. */
export interface LiveRequest {
  readonly context: ServerContext;
  /** Of the tool's name and arguments: an answer belongs to the call that was asked about. */
  readonly digest: string;
  readonly hooks: CallHooks;
  /** Seals what travels through the client. */
  mint(state: JsonObject): Promise<string>;
  /** Begins the call. */
  start(hooks: CallHooks, signal: AbortSignal): Promise<McpResult>;
}

interface Question {
  readonly params: ElicitationParams;
  readonly answer: (answer: ElicitationAnswer) => void;
}

interface Live {
  readonly digest: string;
  readonly result: Promise<McpResult>;
  readonly controller: AbortController;
  /** Of the request that is being answered now. */
  hooks: CallHooks;
  question: Question | undefined;
  asked: () => void;
  cancelTimer: () => void;
}

/**
 * Since 2026-07-28 a server may not send requests to its client: it answers with a question, and the client repeats its request with
 * the answer. The servers behind may be older and ask in the middle of a call; the call is kept running here meanwhile.
 */
export class LiveCalls {
  readonly #clock: Clock;
  readonly #live = new Map<string, Live>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#live.size;
  }

  /** Answers a request: with the call's result, or with the question that came up. */
  async serve(request: LiveRequest): Promise<McpResult> {
    const { context } = request;
    const state: unknown = context.mcpReq.requestState();
    const id = isPlainObject(state) && typeof state['live'] === 'string' ? state['live'] : undefined;
    if (id === undefined) return this.#wait(randomUUID(), this.#begin(request), request);
    const live = this.#live.get(id);
    if (live === undefined || live.digest !== request.digest) {
      return errorAnswer(
        'The question is not open any more. The call may have been carried out; it was not started again.',
      );
    }
    live.hooks = request.hooks;
    const { question } = live;
    live.question = undefined;
    live.cancelTimer();
    question?.answer(readAnswer(context));
    return this.#wait(id, live, request);
  }

  #begin(request: LiveRequest): Live {
    const controller = new AbortController();
    const live: Partial<Live> & Pick<Live, 'hooks'> = { hooks: request.hooks };
    const hooks: CallHooks = {
      ...request.hooks,
      progress: (update) => live.hooks.progress?.(update),
      elicit: (params) =>
        new Promise((answer) => {
          live.question = { params, answer };
          live.asked?.();
        }),
    };
    Object.assign(live, {
      digest: request.digest,
      controller,
      asked: () => undefined,
      cancelTimer: () => undefined,
      result: request.start(hooks, controller.signal),
    });
    return live as Live;
  }

  async #wait(id: string, live: Live, request: LiveRequest): Promise<McpResult> {
    const { signal } = request.context.mcpReq;
    const onAbort = (): void => live.controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const asked = new Promise<undefined>((resolve) => {
      live.asked = () => resolve(undefined);
      if (live.question !== undefined) resolve(undefined);
    });
    try {
      const result = await Promise.race([live.result, asked]);
      if (result !== undefined) {
        this.#live.delete(id);
        return result;
      }
    } catch (error) {
      this.#live.delete(id);
      throw error;
    } finally {
      // Once it is answered, the end of this request says nothing about the call.
      signal.removeEventListener('abort', onAbort);
    }
    this.#live.set(id, live);
    live.cancelTimer = this.#clock.schedule(answerWithinMs, () => this.#giveUp(id, live));
    // Nobody may be left to hear how it ends.
    live.result.catch(() => undefined);
    return inputRequired({
      inputRequests: { answer: questionOf(live.question?.params ?? {}) },
      requestState: await request.mint({ live: id }),
    }) as unknown as McpResult;
  }

  /** The client never came back: the server behind is told that nobody answered, and the call ends as it will. */
  #giveUp(id: string, live: Live): void {
    this.#live.delete(id);
    live.question?.answer({ action: 'cancel' });
    live.question = undefined;
  }
}

function questionOf(params: ElicitationParams): ReturnType<typeof inputRequired.elicit> {
  const { mode, elicitationId: _id, _meta: _own, ...rest } = params;
  if (mode === 'url') return inputRequired.elicitUrl(rest as unknown as Parameters<typeof inputRequired.elicitUrl>[0]);
  return inputRequired.elicit(rest as unknown as Parameters<typeof inputRequired.elicit>[0]);
}

function readAnswer(context: ServerContext): ElicitationAnswer {
  const given: unknown = context.mcpReq.inputResponses?.['answer'];
  if (!isPlainObject(given)) return { action: 'cancel' };
  const { action, content } = given;
  if (action !== 'accept' && action !== 'decline') return { action: 'cancel' };
  return { action, ...(isPlainObject(content) ? { content: content as JsonObject } : {}) };
}
