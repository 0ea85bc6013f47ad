import type { ToolDefinition } from '../core/tool.ts';
import { embedTexts } from './embedder.ts';
import type { EmbedFunction, EmbeddingModelLike } from './embedder.ts';
import { memoryEmbeddingCache } from './embedding-cache.ts';
import type { EmbeddingCache } from './embedding-cache.ts';
import type { FoundTool } from './port.ts';
import type { SearchToolOptions } from './search-tool-options.ts';
import { TextQueryToolSearchStrategy } from './text-query-strategy.ts';
import type { RankRequest } from './text-query-strategy.ts';
import { cosine } from './vectors.ts';

/** Options of {@link EmbeddingToolSearchStrategy}. */
export interface EmbeddingToolSearchOptions extends SearchToolOptions {
  /** An embedding model of the AI SDK, or a function from texts to vectors. */
  readonly model: EmbedFunction | EmbeddingModelLike;
  /** Tools whose cosine with the query is lower are not found, -1 to 1. Default 0. */
  readonly minScore?: number | undefined;
  /** Where tools' embeddings are kept. Default: in memory. `false`: nowhere, every search embeds every tool. */
  readonly cache?: EmbeddingCache | false | undefined;
  /** Texts in one call, 1 or more. Default: what the model says, at most 96. */
  readonly batchSize?: number | undefined;
  /** The text of a tool that is embedded. Default: `name: description`, or the name alone. */
  readonly embeddingText?: ((tool: ToolDefinition) => string) | undefined;
}

/**
 * Lets a model search by meaning: the cosine between the query's embedding and each tool's. (LangChain4j: `VectorToolSearchStrategy`.) The query is
 * embedded together with the tools that are not in the cache, and is matched to its vector by its text, never by its place: a query that
 * equals a tool's text cannot take that tool's embedding away.
 */
export class EmbeddingToolSearchStrategy extends TextQueryToolSearchStrategy {
  readonly #options: EmbeddingToolSearchOptions;
  readonly #cache: EmbeddingCache | undefined;

  constructor(options: EmbeddingToolSearchOptions) {
    super(options, {
      toolDescription: 'Finds available tools using semantic vector search',
      toolArgumentName: 'query',
      toolArgumentDescription: 'Natural language query describing desired tool',
    });
    this.#options = options;
    this.#cache = options.cache === false ? undefined : (options.cache ?? memoryEmbeddingCache());
  }

  /** `score` is the cosine, -1 to 1. */
  override async rank({ query, tools, signal }: RankRequest): Promise<readonly FoundTool[]> {
    if (tools.length === 0) return [];
    const textOf = this.#options.embeddingText ?? embeddingText;
    const texts = tools.map(textOf);
    const unique = [...new Set(texts)];
    const vectors = new Map<string, ArrayLike<number>>();
    for (const [place, cached] of (await this.#cached(unique)).entries()) {
      if (cached !== undefined) vectors.set(unique[place] as string, cached);
    }
    const missing = unique.filter((text) => !vectors.has(text));
    const fresh = await this.#embed([...new Set([query, ...missing])], signal);
    const queryVector = fresh.get(query) as ArrayLike<number>;
    // Kept vectors of another length come from a store that served another model.
    const outdated = unique.filter((text) => {
      const vector = vectors.get(text);
      return vector !== undefined && vector.length !== queryVector.length;
    });
    for (const [text, vector] of await this.#embed(outdated, signal)) fresh.set(text, vector);
    const learned = [...missing, ...outdated];
    for (const text of learned) vectors.set(text, fresh.get(text) as ArrayLike<number>);
    await this.#keep(learned.map((text) => [text, vectors.get(text) as ArrayLike<number>]));
    const minScore = this.#options.minScore ?? 0;
    return tools
      .map((tool, place) => ({
        name: tool.name,
        score: cosine(queryVector, vectors.get(texts[place] as string) as ArrayLike<number>),
      }))
      .filter(({ score }) => score >= minScore)
      .sort((a, b) => b.score - a.score);
  }

  /** Forgets the embeddings of all tools. */
  async clearEmbeddingsCache(): Promise<void> {
    await this.#cache?.clear();
  }

  async #embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<Map<string, ArrayLike<number>>> {
    if (texts.length === 0) return new Map();
    const embedded = await embedTexts(this.#options.model, texts, { batchSize: this.#options.batchSize, signal });
    return new Map(texts.map((text, place) => [text, embedded[place] as ArrayLike<number>]));
  }

  async #cached(texts: readonly string[]): Promise<readonly (ArrayLike<number> | undefined)[]> {
    try {
      return (await this.#cache?.get(texts)) ?? [];
    } catch {
      return [];
    }
  }

  async #keep(entries: readonly (readonly [string, ArrayLike<number>])[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      await this.#cache?.set(entries);
    } catch {
      // A cache that cannot be written costs the next search time, nothing else.
    }
  }
}

function embeddingText(tool: ToolDefinition): string {
  const description = tool.description?.trim() ?? '';
  return description === '' ? tool.name : `${tool.name}: ${description}`;
}
