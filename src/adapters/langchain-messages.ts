import { isPlainObject } from '../core/json.ts';
import type { Message, MessagePart } from '../core/message.ts';
import type { ToolResult } from '../core/tool.ts';
import type { LangchainMessage } from './langchain-types.ts';

/** A call of a reply with what names it. */
export interface ReplyCall {
  readonly key: string;
  /** Names this call of this reply, also when ids repeat in it or in later ones. */
  readonly replyId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments; the text as the model wrote it where it is no JSON. */
  readonly input: unknown;
}

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' };

/** LangChain's messages as the gate reads them. */
export function toGateMessages(
  messages: readonly LangchainMessage[],
  systemMessage?: LangchainMessage,
): readonly Message[] {
  const all = systemMessage === undefined || systemMessage.content === '' ? messages : [systemMessage, ...messages];
  return all.map(toGateMessage);
}

function toGateMessage(message: LangchainMessage): Message {
  const type = message.getType();
  const role = Object.hasOwn(roles, type) ? (roles[type] as string) : type;
  const content = contentParts(message.content);
  if (type === 'tool') return { role, content: [toolResultOf(message, content)] };
  const calls = callsOfReply(message);
  if (calls.length === 0) return { role, content: typeof message.content === 'string' ? message.content : content };
  const parts = calls.map(({ toolCallId, toolName, input }) => ({ type: 'tool-call', toolCallId, toolName, input }));
  return { role, content: [...content, ...parts] };
}

function contentParts(content: unknown): readonly MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown): readonly MessagePart[] => {
    if (typeof block === 'string') return [{ type: 'text', text: block }];
    // Some providers repeat the calls among the content.
    if (!isPlainObject(block) || typeof block['type'] !== 'string' || block['type'] === 'tool_use') return [];
    return block['type'] === 'tool_call' ? [] : [block as unknown as MessagePart];
  });
}

function toolResultOf(message: LangchainMessage, content: readonly MessagePart[]): MessagePart {
  const found = foundOfArtifact(message.artifact);
  return {
    type: 'tool-result',
    toolCallId: message.tool_call_id ?? '',
    toolName: message.name ?? '',
    output: { type: 'content', value: content },
    // Where the gate looks for what a search found before.
    ...(found === undefined ? {} : { providerOptions: { toolgate: { found } } }),
  };
}

function foundOfArtifact(artifact: unknown): readonly unknown[] | undefined {
  if (!isPlainObject(artifact) || !Object.hasOwn(artifact, 'toolgate')) return undefined;
  const own = artifact['toolgate'];
  return isPlainObject(own) && Array.isArray(own['found']) ? own['found'] : undefined;
}

/** The calls of a reply in the model's order. */
export function callsOfReply(reply: LangchainMessage): readonly ReplyCall[] {
  return (reply.tool_calls ?? []).map((call, ordinal) => {
    const toolCallId = call.id ?? '';
    const broken = (reply.invalid_tool_calls ?? []).find(({ id, name }) => id === call.id && name === call.name);
    return {
      key: `${ordinal}.${toolCallId}`,
      replyId: `${reply.id ?? ''}/${ordinal}`,
      toolCallId,
      toolName: call.name,
      input: broken?.args ?? call.args,
    };
  });
}

/**
 * Takes up the calls whose arguments are no JSON, so that they are answered: LangChain alone would end the run in silence. Of a reply that came in
 * pieces it would even run what a cut-off text can be mended to (`{"amount":1` of `{"amount":100}`).
 */
export function takeUpInvalidCalls(reply: LangchainMessage): void {
  const { tool_calls: calls, invalid_tool_calls: invalid, tool_call_chunks: chunks } = reply;
  if (calls === undefined) return;
  for (const { id, name, args } of chunks ?? []) {
    const isBroken = args !== undefined && args !== '' && !isJson(args);
    if (isBroken && invalid?.some((call) => call.id === id && call.name === name) === false)
      invalid.push({ id, name, args });
  }
  for (const { id, name } of invalid ?? []) {
    if (id === undefined || name === undefined || calls.some((call) => call.id === id && call.name === name)) continue;
    calls.push({ id, name, args: {}, type: 'tool_call' });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The reply that holds this call: the newest one with it. */
export function replyOf(messages: readonly LangchainMessage[]): LangchainMessage | undefined {
  return messages.findLast((message) => message.getType() === 'ai' && (message.tool_calls?.length ?? 0) > 0);
}

/** What a tool gave to LangChain, as the gate records it. */
export function toResult(message: LangchainMessage): ToolResult {
  return { content: contentParts(message.content), ...(message.status === 'error' ? { isError: true } : {}) };
}
