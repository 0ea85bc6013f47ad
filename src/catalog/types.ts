import type { Digest } from '../core/digest.ts';
import type { ParsedArguments, Tool, ToolDefinition } from '../core/tool.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolProvider, ToolProviderRequest } from '../core/provider.ts';
import type { SchemaDialect } from '../schema/repair.ts';

/**
 * `src/catalog` is the one place that knows tools by exposed name: selection, search, listing, authorisation,
 * confirmation and execution all ask it. It imports `core` and `schema` only.
 */

/** A tool under the one name by which it is listed, searched, called, confirmed and logged. */
export interface RegisteredTool {
  /** The exposed name: `[A-Za-z0-9_-]`, at most 64 characters, unique, kept once given. Never parsed back. */
  readonly name: string;
  /** The provider's own object, so that executor and return behaviour survive. */
  readonly tool: Tool;
  /** What models and people are shown: the exposed name and the checked, repaired schema. */
  readonly definition: ToolDefinition;
  readonly fingerprint: Digest;
  /** The provider's id; `tools` for the host's own. */
  readonly provider: string;
  /** True for tools given to the gate directly: never filtered, still gated. */
  readonly direct: boolean;
  /** Rough size of the definition in a prompt: characters of its JSON divided by 4, rounded up. */
  readonly tokens: number;
  /**
   * Turns a call's input as the model gave it (object, JSON text, empty, missing) into arguments ready to run: parsed,
   * mapped back to the original schema, defaulted, validated, with a limit on size and time. Never throws.
   */
  parse(input: unknown): Promise<ParsedArguments>;
}

/** Something about a provider or a tool that a person should know; the rest of the catalogue is not affected. */
export interface CatalogueProblem {
  readonly code:
    | 'provider-failed'
    | 'provider-timeout'
    | 'invalid-tool'
    | 'duplicate-tool'
    | 'renamed-tool'
    | 'repaired-schema';
  readonly provider: string;
  /** The tool's own name, where it is about one. */
  readonly tool?: string;
  readonly message: string;
}

/** Looks a tool up by exposed name. What the manager needs of a catalogue. */
export interface ToolLookup {
  get(name: string): RegisteredTool | undefined;
}

/** All tools of one request, in stable order. Immutable. */
export interface Catalogue extends ToolLookup {
  readonly tools: readonly RegisteredTool[];
  /** Changes when any tool or name changes. */
  readonly fingerprint: Digest;
  readonly problems: readonly CatalogueProblem[];
  /** The tool whose exposed name, own name, alias or `server.tool` form this is, in any case style; exact beats loose, ambiguity gives none. */
  resolve(name: string): RegisteredTool | undefined;
}

/** How names are made when several servers are behind one gate. Default `on-collision`. */
export type PrefixRule = 'on-collision' | 'always' | 'never';

export interface RegistryOptions {
  /** The host's own tools: never filtered, still gated. Duplicate names are an error (`duplicate-tool`). */
  readonly tools?: readonly Tool[];
  readonly providers?: readonly ToolProvider[];
  readonly prefix?: PrefixRule;
  /** Names that no tool may take, for example those of the search tool. A tool that has one is renamed. */
  readonly reservedNames?: readonly string[];
  /** How long one provider may take, in milliseconds. Default 10,000. Its tools are missing afterwards, others are not delayed by it beyond this. */
  readonly providerTimeoutMs?: number;
  /** Names given earlier, by `server identity + own name`, so that they are kept over restarts. */
  readonly names?: NameStore;
  /** Whose rules the shown schemas follow. Default `common`: what the strict providers have in common. */
  readonly schemas?: SchemaDialect;
  /** For the time limit. Default: the system's timers. */
  readonly clock?: Clock;
  /** Told of every problem once. Default: silent. */
  readonly logger?: Logger;
}

/** Remembers which exposed name belongs to which tool. */
export interface NameStore {
  load(): readonly (readonly [owner: string, name: string])[];
  /** Gets all entries whenever one was added. A throw is logged; the names hold for this process all the same. */
  save(entries: readonly (readonly [owner: string, name: string])[]): void;
}

/** Lives as long as the gate. */
export interface Registry {
  /** Asks every provider, in parallel, each isolated from the others. */
  catalogue(request: ToolProviderRequest): Promise<Catalogue>;
  /** Asks the dynamic providers again and keeps what the static ones gave in `previous`. */
  refresh(previous: Catalogue, request: ToolProviderRequest): Promise<Catalogue>;
  /**
   * True when the name was once given to a tool, also when that tool is gone now. With a principal: only when it stood in a
   * catalogue made for that principal by this process, so that nobody learns of tools they were never given.
   */
  wasKnown(name: string, principal?: Principal): boolean;
}
