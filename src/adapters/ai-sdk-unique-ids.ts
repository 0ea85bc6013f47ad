interface ProviderPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly id?: string;
}

interface ProviderModel {
  doGenerate(options: unknown): PromiseLike<{ readonly content: readonly ProviderPart[] }>;
  doStream(options: unknown): PromiseLike<{ readonly stream: ReadableStream<ProviderPart> }>;
}

/**
 * A model that behaves as the given one, but for calls of one reply that share an id (or have none): each gets its own. The SDK
 * looks calls up by id, so without this the second would run with the arguments of the first. For models of versions 6 and 7.
 */
export function uniqueCallIds<MODEL extends object>(model: MODEL): MODEL {
  const inner = model as unknown as ProviderModel;
  const overrides: ProviderModel = {
    async doGenerate(options) {
      const result = await inner.doGenerate(options);
      return { ...result, content: result.content.map(renamer()) };
    },
    async doStream(options) {
      const result = await inner.doStream(options);
      const rename = renamer();
      const stream = result.stream.pipeThrough(
        new TransformStream<ProviderPart, ProviderPart>({
          transform: (part, controller) => controller.enqueue(rename(part)),
        }),
      );
      return { ...result, stream };
    },
  };
  return new Proxy(model, {
    get(target, property) {
      if (property === 'doGenerate' || property === 'doStream') return overrides[property];
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

/** Renames the second and later calls of one id within one reply, also while they stream in; the first keeps what the provider gave. */
function renamer(): (part: ProviderPart) => ProviderPart {
  const ended = new Map<string, number>();
  const renamed = (id: string): string => {
    const earlier = ended.get(id) ?? 0;
    return earlier === 0 && id !== '' ? id : `${id === '' ? 'call' : id}-${earlier + 1}`;
  };
  return (part) => {
    if (part.type.startsWith('tool-input-')) return { ...part, id: renamed(part.id ?? '') };
    if (part.type !== 'tool-call') return part;
    const id = part.toolCallId ?? '';
    const toolCallId = renamed(id);
    ended.set(id, (ended.get(id) ?? 0) + 1);
    return { ...part, toolCallId };
  };
}
