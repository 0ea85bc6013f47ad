import type * as Sdk from 'ai';
import type { ModelMessage, ToolSet } from 'ai';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import type { Message, MessagePart, Reply, ToolCallPart } from '../core/message.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { ToolChoice } from '../gate/types.ts';
import { captureCalls } from './capture-calls.ts';
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
  const tools: ToolSet = {};
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
    messages: request.messages as ModelMessage[],
    maxRetries: request.maxRetries,
    ...(request.system === undefined ? {} : { system: request.system }),
    ...(hasTools ? { tools, toolChoice: toSdkChoice(request.toolChoice) } : {}),
    ...(request.signal === undefined ? {} : { abortSignal: request.signal }),
  };
  if (request.onText === undefined) {
    const result = await sdk.generateText(settings as never);
    return toReply(
      result.content as unknown as readonly MessagePart[],
      capturing.calls,
      result.text,
      result.finishReason,
      result.usage,
      result.response,
    );
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
    return toReply(content as unknown as readonly MessagePart[], capturing.calls, text, finishReason, usage, response);
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

interface ContentPart extends MessagePart {
  readonly invalid?: boolean;
  readonly file?: { readonly base64: string; readonly mediaType: string };
  readonly providerMetadata?: unknown;
}

function toReply(
  content: readonly ContentPart[],
  calls: readonly ToolCallPart[],
  text: string,
  finishReason: string,
  usage: ModelUsage,
  response: { readonly id?: string },
): ModelReply {
  const parts: MessagePart[] = [];
  let position = 0;
  for (const part of content) {
    // The SDK keeps the order of the calls; what each of them says comes from the provider.
    const call = part.type === 'tool-call' ? calls[position++] : undefined;
    const kept = toMessagePart(call === undefined ? part : { ...part, ...call });
    if (kept !== undefined) parts.push(kept);
  }
  const id = typeof response.id === 'string' && response.id !== '' ? response.id : undefined;
  return {
    reply: { role: 'assistant', ...(id === undefined ? {} : { id }), content: parts },
    text,
    finishReason,
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
}

/** A part of the SDK's result as a part of a message; errors that the SDK made up about calls are left out. */
function toMessagePart(part: ContentPart): MessagePart | undefined {
  const options = part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata };
  switch (part.type) {
    case 'text':
      return part.text === '' ? undefined : { type: 'text', text: part.text ?? '', ...options };
    case 'reasoning':
      return { type: 'reasoning', text: part.text ?? '', ...options };
    case 'file':
      return part.file === undefined
        ? undefined
        : (Object.assign(
            { type: 'file' },
            { data: part.file.base64, mediaType: part.file.mediaType },
            options,
          ) as MessagePart);
    case 'tool-call':
      return {
        type: 'tool-call',
        toolCallId: part.toolCallId ?? '',
        toolName: part.toolName ?? '',
        input: part.input,
        ...(part.providerExecuted === true ? { providerExecuted: true } : {}),
        ...options,
      };
    case 'tool-result':
      // Only results of calls that the provider ran stand in a reply; all others are the gate's.
      return part.providerExecuted === true
        ? ({
            type: 'tool-result',
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            output: { type: 'json', value: part.output ?? null },
          } as MessagePart)
        : undefined;
    default:
      return undefined;
  }
}
