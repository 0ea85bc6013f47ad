import { ToolgateError } from '../core/errors.ts';

/** One vector for each text, in their order. */
export type EmbedFunction = (
  texts: readonly string[],
  options: { readonly signal?: AbortSignal | undefined },
) => PromiseLike<readonly ArrayLike<number>[]> | readonly ArrayLike<number>[];

/** An embedding model of the AI SDK, any version, by what is used of it. */
export interface EmbeddingModelLike {
  readonly modelId?: string;
  readonly maxEmbeddingsPerCall?: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** Texts in one call of a model that does not say how many it takes. */
const defaultBatch = 96;

/** Embeds texts in batches, one after the other, and checks what comes back. Throws `search-failed`. */
export async function embedTexts(
  model: EmbedFunction | EmbeddingModelLike,
  texts: readonly string[],
  options: { readonly batchSize?: number | undefined; readonly signal?: AbortSignal | undefined },
): Promise<readonly ArrayLike<number>[]> {
  const size = await batchSizeOf(model, options.batchSize);
  const vectors: ArrayLike<number>[] = [];
  for (let start = 0; start < texts.length; start += size) {
    options.signal?.throwIfAborted();
    const batch = texts.slice(start, start + size);
    const embedded = await embedBatch(model, batch, options.signal);
    if (!Array.isArray(embedded) || embedded.length !== batch.length) {
      throw failed(`gave ${Array.isArray(embedded) ? embedded.length : 'no'} embeddings for ${batch.length} texts`);
    }
    for (const vector of embedded as readonly unknown[]) {
      if (!isVector(vector)) throw failed('gave an embedding that is not a list of finite numbers');
      if (vectors[0] !== undefined && vectors[0].length !== vector.length) {
        throw failed(`gave embeddings of ${vectors[0].length} and of ${vector.length} numbers`);
      }
      vectors.push(vector);
    }
  }
  return vectors;
}

async function batchSizeOf(model: EmbedFunction | EmbeddingModelLike, chosen: number | undefined): Promise<number> {
  const own = typeof model === 'function' ? undefined : await model.maxEmbeddingsPerCall;
  const size = Math.min(chosen ?? defaultBatch, typeof own === 'number' && own >= 1 ? own : Number.POSITIVE_INFINITY);
  return Math.max(1, Math.floor(size));
}

async function embedBatch(
  model: EmbedFunction | EmbeddingModelLike,
  batch: readonly string[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (typeof model === 'function') return model(batch, { signal });
  const { embeddings } = await model.doEmbed({
    values: [...batch],
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  return embeddings;
}

function isVector(value: unknown): value is ArrayLike<number> {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return false;
  const numbers = value as unknown as ArrayLike<unknown>;
  if (typeof numbers.length !== 'number' || numbers.length === 0) return false;
  for (let index = 0; index < numbers.length; index += 1) if (!Number.isFinite(numbers[index])) return false;
  return true;
}

function failed(what: string): ToolgateError {
  return new ToolgateError('search-failed', `The embedding model ${what}. Check the model and its settings.`, {
    data: { strategy: 'embedding' },
  });
}
