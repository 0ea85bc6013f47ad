import type { ToolCallPart } from '../core/message.ts';
import type { AssistantModel } from './types.ts';

interface ProviderPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: string;
}

interface ProviderModel {
  doGenerate(options: unknown): PromiseLike<{ readonly content: readonly ProviderPart[] }>;
  doStream(options: unknown): PromiseLike<{ readonly stream: ReadableStream<ProviderPart> }>;
}

/** A model that behaves as the given one, and the calls of its last reply as the provider gave them. */
export interface CapturingModel {
  readonly model: Exclude<AssistantModel, string>;
  readonly calls: readonly ToolCallPart[];
}

/**
 * Listens to what a model itself says of its calls: the SDK looks calls up by id, so two calls of one reply that carry the
 * same id would both get the arguments of the first.
 */
export function captureCalls(model: Exclude<AssistantModel, string>): CapturingModel {
  const calls: ToolCallPart[] = [];
  const inner = model as unknown as ProviderModel;
  const take = (part: ProviderPart): void => {
    if (part.type === 'tool-call') {
      calls.push({
        type: 'tool-call',
        toolCallId: part.toolCallId ?? '',
        toolName: part.toolName ?? '',
        input: parse(part.input),
      });
    }
  };
  const overrides: Partial<ProviderModel> = {
    async doGenerate(options) {
      calls.length = 0;
      const result = await inner.doGenerate(options);
      result.content.forEach(take);
      return result;
    },
    async doStream(options) {
      calls.length = 0;
      const result = await inner.doStream(options);
      const stream = result.stream.pipeThrough(
        new TransformStream<ProviderPart, ProviderPart>({
          transform(part, controller) {
            take(part);
            controller.enqueue(part);
          },
        }),
      );
      return { ...result, stream };
    },
  };
  const capturing = new Proxy(model, {
    get(target, property) {
      if (property === 'doGenerate' || property === 'doStream') return overrides[property];
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
  return { model: capturing, calls };
}

/** Arguments as a value; what is not JSON stays the text that it is, so that the error names it. */
function parse(input: string | undefined): unknown {
  if (input === undefined) return undefined;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
}
