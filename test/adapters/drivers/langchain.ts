import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, createMiddleware, tool } from 'langchain';
import { interruptsOf, resumption, toolgate } from 'toolgate/langchain';
import type { ToolgateMiddleware } from 'toolgate/langchain';
import type {
  AdapterDriver,
  AdapterModelRequest,
  AdapterRun,
  AdapterSession,
  AdapterSetup,
  ScriptedStep,
} from 'toolgate/testing';
import { versionOf } from '../support/version-of.ts';

export function langchainDriver(options: { readonly siblings?: 'hold' | 'run-now' } = {}): AdapterDriver {
  return {
    framework: options.siblings === undefined ? 'langchain' : `langchain (${options.siblings})`,
    version: versionOf('langchain'),
    open: (setup) => new LangchainSession(setup, options.siblings),
  };
}

/** A chat model that replies from a script, also in chunks, and keeps what it was asked. */
export class ScriptedChatModel extends BaseChatModel {
  readonly requests: AdapterModelRequest[] = [];
  readonly #script: readonly ScriptedStep[];
  readonly #prefix: string;

  constructor(script: readonly ScriptedStep[], prefix = 'reply') {
    super({});
    this.#script = script;
    this.#prefix = prefix;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(tools: readonly unknown[], options?: object): never {
    return this.withConfig({ ...options, tools } as never) as never;
  }

  #next(messages: readonly BaseMessage[], options: object): { step: ScriptedStep; id: string } {
    const { tools, tool_choice: choice } = options as {
      readonly tools?: readonly { readonly name: string }[];
      readonly tool_choice?: { readonly function?: { readonly name: string } };
    };
    const ordinal = this.requests.length;
    this.requests.push({
      tools: (tools ?? []).map(({ name }) => name),
      forced: choice?.function?.name ?? null,
      results: messages
        .filter((message) => message.getType() === 'tool')
        .map((message) => ({
          toolCallId: (message as { tool_call_id?: string }).tool_call_id ?? '',
          text: message.text,
        })),
    });
    const step = this.#script[ordinal];
    if (step === undefined) throw new Error(`The scripted model has no reply number ${ordinal + 1}.`);
    return { step, id: `${this.#prefix}-${ordinal}` };
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<never> {
    const { step, id } = this.#next(messages, options);
    const text = step.text ?? '';
    const calls = step.calls ?? [];
    const message = new AIMessage({
      id,
      content: text,
      tool_calls: calls
        .filter(({ input }) => typeof input !== 'string')
        .map(({ toolName, toolCallId, input }) => ({
          name: toolName,
          args: (input ?? {}) as Record<string, unknown>,
          id: toolCallId ?? '',
          type: 'tool_call' as const,
        })),
      invalid_tool_calls: calls
        .filter(({ input }) => typeof input === 'string')
        .map(({ toolName, toolCallId, input }) => ({
          name: toolName,
          args: input as string,
          id: toolCallId ?? '',
          type: 'invalid_tool_call' as const,
        })),
    });
    return (await Promise.resolve({ generations: [{ text, message }] })) as never;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
  ): AsyncGenerator<ChatGenerationChunk> {
    const { step, id } = this.#next(messages, options);
    for (const piece of (step.text ?? '').match(/\S+\s*/g) ?? [])
      yield new ChatGenerationChunk({ text: piece, message: new AIMessageChunk({ id, content: piece }) });
    for (const [index, { toolName, toolCallId, input }] of (step.calls ?? []).entries()) {
      const args = typeof input === 'string' ? input : JSON.stringify(input ?? {});
      yield new ChatGenerationChunk({
        text: '',
        message: new AIMessageChunk({
          id,
          content: '',
          tool_call_chunks: [{ name: toolName, id: toolCallId ?? '', index, args, type: 'tool_call_chunk' }],
        }),
      });
    }
    await Promise.resolve();
  }
}

class LangchainSession implements AdapterSession {
  readonly #setup: AdapterSetup;
  readonly #model: ScriptedChatModel;
  readonly #saver: MemorySaver;
  readonly #middleware: ToolgateMiddleware;
  readonly #agent: ReturnType<typeof createAgent>;
  #forced: string | undefined;

  constructor(setup: AdapterSetup, siblings: 'hold' | 'run-now' | undefined) {
    this.#setup = setup;
    this.#model = new ScriptedChatModel(setup.script, `reply-${setup.state?.length ?? 0}`);
    this.#saver = new MemorySaver();
    if (setup.state !== undefined) Object.assign(this.#saver, JSON.parse(setup.state, revive));
    const { options, principal } = setup;
    this.#middleware = toolgate({
      ...options,
      principal,
      confirm: { ...options.confirm, ...(siblings === undefined ? {} : { siblings }) },
    });
    const never = new AbortController().signal;
    this.#agent = createAgent({
      model: this.#model,
      checkpointer: this.#saver,
      tools: setup.tools.map((own) =>
        tool(
          async (args: unknown, config: { readonly signal?: AbortSignal }) =>
            await own.execute(args as never, { signal: config.signal ?? never } as never),
          { name: own.name, description: own.description ?? '', schema: own.inputSchema as never },
        ),
      ),
      middleware: [
        createMiddleware({
          name: 'forces',
          wrapModelCall: async (request, handler) => {
            const name = this.#forced;
            this.#forced = undefined;
            return await handler(
              name === undefined ? request : { ...request, toolChoice: { type: 'function', function: { name } } },
            );
          },
        }),
        this.#middleware,
      ],
    }) as never;
  }

  get requests(): readonly AdapterModelRequest[] {
    return this.#model.requests;
  }

  get confirmations(): AdapterSession['confirmations'] {
    return this.#middleware.gate.confirmations;
  }

  save(): string {
    const { storage, writes } = this.#saver;
    return JSON.stringify({ storage, writes }, (_, value: unknown) =>
      value instanceof Uint8Array ? { bytes: new TextDecoder().decode(value) } : value,
    );
  }

  async send(text: string, options: Parameters<AdapterSession['send']>[1]): Promise<AdapterRun> {
    this.#forced = options.toolChoice?.tool;
    return await this.#run({ messages: [new HumanMessage(text)] }, options.signal);
  }

  async resume(options: Parameters<AdapterSession['resume']>[0]): Promise<AdapterRun> {
    const state = await this.#agent.graph.getState(this.#config);
    const calls = interruptsOf(state).flatMap(({ value }) => value.calls);
    const claimed = Object.fromEntries(calls.map(({ key }) => [key, { type: 'approve' } as const]));
    return await this.#run(
      new Command(options.claimApproval ? resumption(state, claimed) : resumption(state)),
      options.signal,
    );
  }

  get #config(): { configurable: { thread_id: string } } {
    return { configurable: { thread_id: this.#setup.conversation } };
  }

  async #run(input: unknown, signal: AbortSignal): Promise<AdapterRun> {
    const config = { ...this.#config, signal };
    if (this.#setup.streaming) {
      const stream = await this.#agent.stream(input as never, { ...config, streamMode: ['updates', 'messages'] });
      for await (const _ of stream);
    } else {
      await this.#agent.invoke(input as never, config);
    }
    const state = await this.#agent.graph.getState(this.#config);
    const last = (state.values as { messages: readonly BaseMessage[] }).messages.at(-1);
    const waiting = interruptsOf(state).flatMap(({ value }) => value.calls.map(({ toolCallId }) => toolCallId));
    return { text: waiting.length > 0 ? '' : (last?.text ?? ''), waiting };
  }
}

function revive(_: string, value: unknown): unknown {
  const { bytes } = (value ?? {}) as { readonly bytes?: unknown };
  return typeof bytes === 'string' ? new TextEncoder().encode(bytes) : value;
}
