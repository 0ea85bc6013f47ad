import type * as Sdk from 'ai';
import type { ModelMessage, ToolSet } from 'ai';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import type { Message, Reply } from '../core/message.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { ToolChoice } from '../gate/types.ts';
import { captureCalls } from './capture-calls.ts';
import type { CapturingModel } from './capture-calls.ts';
import { toPrompt } from './to-prompt.ts';
import { toReply } from './to-reply.ts';
import type { ContentPart } from './to-reply.ts';
import type { AssistantModel } from './types.ts';

/** Tokens of one or more calls of the model; absent where the provider does not say. */
export interface ModelUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** One call of the model. */
export interface ModelRequest {
  readonly model: AssistantModel;
  readonly system?: string | undefined;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly maxRetries: number;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((delta: string) => void) | undefined;
}

/** What the model said. */
export interface ModelReply {
  readonly reply: Reply;
  readonly text: string;
  readonly finishReason: string;
  readonly usage: ModelUsage;
}

/** The AI SDK, loaded when it is first needed. Throws `peer-missing` with what to install. */
async function loadSdk(): Promise<typeof Sdk> {
  try {
    return await import('ai');
  } catch (error) {
    throw new ToolgateError(
      'peer-missing',
      `The assistant needs the package "ai" (6 or newer): npm install ai. (${errorMessage(error)})`,
      {
        data: { package: 'ai', range: '>=6' },
        cause: error,
      },
    );
  }
}

/**
 * Asks the model once. The tools carry no way to run them, so the SDK ends after one step, and whatever it makes of
 * calls it does not like is left aside: the gate checks every call itself.
 */
export async function callModel(request: ModelRequest): Promise<ModelReply> {
  const sdk = await loadSdk();
  // Without a prototype: a tool may be named like something that every object has.
  const tools = Object.create(null) as ToolSet;
  for (const tool of request.tools) {
    tools[tool.name] = sdk.dynamicTool({
      ...(tool.description === undefined ? {} : { description: tool.description }),
      inputSchema: sdk.jsonSchema(tool.inputSchema as never),
    } as never);
  }
  const hasTools = request.tools.length > 0;
  const capturing = captureCalls(typeof request.model === 'string' ? resolveModel(request.model, sdk) : request.model);
  const settings = {
    model: capturing.model,
    messages: toPrompt(request.messages) as ModelMessage[],
    maxRetries: request.maxRetries,
    ...(request.system === undefined ? {} : { system: request.system }),
    ...(hasTools ? { tools, toolChoice: toSdkChoice(request.toolChoice) } : {}),
    ...(request.signal === undefined ? {} : { abortSignal: request.signal }),
  };
  if (request.onText === undefined) {
    const result = await sdk.generateText(settings as never);
    const { content, text, finishReason, usage, response } = result;
    return replyOf({ content, text, finishReason, usage, response }, capturing);
  }
  let failure: unknown;
  const result = sdk.streamText({
    ...settings,
    onError: ({ error }: { error: unknown }) => {
      failure ??= error;
    },
  } as never);
  try {
    for await (const delta of result.textStream) request.onText(delta);
    const [content, text, finishReason, usage, response] = await Promise.all([
      result.content,
      result.text,
      result.finishReason,
      result.usage,
      result.response,
    ]);
    if (failure !== undefined) throw failure as Error;
    return replyOf({ content, text, finishReason, usage, response }, capturing);
  } catch (error) {
    throw failure ?? error;
  }
}

/** A model by its id, from the SDK's default provider. */
function resolveModel(id: string, sdk: typeof Sdk): Exclude<AssistantModel, string> {
  const provider =
    (globalThis as { AI_SDK_DEFAULT_PROVIDER?: { languageModel(id: string): unknown } }).AI_SDK_DEFAULT_PROVIDER ??
    sdk.gateway;
  return provider.languageModel(id) as Exclude<AssistantModel, string>;
}

function toSdkChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'tool', toolName: choice.tool };
}

interface SdkResult {
  readonly content: unknown;
  readonly text: string;
  readonly finishReason: string;
  readonly usage: ModelUsage;
  readonly response: { readonly id?: string };
}

function replyOf(result: SdkResult, capturing: CapturingModel): ModelReply {
  const { text, finishReason, usage } = result;
  return {
    reply: toReply(result.content as readonly ContentPart[], capturing.calls, result.response.id),
    text,
    finishReason,
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
}
