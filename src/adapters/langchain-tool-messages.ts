import type { Outcome } from '../core/outcome.ts';
import type { LangchainMessage, LangchainToolCallRequest } from './langchain-types.ts';
import { hasResult, outcomeText } from './outcome-answer.ts';

interface ToolMessageFields {
  readonly content: unknown;
  readonly tool_call_id: string | undefined;
  readonly name: string | undefined;
  readonly status: 'success' | 'error';
  readonly artifact?: unknown;
}

type ToolMessageClass = new (fields: ToolMessageFields) => LangchainMessage;

/** Makes messages of LangChain's own class without importing it. */
export interface ToolMessages {
  /** Takes the class from a tool message, when one is among these. */
  learn(values: readonly unknown[]): void;
  /** The answer to a call that did not run now. */
  of(
    outcome: Outcome,
    request: LangchainToolCallRequest,
    handler: (request: never) => unknown,
  ): Promise<LangchainMessage>;
  /** The tool's own answer with a note in front. */
  withNote(message: LangchainMessage, note: string): LangchainMessage;
}

export function createToolMessages(): ToolMessages {
  let known: ToolMessageClass | undefined;

  function learn(values: readonly unknown[]): void {
    if (known !== undefined) return;
    const message = values.find(isToolMessage);
    if (message !== undefined) known = message.constructor as ToolMessageClass;
  }

  return {
    learn,
    async of(outcome, request, handler) {
      const { toolCall } = request;
      if (known === undefined) {
        // The framework makes one for a tool that does nothing.
        const nothing = { name: toolCall.name, invoke: async () => await Promise.resolve('') };
        learn([await handler({ ...request, tool: nothing } as never)]);
      }
      return new (known as unknown as ToolMessageClass)({
        content: contentOf(outcome),
        tool_call_id: toolCall.id,
        name: toolCall.name,
        status: hasResult(outcome) && outcome.result.isError !== true ? 'success' : 'error',
        ...artifactOf(outcome),
      });
    },
    withNote(message, note) {
      const content =
        typeof message.content === 'string'
          ? `${note}\n${message.content}`
          : [{ type: 'text', text: note }, ...(message.content as readonly unknown[])];
      const { lc_kwargs: fields } = message as unknown as { readonly lc_kwargs?: object };
      return new (message.constructor as ToolMessageClass)({ ...message, ...fields, content } as never);
    },
  };
}

function isToolMessage(value: unknown): value is LangchainMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { getType } = value as Partial<LangchainMessage>;
  return typeof getType === 'function' && (value as LangchainMessage).getType() === 'tool';
}

function contentOf(outcome: Outcome): unknown {
  const { content } = outcome.result;
  if (content.every(({ type }) => type === 'text')) return outcomeText(outcome);
  return outcome.note === undefined ? content : [{ type: 'text', text: outcome.note }, ...content];
}

/** What a search found goes where no model sees it and every checkpoint keeps it. */
function artifactOf({ result }: Outcome): { readonly artifact?: unknown } {
  const found = result.meta?.['toolgate/found'];
  return Array.isArray(found) ? { artifact: { toolgate: { found } } } : {};
}
