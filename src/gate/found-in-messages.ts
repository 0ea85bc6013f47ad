import { isPlainObject } from '../core/json.ts';
import type { Message, MessagePart } from '../core/message.ts';
import type { ToolResult } from '../core/tool.ts';

/**
 * Names that earlier searches of the conversation found. They stand in the provider options of the search's result, where
 * they never reach a model, so that found tools survive a restart with nothing but the messages.
 * (LangChain4j keeps them as the attribute `found_tools`.)
 */
export function foundInMessages(messages: readonly Message[]): string[] {
  const names: string[] = [];
  for (const message of messages) {
    if (message.role !== 'tool' || typeof message.content === 'string') continue;
    for (const part of message.content) {
      const found = foundOf(part);
      for (const name of found) if (typeof name === 'string') names.push(name);
    }
  }
  return names;
}

function foundOf(part: MessagePart): readonly unknown[] {
  const options = (part as { readonly providerOptions?: unknown }).providerOptions;
  if (part.type !== 'tool-result' || !isPlainObject(options) || !Object.hasOwn(options, 'toolgate')) return [];
  const own = options['toolgate'];
  return isPlainObject(own) && Array.isArray(own['found']) ? own['found'] : [];
}

/** The execution's messages with the found names put where {@link foundInMessages} finds them, by position of the call. */
export function withFound(
  messages: readonly Message[],
  foundByPosition: ReadonlyMap<number, readonly string[]>,
): readonly Message[] {
  if (foundByPosition.size === 0) return messages;
  let position = -1;
  return messages.map((message) => {
    if (message.role !== 'tool' || typeof message.content === 'string') return message;
    return {
      ...message,
      content: message.content.map((part) => {
        if (part.type !== 'tool-result') return part;
        position += 1;
        const found = foundByPosition.get(position);
        return found === undefined
          ? part
          : Object.assign({}, part, { providerOptions: { toolgate: { found: [...found] } } });
      }),
    };
  });
}

const foundKey = 'toolgate/found';

/** A search's result that carries the found names beside its text, where no model sees them. */
export function resultWithFound(text: string, names: readonly string[]): ToolResult {
  return { content: [{ type: 'text', text }], meta: { [foundKey]: [...names] } };
}

/** The names that {@link resultWithFound} put into a result. */
export function foundOfResult(result: ToolResult): readonly string[] {
  const names = result.meta?.[foundKey];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}
