/**
 * Keeps embeddings by text, so that a tool is embedded once. An optimiser: what fails here costs time only. A store belongs to one model; `get` may
 * give undefined for anything.
 */
export interface EmbeddingCache {
  /** In the order of the texts. */
  get(texts: readonly string[]): Promise<readonly (ArrayLike<number> | undefined)[]>;
  set(entries: readonly (readonly [text: string, embedding: ArrayLike<number>])[]): Promise<void>;
  clear(): Promise<void>;
}

/** Keeps embeddings in memory; when there are more than `maxEntries` (default 100,000), the oldest go. */
export function memoryEmbeddingCache(options: { readonly maxEntries?: number } = {}): EmbeddingCache {
  const maxEntries = options.maxEntries ?? 100_000;
  const kept = new Map<string, ArrayLike<number>>();
  return {
    get: (texts) => Promise.resolve(texts.map((text) => kept.get(text))),
    set(entries) {
      for (const [text, embedding] of entries) {
        kept.delete(text);
        kept.set(text, embedding);
      }
      for (const text of kept.keys()) {
        if (kept.size <= maxEntries) break;
        kept.delete(text);
      }
      return Promise.resolve();
    },
    clear() {
      kept.clear();
      return Promise.resolve();
    },
  };
}
