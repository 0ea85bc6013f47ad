import type { JsonObject, JsonValue } from './json.ts';
import type { Logger } from './logger.ts';
import type { Message } from './message.ts';
import type { Principal } from './principal.ts';

/** A JSON Schema (draft-07 or 2020-12) of a tool's arguments or result. Comes from strangers: checked at registration. */
export type JsonSchema = JsonObject;

/**
 * The hints of the Model Context Protocol. Hints only: they raise caution freely, and lower it only for a server that
 * is trusted to say so.
 */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  /** The tool does not change anything. Protocol default: false. */
  readonly readOnlyHint?: boolean | undefined;
  /** The tool may destroy or overwrite. Protocol default: true (when it is not read-only). */
  readonly destructiveHint?: boolean | undefined;
  /** Calling again with the same arguments changes nothing more. Protocol default: false. */
  readonly idempotentHint?: boolean | undefined;
  /** The tool talks to the world outside. Protocol default: true. */
  readonly openWorldHint?: boolean | undefined;
}

/** Where a tool comes from, when it is not the host's own. */
export interface ToolServer {
  /** The configured name, for people. */
  readonly name: string;
  /** What identifies the server for fingerprints and rules: its command and arguments, or its URL's origin. */
  readonly identity: string;
  /** `annotations`: this server's hints are believed when they lower caution. Default `none`. */
  readonly trust?: 'none' | 'annotations';
  /** The server's own words about itself. Data, never instructions. */
  readonly description?: string | undefined;
}

/** A block of a tool's result, as in the Model Context Protocol. Unknown kinds are kept as they are. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** What a tool gives back. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  /** The structured part, any JSON value. */
  readonly structured?: JsonValue;
  /** The tool ran and reports a failure that the model may read and mend. Default false. */
  readonly isError?: boolean;
  /** The protocol's `_meta`. Never shown to a model. */
  readonly meta?: JsonObject;
}

/** What a running tool is told. */
export interface ToolContext {
  /** Unique key of this call within its reply: `<ordinal>.<toolCallId>`. */
  readonly key: string;
  /** The provider's id of the call. May repeat or be empty. */
  readonly toolCallId: string;
  /** The same on every delivery of this call: hand it to APIs that take an idempotency key. */
  readonly idempotencyKey: string;
  /** Grows with every claim of this call; a result with an older number is not applied. */
  readonly fence: number;
  readonly conversation?: string | undefined;
  readonly principal?: Principal | undefined;
  /** Messages up to and without the reply that asked for this call. Empty where the caller has none. */
  readonly messages: readonly Message[];
  /** Free values of the host, never sent to a model. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Reports progress to whoever waits. Never throws. */
  progress(update: { readonly progress: number; readonly total?: number; readonly message?: string }): void;
}

/** What a predicate on a call, or a preview, is told. A preview must not change anything. */
export interface ToolCallContext {
  readonly key: string;
  readonly toolCallId: string;
  readonly conversation?: string | undefined;
  readonly principal?: Principal | undefined;
  readonly messages: readonly Message[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Arguments after parsing: ready to run, or why not. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly ArgumentIssue[] };

/** One thing that is wrong with a call's arguments. */
export interface ArgumentIssue {
  /** JSON Pointer into the arguments; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** When a tool's result goes to the caller instead of back to the model. Default `to-model`. */
export type ReturnBehavior = 'to-model' | 'immediate' | 'immediate-if-last';

/** A tool: what it is, and how it runs. Made with `tool()`, or by an adapter from a framework's own tool. */
export interface Tool {
  /** The name its provider gives it. The name under which a model sees it may differ (see the registry). */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** Other names by which people and models look for it. */
  readonly aliases?: readonly string[] | undefined;
  /** `always`: passed to the model without a question. Default `searchable`. */
  readonly visibility?: 'searchable' | 'always' | undefined;
  /** Marks calls that wait for a person. A predicate that throws counts as true. */
  readonly requiresConfirmation?:
    | boolean
    | ((args: never, context: ToolCallContext) => boolean | Promise<boolean>)
    | undefined;
  readonly returnBehavior?: ReturnBehavior | undefined;
  /** Set for tools of a server; absent for the host's own. */
  readonly server?: ToolServer | undefined;
  /** Parses, defaults and validates arguments (from a Standard Schema). Absent: the JSON Schema is used. */
  readonly parse?: ((input: unknown) => ParsedArguments | Promise<ParsedArguments>) | undefined;
  /** Runs it. A string or plain JSON is wrapped as a {@link ToolResult}; a throw becomes a failed outcome. */
  readonly execute: (args: never, context: ToolContext) => unknown;
  /** Read-only: says what would happen, for the person who decides. */
  readonly preview?: ((args: never, context: ToolCallContext) => unknown) | undefined;
}

/** A tool without the means to run it: what is indexed, searched, asked about and shown. */
export type ToolDefinition = Omit<Tool, 'execute' | 'preview' | 'parse'>;
