import type { Message } from './message.ts';
import type { Principal } from './principal.ts';
import type { Tool } from './tool.ts';

/** One request to a model, as a provider of tools sees it. */
export interface Invocation {
  /** Unique for one run of the tool-calling loop. */
  readonly id: string;
  /** The conversation, where the host has one. */
  readonly conversation?: string | undefined;
  /** Free values of the host (role, tenant, locale); never sent to a model. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What a provider is told when it is asked for tools. (LangChain4j: `ToolProviderRequest`.) */
export interface ToolProviderRequest {
  /** The current user message as it goes to the model. */
  readonly userMessage: Message;
  /** The same before retrieved content or format instructions were added, where the host knows it. */
  readonly originalUserMessage?: Message | undefined;
  /** The conversation so far; may or may not end with `userMessage`. */
  readonly messages: readonly Message[];
  readonly invocation: Invocation;
  readonly principal?: Principal | undefined;
  readonly signal: AbortSignal;
}

/** Gives tools for a request. (LangChain4j: `ToolProvider`.) */
export interface ToolProvider {
  /** For reports and errors. Default: its position. */
  readonly id?: string;
  /** True: asked again before every call of the model within one loop. Default false: once per loop. */
  readonly dynamic?: boolean;
  /** A throw or a rejection takes out this provider's tools only. */
  provideTools(request: ToolProviderRequest): readonly Tool[] | Promise<readonly Tool[]>;
}
