import { Agent, RunState, Usage, run, setTracingDisabled, tool } from '@openai/agents';
import type { AgentInputItem, Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents';
import { openaiAgents } from 'toolgate/openai-agents';
import type {
  AdapterDriver,
  AdapterModelRequest,
  AdapterRun,
  AdapterSession,
  AdapterSetup,
  ScriptedStep,
} from 'toolgate/testing';
import { versionOf } from '../support/version-of.ts';

setTracingDisabled(true);

export function openaiAgentsDriver(): AdapterDriver {
  return {
    framework: 'openai-agents',
    version: versionOf('@openai/agents'),
    open: (setup) => new OpenAIAgentsSession(setup),
  };
}

/** A model of the SDK that replies from a script. */
class ScriptedAgentsModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #script: readonly ScriptedStep[];

  constructor(script: readonly ScriptedStep[]) {
    this.#script = script;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const position = this.requests.length;
    this.requests.push(request);
    request.signal?.throwIfAborted();
    const step = this.#script[position];
    if (step === undefined) throw new Error(`The script has no reply ${position + 1}.`);
    const output: ModelResponse['output'] = [];
    if (step.text !== undefined)
      output.push({
        type: 'message',
        role: 'assistant',
        status: 'completed',
        id: `m${position}`,
        content: [{ type: 'output_text', text: step.text }],
      });
    for (const [index, call] of (step.calls ?? []).entries())
      output.push({
        type: 'function_call',
        name: call.toolName,
        callId: call.toolCallId ?? `call-${position}-${index}`,
        arguments: typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {}),
        status: 'completed',
        id: `f${position}-${index}`,
      });
    return { usage: new Usage(), responseId: `response-${position}`, output };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const { output, responseId } = await this.getResponse(request);
    yield { type: 'response_started' };
    yield {
      type: 'response_done',
      response: {
        id: responseId ?? '',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        output,
      },
    } as StreamEvent;
  }
}

class OpenAIAgentsSession implements AdapterSession {
  readonly #setup: AdapterSetup;
  readonly #g: ReturnType<typeof openaiAgents>;
  readonly #model: ScriptedAgentsModel;
  readonly #tools: ReturnType<typeof tool>[];
  #history: AgentInputItem[] = [];
  #paused: string | undefined;

  constructor(setup: AdapterSetup) {
    this.#setup = setup;
    this.#g = openaiAgents(setup.options);
    this.#model = new ScriptedAgentsModel(setup.script);
    const never = new AbortController().signal;
    this.#tools = setup.tools.map((given) =>
      tool({
        name: given.name,
        description: given.description ?? '',
        parameters: { required: [], ...given.inputSchema } as never,
        strict: false,
        errorFunction: (_: unknown, error: unknown) => (error instanceof Error ? error.message : String(error)),
        execute: async (args: unknown, _context: unknown, details?: { signal?: AbortSignal }) =>
          await given.execute(args as never, { signal: details?.signal ?? never } as never),
      } as never),
    );
    const saved = JSON.parse(setup.state ?? '{}') as { history?: AgentInputItem[]; paused?: string };
    this.#history = saved.history ?? [];
    this.#paused = saved.paused;
  }

  get confirmations(): AdapterSession['confirmations'] {
    return this.#g.gate.confirmations;
  }

  get requests(): readonly AdapterModelRequest[] {
    return this.#model.requests.map(({ tools, modelSettings, input }) => {
      const { toolChoice } = modelSettings;
      const isForced = toolChoice !== undefined && !['auto', 'none', 'required'].includes(toolChoice);
      return {
        tools: tools.map(({ name }) => name),
        forced: isForced ? toolChoice : null,
        results:
          typeof input === 'string'
            ? []
            : input.flatMap((item) =>
                item.type === 'function_call_result' ? [{ toolCallId: item.callId, text: textOf(item.output) }] : [],
              ),
      };
    });
  }

  save(): string {
    return JSON.stringify({ history: this.#history, paused: this.#paused });
  }

  async send(text: string, options: Parameters<AdapterSession['send']>[1]): Promise<AdapterRun> {
    this.#history.push({ role: 'user', content: text });
    return await this.#run(this.#agent(options.toolChoice?.tool), [...this.#history], options.signal);
  }

  async resume(options: Parameters<AdapterSession['resume']>[0]): Promise<AdapterRun> {
    const agent = this.#agent(undefined);
    const state = await RunState.fromString(agent, this.#paused ?? '');
    if (options.claimApproval) {
      for (const item of state.getInterruptions()) state.approve(item);
    } else {
      const { waiting } = await this.#g.carryDecisions(state, this.#origin);
      if (waiting.length > 0) return { text: '', waiting };
    }
    return await this.#run(agent, state as never, options.signal);
  }

  get #origin() {
    const { conversation, principal } = this.#setup;
    return { conversation, principal };
  }

  #agent(toolChoice: string | undefined): Agent {
    const agent = new Agent({
      name: 'assistant',
      model: this.#model,
      tools: this.#tools as never,
      ...(toolChoice === undefined ? {} : { modelSettings: { toolChoice } }),
    });
    return this.#g.wrap(agent, this.#origin);
  }

  async #run(agent: Agent, input: AgentInputItem[], signal: AbortSignal): Promise<AdapterRun> {
    const options = { ...this.#g.runOptions, signal };
    let result;
    if (this.#setup.streaming) {
      result = await run(agent, input, { ...options, stream: true });
      for await (const _ of result as AsyncIterable<unknown>);
      await result.completed;
      if (result.error !== null && result.error !== undefined) throw result.error;
    } else {
      result = await run(agent, input, options);
    }
    this.#history = result.history;
    const waiting = (result.interruptions ?? []).map(({ rawItem }) => (rawItem as { callId?: string }).callId ?? '');
    this.#paused = waiting.length > 0 ? result.state.toString() : undefined;
    if (waiting.length > 0 || signal.aborted) return { text: '', waiting };
    return { text: typeof result.finalOutput === 'string' ? result.finalOutput : '', waiting };
  }
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  const { text } = output as { readonly text?: unknown };
  return typeof text === 'string' ? text : JSON.stringify(output);
}
