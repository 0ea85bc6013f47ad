import { isPlainObject } from '../core/json.ts';
import type { MastraMessage, MastraPart } from './mastra-types.ts';

/**
 * Puts what the model must be told (that a person changed the arguments) beside the results of calls, before the model is asked again.
 * `noteOf` is asked once for each result.
 */
export function tellNotes(
  messages: readonly MastraMessage[],
  messageList: unknown,
  noteOf: (toolCallId: string) => string | undefined,
): void {
  const list = messageList as { readonly updateToolInvocation?: (part: unknown) => unknown };
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const { toolInvocation, providerMetadata } of content.parts ?? []) {
      if (toolInvocation?.state !== 'result') continue;
      const note = noteOf(toolInvocation.toolCallId);
      if (note === undefined) continue;
      list.updateToolInvocation?.({
        type: 'tool-invocation',
        toolInvocation: { ...toolInvocation, result: withNote(note, toolInvocation.result) },
        ...toldToModel(note, providerMetadata),
      });
    }
  }
}

function withNote(note: string, result: unknown): unknown {
  return typeof result === 'string' ? `${note}\n${result}` : { note, result };
}

/** A tool with `toModelOutput` has said already what the model reads; that is kept beside the result. */
function toldToModel(note: string, metadata: MastraPart['providerMetadata']): { readonly providerMetadata?: unknown } {
  const own = isPlainObject(metadata) ? metadata['mastra'] : undefined;
  const output = isPlainObject(own) ? own['modelOutput'] : undefined;
  if (!isPlainObject(metadata) || !isPlainObject(own) || !isPlainObject(output)) return {};
  const { type, value } = output;
  const told = Array.isArray(value)
    ? { type, value: [{ type: 'text', text: note }, ...(value as readonly unknown[])] }
    : typeof value === 'string'
      ? { type, value: `${note}\n${value}` }
      : { type, value: { note, result: value } };
  return { providerMetadata: { ...metadata, mastra: { ...own, modelOutput: told } } };
}
