import assert from 'node:assert/strict';
import type { ConfirmationStore, PauseWrite } from '../confirm/store-port.ts';
import type { PolicyRules } from '../confirm/types.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import type { AdapterDriver, AdapterGateOptions, AdapterRun, AdapterSession } from './adapter-driver.ts';
import type {
  AdapterExpectation,
  AdapterScenario,
  AdapterScenarioGate,
  AdapterScenarioTool,
  AdapterStep,
} from './adapter-scenario.ts';
import type { ManualClock } from './manual-clock.ts';
import { scriptedDecisionModel } from './scripted-decision-model.ts';

const boss = { principal: { id: 'boss' }, via: 'program' };
const caller = { id: 'caller' };

interface Place {
  readonly store: ConfirmationStore;
  readonly clock: ManualClock;
  readonly streaming: boolean;
}

/** Runs one scenario on one framework. Throws an assertion error that says what differs. */
export async function runAdapterScenario(
  driver: AdapterDriver,
  scenario: AdapterScenario,
  place: Place,
): Promise<void> {
  await new ScenarioRun(driver, scenario, place).play();
}

class ScenarioRun {
  readonly #driver: AdapterDriver;
  readonly #scenario: AdapterScenario;
  readonly #place: Place;
  readonly #ran: string[] = [];
  readonly #sessions: AdapterSession[] = [];
  #conversation = 'conversation-1';
  #abort = new AbortController();
  readonly #crash = new AbortController();
  #hasCrashed = false;

  constructor(driver: AdapterDriver, scenario: AdapterScenario, place: Place) {
    this.#driver = driver;
    this.#scenario = scenario;
    this.#place = place;
  }

  async play(): Promise<void> {
    let session = await this.#open(undefined);
    for (const [position, step] of this.#scenario.steps.entries()) {
      const where = `step ${position + 1} (${step.do})`;
      switch (step.do) {
        case 'wait':
          this.#place.clock.advance(step.milliseconds);
          break;
        case 'decide':
          await this.#decide(session, step.decisions, where);
          break;
        case 'restart':
          if (step.conversation !== undefined) this.#conversation = step.conversation;
          session = await this.#open(step.conversation === undefined ? session.save() : undefined);
          break;
        case 'send': {
          this.#abort = new AbortController();
          const run = await this.#ending(
            session.send(step.text, {
              signal: this.#abort.signal,
              ...(step.toolChoice === undefined ? {} : { toolChoice: step.toolChoice }),
            }),
          );
          this.#check(session, run, step.expect, where);
          break;
        }
        case 'resume':
          session = await this.#resume(session, step, where);
          break;
      }
    }
  }

  async #resume(
    session: AdapterSession,
    step: Extract<AdapterStep, { do: 'resume' }>,
    where: string,
  ): Promise<AdapterSession> {
    const options = { signal: new AbortController().signal, claimApproval: step.claimApproval === true };
    const deliveries = step.deliveries ?? 'once';
    const mayBeCut = this.#scenario.gate?.crash !== undefined;
    if (deliveries === 'once' && step.tamper === undefined && !mayBeCut) {
      this.#check(session, await this.#ending(session.resume(options)), step.expect, where);
      return session;
    }
    let state = session.save();
    if (step.tamper !== undefined) {
      assert.ok(state.includes(step.tamper.from), `${where}: the saved state does not hold ${step.tamper.from}`);
      state = state.replaceAll(step.tamper.from, step.tamper.to);
    }
    const first = await this.#open(state);
    if (deliveries === 'once') {
      this.#check(first, await this.#ending(first.resume(options)), step.expect, where);
      // Nothing that the cut process held is left.
      return mayBeCut ? session : first;
    }
    const second = await this.#open(state, this.#requests());
    if (deliveries === 'twice-at-once') {
      const [one, two] = await Promise.all([this.#ending(first.resume(options)), this.#ending(second.resume(options))]);
      this.#check(first, one, step.expect, `${where}, first of two at once`);
      this.#check(second, two, step.expect, `${where}, second of two at once`);
      return first;
    }
    this.#check(first, await this.#ending(first.resume(options)), step.expect, `${where}, first delivery`);
    this.#check(second, await this.#ending(second.resume(options)), step.expect, `${where}, second delivery`);
    return first;
  }

  /** A run may end with an error of the framework; what counts is what ran and what the model was given. */
  async #ending(run: Promise<AdapterRun>): Promise<AdapterRun | Error> {
    const cut = new Promise<Error>((resolve) => {
      if (!this.#hasCrashed)
        this.#crash.signal.addEventListener('abort', () => resolve(new Error('The process was cut.')), { once: true });
    });
    try {
      return await Promise.race([run, cut]);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #decide(
    session: AdapterSession,
    decisions: Extract<AdapterStep, { do: 'decide' }>['decisions'],
    where: string,
  ): Promise<void> {
    const { items } = await session.confirmations.list({ conversation: this.#conversation, limit: 500 });
    for (const [toolCallId, decision] of Object.entries(decisions)) {
      const pause = items.find(({ calls }) =>
        calls.some((call) => call.toolCallId === toolCallId && call.state === 'awaiting'),
      );
      const call = pause?.calls.find((one) => one.toolCallId === toolCallId);
      assert.ok(pause !== undefined && call !== undefined, `${where}: no call ${toolCallId} waits in the store`);
      const answers = await session.confirmations.decide(pause.id, { [call.key]: decision }, boss);
      assert.deepEqual(
        answers.map(({ answer }) => answer),
        ['accepted'],
        `${where}: ${toolCallId}`,
      );
    }
  }

  #requests(): number {
    return this.#sessions.reduce((sum, session) => sum + session.requests.length, 0);
  }

  async #open(state: string | undefined, requests = this.#requests()): Promise<AdapterSession> {
    const { scenario } = { scenario: this.#scenario };
    const dynamicNames = new Set((scenario.gate?.dynamic ?? []).flat().map(({ name }) => name));
    const session = await this.#driver.open({
      tools: scenario.tools.filter(({ name }) => !dynamicNames.has(name)).map((tool) => this.#tool(tool)),
      options: this.#options(scenario.gate ?? {}),
      script: scenario.script.slice(requests),
      conversation: this.#conversation,
      principal: caller,
      streaming: this.#place.streaming,
      ...(state === undefined ? {} : { state }),
    });
    this.#sessions.push(session);
    return session;
  }

  #options(gate: AdapterScenarioGate): AdapterGateOptions {
    const selects = gate.scores !== undefined || gate.selectorDown === true;
    const decisionModel = scriptedDecisionModel(
      gate.selectorDown === true
        ? { script: () => Promise.reject(new Error('The decision model is down.')) }
        : { scores: gate.scores },
    );
    return {
      store: gate.crash === undefined ? this.#place.store : this.#cutting(this.#place.store),
      clock: this.#place.clock,
      selection: selects
        ? {
            decisionModel,
            minProbability: 0.5,
            minTools: 0,
            minTokens: 0,
            ...(gate.alwaysInclude === undefined ? {} : { alwaysInclude: gate.alwaysInclude }),
          }
        : false,
      confirm: { policy: policyOf(gate), waitMs: 2_000, pollMs: 5 },
      ...(gate.dynamic === undefined
        ? {}
        : {
            providers: [
              {
                id: 'dynamic',
                dynamic: true,
                provideTools: () =>
                  (gate.dynamic?.[Math.min(this.#ran.length, gate.dynamic.length - 1)] ?? []).map((tool) =>
                    this.#tool(tool),
                  ),
              },
            ],
          }),
    };
  }

  /** A store whose process ends after the tool has run and before the result is written: nothing of it is ever heard of again. */
  #cutting(store: ConfirmationStore): ConfirmationStore {
    let isGone = false;
    return new Proxy(store, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        return (...parts: readonly unknown[]): unknown => {
          if (property === 'change' && !this.#hasCrashed) {
            const { pause } = parts[0] as PauseWrite;
            if (pause.calls.some(({ outcome }) => outcome?.status === 'succeeded')) {
              isGone = true;
              this.#hasCrashed = true;
              this.#crash.abort(new Error('The process was cut.'));
            }
          }
          if (isGone) return new Promise(() => {});
          return (value as (...given: unknown[]) => unknown).apply(target, [...parts]);
        };
      },
    });
  }

  #tool(tool: AdapterScenarioTool): Tool {
    return {
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema ?? defaultSchema,
      execute: async (args: unknown, context: ToolContext): Promise<unknown> => {
        this.#ran.push(`${tool.name} ${JSON.stringify(args)}`);
        if (tool.hangs === true) {
          this.#abort.abort(new Error('The user left.'));
          context.signal.throwIfAborted();
          await new Promise((_, reject) => {
            context.signal.addEventListener('abort', () => reject(context.signal.reason as Error), { once: true });
          });
        }
        if (tool.fails !== undefined) throw new Error(tool.fails);
        await Promise.resolve();
        return tool.result ?? `${tool.name} done`;
      },
    };
  }

  #check(session: AdapterSession, run: AdapterRun | Error, expect: AdapterExpectation, where: string): void {
    const said = run instanceof Error ? ` (the run ended with: ${run.message})` : '';
    if (expect.ran !== undefined)
      assert.deepEqual([...this.#ran].sort(), [...expect.ran].sort(), `${where}: what ran${said}`);
    if (expect.waiting !== undefined) {
      const waiting = run instanceof Error ? [] : [...run.waiting].sort();
      assert.deepEqual(waiting, [...expect.waiting].sort(), `${where}: what waits${said}`);
    }
    const requests = session.requests;
    const newest = <T>(list: readonly T[], count: number): readonly T[] => list.slice(Math.max(0, list.length - count));
    if (expect.shown !== undefined) {
      const order = (names: readonly string[]): readonly string[] =>
        this.#driver.ordersTools === true ? [...names].sort() : names;
      const actual = newest(requests, expect.shown.length).map(({ tools }) => tools);
      const pairs = expect.shown.map((names, index) => (names === null ? (actual[index] ?? []) : names));
      assert.deepEqual(actual.map(order), pairs.map(order), `${where}: what the model was shown${said}`);
    }
    if (expect.forced !== undefined) {
      const forced = newest(requests, expect.forced.length).map((request) => request.forced);
      assert.deepEqual(forced, expect.forced, `${where}: what the model was forced to call${said}`);
    }
    const last = requests.at(-1)?.results ?? [];
    for (const [toolCallId, piece] of Object.entries(expect.results ?? {})) {
      const result = last.findLast((one) => one.toolCallId === toolCallId);
      assert.ok(result !== undefined, `${where}: the model got no result for ${toolCallId}${said}`);
      assert.ok(result.text.includes(piece), `${where}: the result for ${toolCallId} is ${result.text}${said}`);
    }
    for (const toolCallId of expect.answered ?? []) {
      const count = last.filter((one) => one.toolCallId === toolCallId).length;
      assert.equal(count, 1, `${where}: results for ${toolCallId} in the last request${said}`);
    }
    if (expect.requests !== undefined) assert.equal(this.#requests(), expect.requests, `${where}: requests${said}`);
    if (expect.text !== undefined) assert.equal(run instanceof Error ? run.message : run.text, expect.text, where);
  }
}

const defaultSchema = {
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'number' } },
  additionalProperties: false,
} as const;

function policyOf(gate: AdapterScenarioGate): PolicyRules {
  const rules: Record<string, PolicyRules[string]> = {};
  for (const [name, rule] of Object.entries(gate.policy ?? {})) {
    rules[name] =
      rule === true
        ? true
        : 'deny' in rule
          ? { deny: rule.deny }
          : (args: { readonly amount?: number }) => (args.amount ?? 0) > rule.above;
  }
  return rules;
}
