import { isPlainObject } from '../core/json.ts';
import type { Message, MessagePart } from '../core/message.ts';
import type { MastraMessage } from './mastra-types.ts';

/**
 * Mastra's messages as the gate reads them. A call and its result stand in one message there. `mayFind` says of which tools a result may
 * name found tools: never of the agent's own.
 */
export function toGateMessages(
  messages: readonly MastraMessage[],
  system: readonly { readonly role: string; readonly content: unknown }[] = [],
  mayFind: (toolName: string) => boolean = () => true,
): readonly Message[] {
  const all: Message[] = system.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }));
  for (const { role, content } of messages) {
    if (typeof content === 'string') {
      all.push({ role, content });
      continue;
    }
    const own: MessagePart[] = [];
    const results: MessagePart[] = [];
    for (const part of content.parts ?? []) {
      if (part.type !== 'tool-invocation' || part.toolInvocation === undefined) {
        if (part.type !== 'step-start') own.push(part as MessagePart);
        continue;
      }
      const { state, toolCallId, toolName, args, result } = part.toolInvocation;
      own.push({ type: 'tool-call', toolCallId, toolName, input: args });
      if (state === 'result') results.push(resultPart(toolCallId, toolName, result, mayFind(toolName)));
    }
    all.push({ role, content: own });
    if (results.length > 0) all.push({ role: 'tool', content: results });
  }
  return all;
}

function resultPart(toolCallId: string, toolName: string, result: unknown, mayFind: boolean): MessagePart {
  const found =
    mayFind && isPlainObject(result) && isPlainObject(result['toolgate']) ? result['toolgate']['found'] : undefined;
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output: typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result },
    ...(Array.isArray(found) ? { providerOptions: { toolgate: { found } } } : {}),
  } as MessagePart;
}
