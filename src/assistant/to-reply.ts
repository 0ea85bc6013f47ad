import { errorMessage } from '../core/errors.ts';
import type { MessagePart, Reply, ToolCallPart } from '../core/message.ts';

/** A part of the SDK's result, as far as it is looked at. */
export interface ContentPart extends MessagePart {
  readonly file?: { readonly base64: string; readonly mediaType: string };
  readonly kind?: unknown;
  readonly error?: unknown;
  readonly providerMetadata?: unknown;
}

/** The SDK's result as a reply. The SDK keeps the order of the calls; what each of them says comes from the provider. */
export function toReply(
  content: readonly ContentPart[],
  calls: readonly ToolCallPart[],
  id: string | undefined,
): Reply {
  const parts: MessagePart[] = [];
  let position = 0;
  for (const part of content) {
    const call = part.type === 'tool-call' ? calls[position++] : undefined;
    const kept = toMessagePart(call === undefined ? part : { ...part, ...call });
    if (kept !== undefined) parts.push(kept);
  }
  return { role: 'assistant', ...(typeof id === 'string' && id !== '' ? { id } : {}), content: parts };
}

/** A part of the SDK's result as a part of a message; errors that the SDK made up about calls are left out. */
function toMessagePart(part: ContentPart): MessagePart | undefined {
  const options = part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata };
  switch (part.type) {
    case 'text':
      // An empty text can carry what the provider wants back with the next request.
      return part.text === '' && part.providerMetadata === undefined
        ? undefined
        : { type: 'text', text: part.text ?? '', ...options };
    case 'reasoning':
      return { type: 'reasoning', text: part.text ?? '', ...options };
    case 'custom':
      return Object.assign({ type: 'custom', kind: part.kind }, options) as MessagePart;
    case 'file':
    case 'reasoning-file':
      return part.file === undefined
        ? undefined
        : (Object.assign(
            { type: part.type },
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
      return providerResult(part, { type: 'json', value: part.output ?? null }, options);
    case 'tool-error': {
      const { error } = part;
      const value = error instanceof Error ? errorMessage(error) : (error ?? null);
      return providerResult(part, { type: 'error-json', value }, options);
    }
    default:
      return undefined;
  }
}

/** Only results of calls that the provider ran stand in a reply, failed ones too; all others are the gate's. */
function providerResult(part: ContentPart, output: unknown, options: object): MessagePart | undefined {
  if (part.providerExecuted !== true) return undefined;
  return {
    type: 'tool-result',
    toolCallId: part.toolCallId ?? '',
    toolName: part.toolName ?? '',
    output,
    ...options,
  };
}
