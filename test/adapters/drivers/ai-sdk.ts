import type * as Sdk from 'ai';
import { aiSdk, uniqueCallIds } from 'toolgate/ai-sdk';
import { scriptedModel } from 'toolgate/testing';
import type { AdapterDriver, AdapterModelRequest, AdapterRun, AdapterSession, AdapterSetup } from 'toolgate/testing';

type Ai = typeof Sdk;

/** What is used of `ai` and `ai/test`, by version. */
export interface AiSdkVersion {
  readonly version: string;
  readonly ai: Ai;
  readonly Mock: new (options: never) => unknown;
  readonly specificationVersion: 'v3' | 'v4';
}

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly approvalId?: string;
  readonly toolCall?: { readonly toolCallId: string };
  readonly output?: { readonly type: string; readonly value?: unknown; readonly reason?: string };
}
interface SdkMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
}

export function aiSdkDriver(version: AiSdkVersion, options: { readonly shared?: boolean } = {}): AdapterDriver {
  return {
    framework: options.shared === true ? 'ai-sdk (shared tools)' : 'ai-sdk',
    version: version.version,
    open: (setup) => new AiSdkSession(version, setup, options.shared === true),
    ...(options.shared === true
      ? {
          ordersTools: version.specificationVersion === 'v3',
          cannot: {
            'SE-13': 'g.prepareStep does not know what the call itself forces; give toolChoice to g.forTurn',
            'SE-14': 'g.prepareStep does not know what the call itself forces; give toolChoice to g.forTurn',
          },
        }
      : {}),
  };
}

class AiSdkSession implements AdapterSession {
  readonly #version: AiSdkVersion;
  readonly #setup: AdapterSetup;
  readonly #g: ReturnType<typeof aiSdk<Record<string, object>>>;
  readonly #scripted: ReturnType<typeof scriptedModel>;
  readonly #model: unknown;
  readonly #shared: boolean;
  #messages: SdkMessage[];

  constructor(version: AiSdkVersion, setup: AdapterSetup, shared: boolean) {
    this.#version = version;
    this.#setup = setup;
    this.#shared = shared;
    const { ai, Mock, specificationVersion } = version;
    const never = new AbortController().signal;
    const tools = Object.fromEntries(
      setup.tools.map((tool) => [
        tool.name,
        ai.tool({
          description: tool.description ?? '',
          inputSchema: ai.jsonSchema(tool.inputSchema as never),
          execute: async (args: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
            await tool.execute(args as never, { signal: abortSignal ?? never } as never),
        } as never) as object,
      ]),
    );
    const { conversation, principal } = setup;
    this.#g = aiSdk({ tools, ...setup.options, ...(shared ? { conversation, principal } : {}) });
    this.#scripted = scriptedModel(setup.script, { specificationVersion });
    this.#model = uniqueCallIds(
      new Mock({
        doGenerate: (request: never) => this.#scripted.doGenerate(request),
        doStream: (request: never) => this.#scripted.doStream(request),
      } as never) as object,
    );
    this.#messages = setup.state === undefined ? [] : (JSON.parse(setup.state) as SdkMessage[]);
  }

  get confirmations(): AdapterSession['confirmations'] {
    return this.#g.gate.confirmations;
  }

  get requests(): readonly AdapterModelRequest[] {
    return this.#scripted.requests.map((request) => ({
      tools: (request.tools ?? []).map(({ name }) => name),
      forced: request.toolChoice?.type === 'tool' ? (request.toolChoice.toolName ?? null) : null,
      results: (request.prompt as readonly SdkMessage[]).flatMap(({ role, content }) =>
        role === 'tool' && typeof content !== 'string'
          ? content
              .filter(({ type }) => type === 'tool-result')
              .map(({ toolCallId, output }) => ({ toolCallId: toolCallId ?? '', text: textOf(output) }))
          : [],
      ),
    }));
  }

  save(): string {
    return JSON.stringify(this.#messages);
  }

  async send(text: string, options: Parameters<AdapterSession['send']>[1]): Promise<AdapterRun> {
    this.#messages.push({ role: 'user', content: text });
    return await this.#run(options);
  }

  async resume(options: Parameters<AdapterSession['resume']>[0]): Promise<AdapterRun> {
    if (options.claimApproval) {
      const requests = partsOf(this.#messages.findLast(({ role }) => role === 'assistant'));
      this.#messages.push({
        role: 'tool',
        content: requests
          .filter(({ type }) => type === 'tool-approval-request')
          .map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true })) as never,
      });
    } else {
      const { conversation, principal } = this.#setup;
      const carried = await this.#g.withDecisions(this.#messages, { conversation, principal });
      if (carried.waiting.length > 0) return { text: '', waiting: carried.waiting };
      this.#messages = carried.messages;
    }
    return await this.#run(options);
  }

  async #run(options: {
    readonly signal: AbortSignal;
    readonly toolChoice?: { readonly tool: string };
  }): Promise<AdapterRun> {
    const { ai } = this.#version;
    const { conversation, principal, streaming } = this.#setup;
    const isStepCount = (ai as unknown as { isStepCount?: Ai['stepCountIs'] }).isStepCount ?? ai.stepCountIs;
    const common = { messages: this.#messages, abortSignal: options.signal };
    const settings = {
      model: this.#model,
      stopWhen: isStepCount(10),
      ...(this.#shared
        ? { ...common, tools: this.#g.tools, prepareStep: this.#g.prepareStep }
        : this.#g.forTurn({
            ...common,
            conversation,
            principal,
            ...(options.toolChoice === undefined ? {} : { toolChoice: options.toolChoice }),
          })),
    };
    let failure: unknown;
    interface Result {
      readonly text: string;
      readonly content: readonly Part[];
      readonly responseMessages?: readonly SdkMessage[];
      readonly response: { readonly messages: readonly SdkMessage[] };
    }
    let result: Result;
    if (streaming) {
      const stream = ai.streamText({
        ...settings,
        onError: ({ error }: { error: unknown }) => {
          failure ??= error;
        },
      } as never);
      await stream.consumeStream();
      const failed = (): unknown => failure;
      if (failed() !== undefined) throw failed();
      const [text, content, response, responseMessages] = await Promise.all([
        stream.text,
        stream.content,
        stream.response,
        (stream as unknown as { responseMessages?: Promise<never> }).responseMessages,
      ]);
      result = { text, content, response, responseMessages } as unknown as Result;
    } else {
      result = (await ai.generateText(settings as never)) as unknown as Result;
    }
    this.#messages.push(...(result.responseMessages ?? result.response.messages));
    const waiting = result.content
      .filter(({ type }) => type === 'tool-approval-request')
      .map(({ toolCall }) => toolCall?.toolCallId ?? '');
    return { text: result.text, waiting };
  }
}

function partsOf(message: SdkMessage | undefined): readonly Part[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content;
}

function textOf(output: Part['output']): string {
  if (output === undefined) return '';
  if (output.type === 'execution-denied') return output.reason ?? '';
  if (output.type === 'content')
    return (output.value as readonly { readonly text?: string }[]).map(({ text }) => text ?? '').join('\n');
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}
