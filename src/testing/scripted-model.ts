import { ToolgateError } from '../core/errors.ts';

/**
 * `src/testing` is published as `toolgate/testing`: contract suites for ports and helpers for tests. It imports ports
 * and core only.
 */

/** A call that the scripted model makes. */
export interface ScriptedCall {
  readonly toolName: string;
  /** An object, or a text that is handed over as it is (to play broken JSON). Default `{}`. */
  readonly input?: unknown;
  /** Default `call-<step>-<position>`. May repeat or be empty on purpose. */
  readonly toolCallId?: string;
}

/** One reply of the scripted model. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The provider's id of the response. Default `response-<step>`; null: none. */
  readonly responseId?: string | null;
  /** Thrown instead of replying. */
  readonly error?: unknown;
}

/** What the model was asked, as far as tests look at it. */
export interface ScriptedRequest {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly {
    readonly type: string;
    readonly name: string;
    readonly description?: string;
    readonly inputSchema?: unknown;
  }[];
  readonly toolChoice?: { readonly type: string; readonly toolName?: string };
  readonly abortSignal?: AbortSignal;
}

interface ModelUsage {
  inputTokens: { total: number; noCache: undefined; cacheRead: undefined; cacheWrite: undefined };
  outputTokens: { total: number; text: undefined; reasoning: undefined };
}

interface ModelContent {
  type: 'text' | 'tool-call';
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: string;
}

interface ModelResult {
  content: ModelContent[];
  finishReason: { unified: 'stop' | 'tool-calls'; raw: undefined };
  usage: ModelUsage;
  warnings: [];
  response?: { id?: string };
}

/** A language model for tests that replies from a script, as the AI SDK's `LanguageModelV4` (or V3) describes one. */
export interface ScriptedModel {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  /** Every request so far, oldest first. */
  readonly requests: readonly ScriptedRequest[];
  doGenerate(options: never): Promise<never>;
  doStream(options: never): Promise<never>;
}

/**
 * Replies with one step after another, and fails when it is asked more often than the script has steps.
 * @param steps replies, or functions that make one from the request.
 * @param options `specificationVersion` is `v4` (AI SDK 7) or `v3` (AI SDK 6).
 */
export function scriptedModel(
  steps: readonly (ScriptedStep | ((request: ScriptedRequest) => ScriptedStep))[],
  options?: { readonly specificationVersion?: 'v3' | 'v4'; readonly modelId?: string },
): ScriptedModel {
  const requests: ScriptedRequest[] = [];

  const next = (request: ScriptedRequest): { step: ScriptedStep; ordinal: number } => {
    const ordinal = requests.length;
    requests.push(request);
    request.abortSignal?.throwIfAborted();
    const entry = steps[ordinal];
    if (entry === undefined) {
      throw new ToolgateError(
        'internal',
        `The scripted model has ${steps.length} steps and was asked for step ${ordinal + 1}.`,
      );
    }
    const step = typeof entry === 'function' ? entry(request) : entry;
    if (step.error !== undefined) throw step.error as Error;
    return { step, ordinal };
  };

  const model = {
    specificationVersion: (options?.specificationVersion ?? 'v4') as 'v4',
    provider: 'toolgate-testing',
    modelId: options?.modelId ?? 'scripted',
    supportedUrls: {},
    requests,
    async doGenerate(request: ScriptedRequest): Promise<ModelResult> {
      const { step, ordinal } = next(request);
      return resultOf(step, ordinal);
    },
    async doStream(request: ScriptedRequest): Promise<{ stream: ReadableStream<unknown> }> {
      const { step, ordinal } = next(request);
      return { stream: streamOf(resultOf(step, ordinal)) };
    },
  };
  return model as unknown as ScriptedModel;
}

function resultOf(step: ScriptedStep, ordinal: number): ModelResult {
  const calls = step.calls ?? [];
  const content: ModelContent[] = [];
  if (step.text !== undefined) content.push({ type: 'text', text: step.text });
  calls.forEach((call, position) => {
    content.push({
      type: 'tool-call',
      toolCallId: call.toolCallId ?? `call-${ordinal}-${position}`,
      toolName: call.toolName,
      input: typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {}),
    });
  });
  return {
    content,
    finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 10, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 5, text: undefined, reasoning: undefined },
    },
    warnings: [],
    ...(step.responseId === null ? {} : { response: { id: step.responseId ?? `response-${ordinal}` } }),
  };
}

function streamOf(result: ModelResult): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      if (result.response?.id !== undefined) controller.enqueue({ type: 'response-metadata', id: result.response.id });
      result.content.forEach((part, position) => {
        const id = String(position);
        if (part.type === 'text') {
          const words = (part.text ?? '').match(/\S+\s*/g) ?? [];
          controller.enqueue({ type: 'text-start', id });
          for (const delta of words) controller.enqueue({ type: 'text-delta', id, delta });
          controller.enqueue({ type: 'text-end', id });
        } else {
          controller.enqueue(part);
        }
      });
      controller.enqueue({ type: 'finish', finishReason: result.finishReason, usage: result.usage });
      controller.close();
    },
  });
}
