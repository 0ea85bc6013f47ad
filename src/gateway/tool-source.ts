import type { Catalogue, RegisteredTool } from '../catalog/types.ts';

/** One hit of a search, best first. */
export interface SearchHit {
  readonly tool: RegisteredTool;
  /** In the strategy's own unit; compared only within one answer. */
  readonly score: number;
  readonly parts?: Readonly<Record<string, number>> | undefined;
}

/** A search as the surface, the pages and the HTTP interface ask it. */
export interface SearchQuery {
  readonly query: string;
  readonly context?: string | undefined;
  /** Only tools of this server. */
  readonly server?: string | undefined;
  /** 1 to 50. Default 5. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a search gave. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** How many match, of which `hits` is a part. */
  readonly total: number;
  /** The search's own words for the model: where was searched, what cannot be found and why. */
  readonly words: string;
}

/** The one registry behind everything: listing, search, description, execution. */
export interface ToolSource {
  catalogue(): Promise<Catalogue>;
  search(query: SearchQuery): Promise<SearchAnswer>;
}
