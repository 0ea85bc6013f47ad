import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isToolgateError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { DecisionModel, DecisionRequest } from '../decision/port.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { ManualClock } from '../testing/manual-clock.ts';
import type { SelectionOptions } from './select-options.ts';
import { createToolSelector } from './select-tools.ts';
import type { SelectToolsRequest } from './select-tools.ts';
import type { Selection } from './selection.ts';
import { memorySelectionCache } from './selection-cache.ts';

/** What a decision model may do with one request. */
type Deed =
  | { readonly kind: 'throw' | 'reject' | 'hang' | 'garbage' | 'hostile-getter' | 'never-settling-thenable' }
  | {
      readonly kind: 'answer';
      readonly after: number;
      readonly values: readonly unknown[];
      readonly reverse: boolean;
      readonly extra: boolean;
    }
  | { readonly kind: 'reject-late'; readonly after: number };

const garbage: readonly unknown[] = [
  undefined,
  null,
  7,
  'tools: a, b',
  [],
  {},
  { answers: null },
  { answers: [] },
  { answers: 'x' },
  { answers: {} },
];

const answer = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.double({ min: 0, max: 1, noNaN: true }).map((probability) => ({ type: 'yes-no', probability })),
  },
  fc.constantFrom<unknown>(
    { type: 'refusal' },
    { type: 'yes-no', probability: Number.NaN },
    { type: 'yes-no', probability: 7 },
    { type: 'yes-no', probability: '0.9' },
    { type: 'yes-no' },
    { type: 'choice', value: 'nope', probabilities: {} },
    { type: 'scale', mean: 1, probabilities: [] },
    undefined,
    null,
    'yes',
    7,
  ),
);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      after: fc.constantFrom(0, 0, 5, 99, 100, 101, 5000),
      values: fc.array(answer, { minLength: 1, maxLength: 8 }),
      reverse: fc.boolean(),
      extra: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('throw', 'reject', 'hang', 'garbage', 'hostile-getter', 'never-settling-thenable'),
    }) as fc.Arbitrary<Deed>,
  },
  fc.record({ kind: fc.constant('reject-late' as const), after: fc.constantFrom(1, 99, 100, 300) }),
);

function later<Value>(clock: ManualClock, after: number, make: () => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    clock.schedule(after, () => {
      try {
        resolve(make());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

function respond(request: DecisionRequest, act: Extract<Deed, { kind: 'answer' }>): unknown {
  const entries = Object.entries(request.questions).map(([id, question], index): [string, unknown] => {
    if (question.type !== 'choice') return [id, act.values[index % act.values.length]];
    const options = Object.keys(question.options);
    return [
      id,
      { type: 'choice', value: options[index % options.length], probabilities: { [options[0] as string]: 0.5 } },
    ];
  });
  if (act.reverse) entries.reverse();
  if (act.extra) entries.push(['nobody_asked', { type: 'yes-no', probability: 1 }], ['__proto__', { type: 'refusal' }]);
  return { answers: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

function chaoticModel(
  deeds: readonly Deed[],
  clock: ManualClock,
  limits: DecisionModel['limits'],
  batching: 'none' | undefined,
): DecisionModel {
  let next = 0;
  const decide = (request: DecisionRequest): Promise<unknown> => {
    const act = deeds[next % deeds.length] as Deed;
    next += 1;
    switch (act.kind) {
      case 'throw':
        throw new Error('thrown');
      case 'reject':
        return Promise.reject(new Error('rejected'));
      case 'hang':
        return new Promise(() => {});
      case 'garbage':
        return Promise.resolve(garbage[next % garbage.length]);
      case 'never-settling-thenable':
        // oxlint-disable-next-line unicorn/no-thenable -- a promise-like that never settles is the point
        return { then() {} } as never;
      case 'hostile-getter':
        return Promise.resolve({
          get answers(): unknown {
            throw new Error('no answers for you');
          },
        });
      case 'reject-late':
        return later(clock, act.after, () => {
          throw new Error('late');
        });
      default:
        return act.after === 0
          ? Promise.resolve(respond(request, act))
          : later(clock, act.after, () => respond(request, act));
    }
  };
  return { provider: 'chaos', modelId: 'chaos-1', limits, batching, decide: decide as DecisionModel['decide'] };
}

/** Lets everything that can go on without time do so. */
const settleDown = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeAll(() => process.on('unhandledRejection', onUnhandled));
afterAll(() => process.off('unhandledRejection', onUnhandled));

const timeoutMs = 100;

interface Turn {
  readonly deeds: readonly Deed[];
  readonly tools: number;
  readonly marks: readonly number[];
  readonly options: Partial<SelectionOptions>;
  readonly cached: boolean;
  readonly maxQuestions: number | undefined;
  readonly batching: 'none' | undefined;
  readonly toolChoice: 'auto' | 'required' | 'forced';
}

const turn: fc.Arbitrary<Turn> = fc.record({
  deeds: fc.array(deed, { minLength: 1, maxLength: 5 }),
  tools: fc.integer({ min: 0, max: 40 }),
  marks: fc.array(fc.nat(39), { maxLength: 6 }),
  options: fc.record(
    {
      fallbackStrategy: fc.constantFrom('all-tools' as const, 'always-included' as const, 'fail' as const),
      maxToolsPerDecisionRequest: fc.integer({ min: 1, max: 12 }),
      maxParallelRequests: fc.integer({ min: 1, max: 4 }),
      ranking: fc.constantFrom('yes-no' as const, 'choice' as const),
      mode: fc.constantFrom('select' as const, 'shadow' as const),
      rule: fc.constantFrom<NonNullable<SelectionOptions['rule']>>(
        { minProbability: 0.2 },
        { keep: { expectedRecall: 0.8 } },
        { keep: { expectedRecall: 1, maxTools: 2 } },
      ),
      maxTools: fc.integer({ min: 1, max: 5 }),
    },
    { requiredKeys: [] },
  ),
  cached: fc.boolean(),
  maxQuestions: fc.constantFrom(undefined, 7),
  batching: fc.constantFrom(undefined, 'none' as const),
  toolChoice: fc.constantFrom('auto' as const, 'auto' as const, 'required' as const, 'forced' as const),
});

/** Which tools must pass, and the request that makes them. */
function arrange({ tools: count, marks, toolChoice }: Turn): {
  readonly tools: ToolDefinition[];
  readonly must: ReadonlySet<number>;
  readonly request: Omit<SelectToolsRequest, 'signal'>;
  readonly included: string[];
} {
  const must = new Set(marks.filter((position) => position < count));
  const [first] = must;
  const messages: Message[] = [];
  const included: string[] = [];
  const tools = Array.from({ length: count }, (_, position): ToolDefinition => {
    const name = `t${position}`;
    const kind = must.has(position) ? position % 3 : -1;
    if (kind === 1) included.push(name);
    if (kind === 2)
      messages.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId: '', toolName: name, input: {} }] });
    return { name, inputSchema: { type: 'object' }, visibility: kind === 0 ? 'always' : 'searchable' };
  });
  const choice = toolChoice === 'forced' ? (first === undefined ? undefined : { tool: `t${first}` }) : toolChoice;
  return {
    tools,
    must,
    included,
    request: {
      messages,
      userMessage: { role: 'user', content: 'please' },
      ...(choice === undefined ? {} : { toolChoice: choice }),
    },
  };
}

async function run(given: Turn): Promise<void> {
  const clock = manualClock();
  const started = clock.now();
  const { tools, must, request, included } = arrange(given);
  const selector = createToolSelector({
    ...given.options,
    alwaysInclude: included,
    decisionModel: chaoticModel(
      given.deeds,
      clock,
      given.maxQuestions === undefined ? undefined : { maxQuestions: given.maxQuestions },
      given.batching,
    ),
    cache: given.cached ? memorySelectionCache() : undefined,
    timeoutMs,
    clock,
  });
  const ended: ({ readonly selection: Selection } | { readonly error: unknown })[] = [];
  void selector.select(tools, { ...request, signal: new AbortController().signal }).then(
    (selection) => ended.push({ selection }),
    (error: unknown) => ended.push({ error }),
  );
  for (let step = 0; step < 4 && ended.length === 0; step += 1) {
    await settleDown();
    if (ended.length > 0) break;
    clock.advance([1, 4, 94, 1][step] ?? 0);
  }
  await settleDown();
  const [outcome] = ended;
  if (outcome === undefined) throw new Error('The turn did not end within its deadline.');
  expect(clock.now() - started).toBeLessThanOrEqual(timeoutMs);
  if ('error' in outcome) {
    expect(isToolgateError(outcome.error) ? outcome.error.code : outcome.error).toBe('selection-failed');
    expect(given.options.fallbackStrategy).toBe('fail');
    return;
  }
  const { kept, report } = outcome.selection;
  expect(kept).toEqual([...new Set(kept)].filter((position) => position < tools.length).sort((a, b) => a - b));
  for (const position of must) expect(kept).toContain(position);
  if (given.toolChoice === 'required' && tools.length > 0) expect(kept.length).toBeGreaterThan(0);
  if (given.options.mode === 'shadow') expect(kept).toHaveLength(tools.length);
  expect(report.entries.map((entry) => entry.name)).toEqual(tools.map((tool) => tool.name));
  expect(report.entries.flatMap((entry, position) => (entry.kept ? [position] : []))).toEqual(kept);
  for (const { probability } of report.entries)
    if (probability !== undefined) expect(probability >= 0 && probability <= 1).toBe(true);
  // Time goes on: what the model does after the turn must not come back.
  clock.advance(10_000);
  await settleDown();
}

describe('selectTools, whatever the decision model does', () => {
  it('SM-02 ends within its deadline, keeps what must pass, in order, and lets nothing escape', async () => {
    await fc.assert(fc.asyncProperty(turn, run), { numRuns: 10_000 });
    expect(unhandled).toEqual([]);
  }, 240_000);

  it('gives up when its caller does, whatever the model does', async () => {
    await fc.assert(
      fc.asyncProperty(turn, fc.boolean(), async (given, early) => {
        const clock = manualClock();
        const { tools, request, included } = arrange(given);
        const controller = new AbortController();
        const selector = createToolSelector({
          ...given.options,
          alwaysInclude: included,
          decisionModel: chaoticModel(given.deeds, clock, undefined, undefined),
          timeoutMs,
          clock,
        });
        if (early) controller.abort(new Error('gone'));
        const selection = selector.select(tools, { ...request, signal: controller.signal }).then(
          () => 'selected',
          (error: unknown) => (isToolgateError(error) ? error.code : error),
        );
        controller.abort(new Error('gone'));
        expect(['aborted', ...(early ? [] : ['selected', 'selection-failed'])]).toContain(await selection);
      }),
      { numRuns: 1000 },
    );
    expect(unhandled).toEqual([]);
  }, 60_000);
});
