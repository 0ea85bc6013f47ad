import { isToolgateError } from '../core/errors.ts';
import type { DecisionModel, DecisionRequest, Question } from '../decision/port.ts';

/** What the service behind the model shall answer to one question, in neutral terms. */
export type ContractAnswer =
  | { readonly probability: number }
  | { readonly choice: string; readonly probabilities: Readonly<Record<string, number>> }
  | { readonly mean: number; readonly probabilities: readonly number[] }
  | 'refusal'
  /** An answer of a type that was not asked for. */
  | 'wrong-type';

/** How the service behaves. */
export interface ContractBehaviour {
  /** By the question's text, which the service sees. Default: a probability of 0.5. */
  readonly answer?: ((text: string) => ContractAnswer) | undefined;
  /** `garbage`: something that is no answer at all; `error`: a failure that trying again does not mend; `hang`: nothing, ever. */
  readonly fault?: 'garbage' | 'error' | 'hang' | undefined;
}

/** A model in front of a service that behaves as told. */
export interface ContractHarness {
  readonly model: DecisionModel;
  /** Everything the service received, as text, one entry for each request. */
  received(): readonly string[];
  close?(): void | Promise<void>;
}

/** A case that an implementation cannot meet is left out by name, with the reason. */
export type ContractCase =
  | 'choice'
  | 'scale'
  | 'refusal'
  | 'wrong-type'
  | 'garbage'
  | 'error'
  | 'hang'
  | 'out-of-range';

/** What an implementation brings. */
export interface DecisionModelContractOptions {
  start(behaviour: ContractBehaviour): ContractHarness | Promise<ContractHarness>;
  readonly skip?: Readonly<Partial<Record<ContractCase, string>>> | undefined;
  /** False for a model that has no service behind it whose answers could be told: only the kind and range of answers are checked. Default true. */
  readonly scripted?: boolean | undefined;
}

const yesNo = (text: string): Question => ({ type: 'yes-no', text });
const team: Question = { type: 'choice', text: 'Which team?', options: { billing: 'Payments', support: null } };
const mood: Question = {
  type: 'scale',
  text: 'How angry?',
  levels: [{ label: 'calm' }, { label: 'cross', description: 'raised voice' }, { label: 'furious' }],
};

/** What the suite needs of Vitest: handed in, so that importing the suite needs no test runner. */
export interface DecisionModelContractRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: ((name: string, body: () => Promise<void>) => unknown) & {
    readonly skip: (name: string, body: () => Promise<void>) => unknown;
  };
  readonly expect: (value: unknown) => ContractMatchers;
  readonly onTestFinished: (callback: () => Promise<void>) => unknown;
}

/** The matchers that the suite uses. */
export interface ContractMatchers {
  readonly not: Pick<ContractMatchers, 'toBe' | 'toContain'>;
  readonly rejects: {
    toBe(expected: unknown): Promise<void>;
    toMatchObject(expected: object): Promise<void>;
    toThrow(expected: string): Promise<void>;
  };
  toBe(expected: unknown): void;
  toBeGreaterThanOrEqual(expected: number): void;
  toContain(expected: unknown): void;
  toEqual(expected: unknown): void;
  toHaveLength(expected: number): void;
  toMatchObject(expected: object): void;
}

/**
 * What every decision model must do, whatever it speaks. Call it in a test file of your own:
 * `decisionModelContract({ describe, expect, it, onTestFinished }, 'my model', { start })`.
 */
export function decisionModelContract(
  runner: DecisionModelContractRunner,
  name: string,
  options: DecisionModelContractOptions,
): void {
  const { describe, expect, it, onTestFinished } = runner;
  async function expectCode(promise: Promise<unknown>, code: string): Promise<void> {
    const error: unknown = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isToolgateError(error) ? error.code : error).toBe(code);
  }

  const { skip = {}, scripted = true } = options;
  const expectYesNo = (answer: unknown, probability: number): void => {
    if (scripted) return expect(answer).toEqual({ type: 'yes-no', probability });
    expect(answer).toMatchObject({ type: 'yes-no' });
    const given = (answer as { readonly probability: number }).probability;
    expect(given >= 0 && given <= 1).toBe(true);
  };
  const test = (kind: ContractCase | undefined, title: string, run: () => Promise<void>): void => {
    const reason = kind === undefined ? undefined : skip[kind];
    if (reason === undefined) it(title, run);
    else it.skip(`${title} (${reason})`, run);
  };
  const start = async (behaviour: ContractBehaviour): Promise<ContractHarness> => {
    const harness = await options.start(behaviour);
    onTestFinished(async () => {
      await harness.close?.();
    });
    return harness;
  };
  const decide = (
    model: DecisionModel,
    request: DecisionRequest,
    signal?: AbortSignal,
  ): ReturnType<DecisionModel['decide']> => model.decide(request, { signal: signal ?? new AbortController().signal });

  describe(`${name} as a decision model`, () => {
    test(undefined, 'says who it is', async () => {
      const { model } = await start({});
      expect(model.provider).not.toBe('');
      expect(model.modelId).not.toBe('');
    });

    test(
      undefined,
      'answers each yes/no question under its id, also ids that are names of object members',
      async () => {
        const { model } = await start({ answer: (text) => ({ probability: text.startsWith('a') ? 0.25 : 0.75 }) });
        const questions = JSON.parse(
          '{"__proto__":{"type":"yes-no","text":"a?"},"constructor":{"type":"yes-no","text":"b?"},"tool0":{"type":"yes-no","text":"a?"}}',
        ) as Record<string, Question>;
        const { answers } = await decide(model, { input: { text: 'hello' }, questions });
        expect(Object.keys(answers).sort()).toEqual(['__proto__', 'constructor', 'tool0']);
        expectYesNo(Object.getOwnPropertyDescriptor(answers, '__proto__')?.value, 0.25);
        expectYesNo(Object.getOwnPropertyDescriptor(answers, 'constructor')?.value, 0.75);
      },
    );

    test('choice', 'answers a choice with its options', async () => {
      const { model } = await start({
        answer: () => ({ choice: 'support', probabilities: { billing: 0.25, support: 0.75 } }),
      });
      const { answers } = await decide(model, { input: 'My password is lost.', questions: { team } });
      expect(answers['team']).toMatchObject({
        type: 'choice',
        value: 'support',
        probabilities: { billing: 0.25, support: 0.75 },
      });
    });

    test('scale', 'answers a scale with its levels, lowest first', async () => {
      const { model } = await start({ answer: () => ({ mean: 1.25, probabilities: [0.25, 0.25, 0.5] }) });
      const { answers } = await decide(model, { input: 'Hm.', questions: { mood } });
      expect(answers['mood']).toMatchObject({ type: 'scale', mean: 1.25, probabilities: [0.25, 0.25, 0.5] });
    });

    test('refusal', 'keeps the other answers when one question is refused', async () => {
      const { model } = await start({ answer: (text) => (text === 'no?' ? 'refusal' : { probability: 0.5 }) });
      const { answers } = await decide(model, { input: 'x', questions: { a: yesNo('yes?'), b: yesNo('no?') } });
      expect(answers).toEqual({ a: { type: 'yes-no', probability: 0.5 }, b: { type: 'refusal' } });
    });

    test('out-of-range', 'refuses a probability that is none, without asking again', async () => {
      const harness = await start({ answer: () => ({ probability: 1.5 }) });
      await expectCode(
        decide(harness.model, { input: 'x', questions: { a: yesNo('a?') } }),
        'decision-model-invalid-response',
      );
      expect(harness.received()).toHaveLength(1);
    });

    test('wrong-type', 'refuses an answer of the wrong type, without asking again', async () => {
      const harness = await start({ answer: () => 'wrong-type' });
      await expectCode(
        decide(harness.model, { input: 'x', questions: { a: yesNo('a?') } }),
        'decision-model-invalid-response',
      );
      expect(harness.received()).toHaveLength(1);
    });

    test('garbage', 'refuses what is no answer, without asking again', async () => {
      const harness = await start({ fault: 'garbage' });
      await expectCode(
        decide(harness.model, { input: 'x', questions: { a: yesNo('a?') } }),
        'decision-model-invalid-response',
      );
      expect(harness.received()).toHaveLength(1);
    });

    test('error', 'fails with a typed error when the service fails for good', async () => {
      const harness = await start({ fault: 'error' });
      await expectCode(decide(harness.model, { input: 'x', questions: { a: yesNo('a?') } }), 'decision-model-failed');
      expect(harness.received()).toHaveLength(1);
    });

    test('hang', 'ends with the reason of the signal', async () => {
      const { model } = await start({ fault: 'hang' });
      const controller = new AbortController();
      const reason = new Error('enough');
      const answer = decide(model, { input: 'x', questions: { a: yesNo('a?') } }, controller.signal);
      controller.abort(reason);
      await expect(answer).rejects.toBe(reason);
    });

    test(undefined, 'sends nothing when the signal is aborted, the input blank, or there is no question', async () => {
      const harness = await start({});
      await expect(
        decide(harness.model, { input: 'x', questions: { a: yesNo('a?') } }, AbortSignal.abort(new Error('gone'))),
      ).rejects.toThrow('gone');
      await expectCode(decide(harness.model, { input: '  ', questions: { a: yesNo('a?') } }), 'invalid-option');
      await expectCode(decide(harness.model, { input: 'x', questions: {} }), 'invalid-option');
      expect(harness.received()).toEqual([]);
    });

    test(undefined, 'cuts a request with too many questions and answers all of them', async () => {
      const harness = await start({ answer: (text) => ({ probability: Number(text) / 1000 }) });
      const count = (harness.model.limits?.maxQuestions ?? 50) * 2 + 1;
      const questions = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`q${index}`, yesNo(String(index))]),
      );
      const { answers } = await decide(harness.model, { input: 'x', questions });
      expect(Object.keys(answers)).toHaveLength(count);
      expectYesNo(answers[`q${count - 1}`], (count - 1) / 1000);
      const requests = harness.model.limits?.maxQuestions === undefined ? 1 : 3;
      if (scripted) expect(harness.received().length).toBeGreaterThanOrEqual(requests);
    });

    test(
      undefined,
      'keeps what is for models in this process off the wire, and leaves the request as it was',
      async () => {
        const harness = await start({});
        const tool = { name: 'secret_tool_name', description: 'x', inputSchema: { type: 'object' } };
        const request: DecisionRequest = {
          input: { text: 'visible_text' },
          questions: { a: { type: 'yes-no', text: 'a?', about: { tool } } },
          context: { messages: [{ role: 'user', content: 'hidden_message' }], catalogue: [tool] },
        };
        const before = JSON.stringify(request);
        await decide(harness.model, request);
        expect(JSON.stringify(request)).toBe(before);
        const sent = harness.received().join('\n');
        if (scripted) expect(sent).toContain('visible_text');
        expect(sent).not.toContain('secret_tool_name');
        expect(sent).not.toContain('hidden_message');
      },
    );

    test(undefined, 'keeps requests at the same time apart', async () => {
      const { model } = await start({ answer: (text) => ({ probability: Number(text) / 100 }) });
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          decide(model, { input: `x${index}`, questions: { a: yesNo(String(index)) } }),
        ),
      );
      expect(responses).toHaveLength(8);
      for (const [index, { answers }] of responses.entries()) expectYesNo(answers['a'], index / 100);
    });
  });
}
