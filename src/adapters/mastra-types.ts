/** What is used of Mastra, by shape: nothing is imported from it, so that the package loads and type-checks without it. */

/** A tool as the agent's loop has it, or as `createTool` made it. */
export interface MastraTool {
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly parameters?: unknown;
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: unknown;
  readonly mcp?: { readonly annotations?: unknown } | undefined;
  readonly execute?: unknown;
}

/** Mastra's request context. */
export interface MastraRequestContext {
  get(key: never): unknown;
}

/** A part of a message as Mastra stores it. */
export interface MastraPart {
  readonly type: string;
  readonly text?: string;
  readonly providerMetadata?: unknown;
  readonly toolInvocation?: {
    readonly state: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly args: unknown;
    readonly result?: unknown;
  };
}

export interface MastraMessage {
  readonly role: string;
  readonly content: { readonly parts?: readonly MastraPart[] | undefined } | string;
}

/** What `processInputStep` is told. */
export interface MastraInputStep {
  readonly messages: readonly MastraMessage[];
  readonly systemMessages?: readonly { readonly role: string; readonly content: unknown }[] | undefined;
  readonly messageList: unknown;
  readonly stepNumber: number;
  readonly tools?: Record<string, unknown> | undefined;
  readonly toolChoice?: unknown;
  readonly activeTools?: string[] | undefined;
  readonly state: Record<string, unknown>;
  readonly requestContext?: MastraRequestContext | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A part of a reply, as the model gave it. */
export interface MastraChunk {
  readonly type: string;
  readonly payload?: unknown;
}

/** What `processLLMResponse` is told. */
export interface MastraReply {
  readonly chunks: readonly MastraChunk[];
  /** The same in all hooks of a run. */
  readonly state: Record<string, unknown>;
  readonly requestContext?: MastraRequestContext | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A suspended run, as `agent.listSuspendedRuns()` gives it. */
export interface MastraSuspendedRun {
  readonly runId: string;
  readonly toolCalls: readonly {
    readonly toolCallId?: string | undefined;
    readonly toolName?: string | undefined;
    readonly args?: unknown;
  }[];
}

/** What to tell Mastra about one suspended call: `agent.approveToolCall(call)` or `agent.declineToolCall(call)`. */
export interface MastraDecision {
  readonly approved: boolean;
  readonly runId: string;
  readonly toolCallId: string;
  readonly reason?: string;
}

export interface MastraDecisions {
  readonly decided: readonly MastraDecision[];
  /** Ids of the calls that nobody has decided yet. */
  readonly waiting: readonly string[];
}

/** An agent of Mastra, as far as it is resumed. */
export interface MastraAgent<OUTPUT> {
  listSuspendedRuns(): Promise<{ readonly runs: readonly MastraSuspendedRun[] }>;
  approveToolCall(options: never): Promise<OUTPUT>;
  declineToolCall(options: never): Promise<OUTPUT>;
}

/** What a tool is told when Mastra runs it, as far as it is used. */
export interface MastraCallContext {
  readonly toolCallId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestContext?: MastraRequestContext | undefined;
  suspend?: ((payload: unknown, options?: unknown) => unknown) | undefined;
}

/** What `beforeToolCall` and `afterToolCall` are told. */
export interface MastraHookContext {
  readonly toolName: string;
  readonly input: unknown;
  readonly context: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
}
