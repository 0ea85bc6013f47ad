import { ToolCallConfirmationRequiredError, ToolCallDecisions, createToolGate, resultText } from 'toolgate';
import type { Message, MessagePart, Reply, ToolExecution } from 'toolgate';
import type {
  AdapterDriver,
  AdapterModelRequest,
  AdapterRun,
  AdapterSession,
  AdapterSetup,
  ScriptedStep,
} from 'toolgate/testing';
import { versionOf } from '../support/version-of.ts';

/** The gate in a loop of one's own, without a framework. */
export function plainDriver(): AdapterDriver {
  return {
    framework: 'plain',
    version: versionOf('toolgate'),
    modes: ['blocking'],
    open: (setup) => new PlainSession(setup),
  };
}

interface Saved {
  readonly messages: Message[];
  readonly reply?: Reply | undefined;
  readonly pause?: string | undefined;
}

class PlainSession implements AdapterSession {
  readonly requests: AdapterModelRequest[] = [];
  readonly #setup: AdapterSetup;
  readonly #gate: ReturnType<typeof createToolGate>;
  #saved: Saved;

  constructor(setup: AdapterSetup) {
    this.#setup = setup;
    const { providers = [], ...options } = setup.options;
    this.#gate = createToolGate({ ...options, providers: [{ provideTools: () => setup.tools }, ...providers] });
    this.#saved = setup.state === undefined ? { messages: [] } : (JSON.parse(setup.state) as Saved);
  }

  get confirmations(): AdapterSession['confirmations'] {
    return this.#gate.confirmations;
  }

  save(): string {
    return JSON.stringify(this.#saved);
  }

  async send(text: string, options: Parameters<AdapterSession['send']>[1]): Promise<AdapterRun> {
    this.#saved.messages.push({ role: 'user', content: text });
    return await this.#loop(options);
  }

  async resume(options: Parameters<AdapterSession['resume']>[0]): Promise<AdapterRun> {
    const { reply, pause, messages } = this.#saved;
    if (reply === undefined) throw new Error('Nothing waits.');
    const { conversation, principal } = this.#setup;
    const done = await this.#settle(reply, async () => {
      if (!options.claimApproval) return await this.#gate.resume(pause ?? '', { messages });
      const turn = await this.#gate.turn({ messages, conversation, principal });
      const decisions = ToolCallDecisions.toolCallKeys(reply).map((key) => [key, { type: 'approve' }] as const);
      return await turn.execute(reply, ToolCallDecisions.of(decisions, { by: { principal } }));
    });
    return done ?? (await this.#loop(options));
  }

  async #loop(options: {
    readonly signal: AbortSignal;
    readonly toolChoice?: { readonly tool: string };
  }): Promise<AdapterRun> {
    const { conversation, principal } = this.#setup;
    const { messages } = this.#saved;
    const { signal, toolChoice } = options;
    let turn = await this.#gate.turn({ messages, conversation, principal, signal, toolChoice });
    for (;;) {
      signal.throwIfAborted();
      const { toolChoice: choice, tools } = turn;
      const step = this.#ask(
        tools.map(({ name }) => name),
        typeof choice === 'string' ? null : choice.tool,
      );
      const reply = toReply(step, this.requests.length);
      if ((step.calls ?? []).length === 0) {
        messages.push(reply);
        return { text: step.text ?? '', waiting: [] };
      }
      const current = turn;
      const waits = await this.#settle(reply, async () => await current.execute(reply));
      if (waits !== undefined) return waits;
      turn = await current.refresh(messages);
    }
  }

  async #settle(reply: Reply, run: () => Promise<ToolExecution>): Promise<AdapterRun | undefined> {
    const { messages } = this.#saved;
    try {
      const execution = await run();
      messages.push(reply, ...execution.messages);
      this.#saved = { messages };
      return undefined;
    } catch (error) {
      if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
      this.#saved = { messages, reply, pause: error.pause?.id };
      return { text: '', waiting: error.toolCallIds.map((key) => key.slice(key.indexOf('.') + 1)) };
    }
  }

  #ask(tools: readonly string[], forced: string | null): ScriptedStep {
    const results = this.#saved.messages.flatMap(({ role, content }) =>
      role === 'tool' && typeof content !== 'string'
        ? content.map((part) => ({ toolCallId: part.toolCallId ?? '', text: textOf(part) }))
        : [],
    );
    this.requests.push({ tools, forced, results });
    const step = this.#setup.script[this.requests.length - 1];
    if (step === undefined) throw new Error(`The script has no reply ${this.requests.length}.`);
    return step;
  }
}

function toReply(step: ScriptedStep, position: number): Reply {
  const content: MessagePart[] = step.text === undefined ? [] : [{ type: 'text', text: step.text }];
  for (const { toolCallId = '', toolName, input = {} } of step.calls ?? [])
    content.push({ type: 'tool-call', toolCallId, toolName, input });
  return { role: 'assistant', id: `response-${position}`, content };
}

function textOf(part: MessagePart): string {
  const output = part.output as { readonly type: string; readonly value?: unknown; readonly reason?: string };
  if (output.type === 'execution-denied') return output.reason ?? '';
  if (output.type === 'content') return resultText({ content: output.value as never });
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}
