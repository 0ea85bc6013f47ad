import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV3 } from 'ai6/test';
import { scriptedModel } from 'toolgate/testing';
import type { AdapterDriver, AdapterModelRequest, AdapterRun, AdapterSession, AdapterSetup } from 'toolgate/testing';
import { toolgate, uniqueCallIds } from 'toolgate/mastra';
import type { MastraSuspendedRun, ToolgateMastra } from 'toolgate/mastra';
import { versionOf } from '../support/version-of.ts';

export function mastraDriver(): AdapterDriver {
  return {
    framework: 'mastra',
    version: versionOf('@mastra/core'),
    open: (setup) => new MastraSession(setup),
  };
}

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly output?: { readonly type: string; readonly value?: unknown; readonly reason?: string };
}

interface Output {
  readonly text: string | Promise<string>;
  readonly error?: unknown;
  readonly messageList?: { readonly get: { readonly all: { readonly db: () => unknown[] } } };
}

interface State {
  readonly messages: readonly unknown[];
  readonly runs: readonly (readonly [string, unknown])[];
}

const agentId = 'assistant';

class MastraSession implements AdapterSession {
  readonly #setup: AdapterSetup;
  readonly #g: ToolgateMastra;
  readonly #scripted: ReturnType<typeof scriptedModel>;
  readonly #agent: Agent;
  readonly #storage = new InMemoryStore();
  #messages: readonly unknown[] = [];

  constructor(setup: AdapterSetup) {
    this.#setup = setup;
    const { options, conversation, principal } = setup;
    this.#g = toolgate({ ...options, conversation, principal });
    this.#scripted = scriptedModel(setup.script, { specificationVersion: 'v3' });
    const never = new AbortController().signal;
    const agent = new Agent({
      id: agentId,
      name: agentId,
      instructions: '',
      model: uniqueCallIds(
        new MockLanguageModelV3({
          doGenerate: (request: never) => this.#scripted.doGenerate(request),
          doStream: (request: never) => this.#scripted.doStream(request),
        } as never),
      ) as never,
      tools: Object.fromEntries(
        setup.tools.map((own) => [
          own.name,
          createTool({
            id: own.name,
            description: own.description ?? '',
            inputSchema: own.inputSchema as never,
            execute: async (args: unknown, context: { readonly abortSignal?: AbortSignal }) =>
              await own.execute(args as never, { signal: context.abortSignal ?? never } as never),
          } as never),
        ]),
      ) as never,
      ...(this.#g.agent as object),
    });
    this.#agent = new Mastra({ agents: { assistant: agent }, storage: this.#storage, logger: false }).getAgent(
      agentId,
    ) as never;
    if (setup.state === undefined) return;
    const state = JSON.parse(setup.state, revive) as State;
    this.#messages = state.messages;
    for (const [key, run] of state.runs) this.#runs.set(key, run);
  }

  get #runs(): Map<string, unknown> {
    const { workflows } = this.#storage.stores as unknown as { workflows: { db: { workflows: Map<string, unknown> } } };
    return workflows.db.workflows;
  }

  get confirmations(): AdapterSession['confirmations'] {
    return this.#g.gate.confirmations;
  }

  get requests(): readonly AdapterModelRequest[] {
    return this.#scripted.requests.map((request) => ({
      tools: (request.tools ?? []).map(({ name }) => name),
      forced: request.toolChoice?.type === 'tool' ? (request.toolChoice.toolName ?? null) : null,
      results: request.prompt.flatMap(({ role, content }) =>
        role === 'tool'
          ? (content as readonly Part[])
              .filter(({ type }) => type === 'tool-result')
              .map(({ toolCallId, output }) => ({ toolCallId: toolCallId ?? '', text: textOf(output) }))
          : [],
      ),
    }));
  }

  save(): string {
    return JSON.stringify({ messages: this.#messages, runs: [...this.#runs] });
  }

  async send(text: string, options: Parameters<AdapterSession['send']>[1]): Promise<AdapterRun> {
    const messages = [...this.#messages, { role: 'user', content: text }];
    const settings = {
      maxSteps: 10,
      abortSignal: options.signal,
      ...(options.toolChoice === undefined
        ? {}
        : { toolChoice: { type: 'tool', toolName: options.toolChoice.tool } as const }),
    };
    const output = (this.#setup.streaming
      ? await this.#agent.stream(messages as never, settings as never)
      : await this.#agent.generate(messages as never, settings as never)) as unknown as Output;
    return await this.#end(output);
  }

  async resume(options: Parameters<AdapterSession['resume']>[0]): Promise<AdapterRun> {
    const [run] = await this.#suspended();
    if (run === undefined) return { text: '', waiting: [] };
    const { runId } = run;
    const agentOptions = { abortSignal: options.signal };
    if (options.claimApproval) {
      const { toolCallId = '' } = run.toolCalls[0] ?? {};
      return await this.#end(
        (await this.#agent.approveToolCallGenerate({ ...agentOptions, runId, toolCallId })) as unknown as Output,
      );
    }
    const { output, waiting } = await this.#g.resume(this.#agent, runId, { agentOptions });
    return output === undefined ? { text: '', waiting } : await this.#end(output as unknown as Output);
  }

  async #end(output: Output): Promise<AdapterRun> {
    const stream = output as unknown as { consumeStream?: () => Promise<void> };
    if (this.#setup.streaming) await stream.consumeStream?.();
    const text = await output.text;
    if (output.error !== undefined && output.error !== null) throw output.error as Error;
    if (output.messageList !== undefined) this.#messages = output.messageList.get.all.db();
    const { messages } = output as unknown as { messages?: unknown[] };
    if (output.messageList === undefined && messages !== undefined) this.#messages = messages;
    const waiting = await this.#waiting();
    return { text: waiting.length > 0 ? '' : text, waiting };
  }

  async #suspended(): Promise<readonly MastraSuspendedRun[]> {
    return (await this.#agent.listSuspendedRuns()).runs;
  }

  async #waiting(): Promise<readonly string[]> {
    const runs = await this.#suspended();
    return runs.flatMap(({ toolCalls }) => toolCalls.map(({ toolCallId }) => toolCallId ?? ''));
  }
}

function textOf(output: Part['output']): string {
  if (output === undefined) return '';
  if (output.type === 'execution-denied') return output.reason ?? '';
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}

function revive(key: string, value: unknown): unknown {
  return key.endsWith('At') && typeof value === 'string' ? new Date(value) : value;
}
