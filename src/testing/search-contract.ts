import assert from 'node:assert/strict';
import { isToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Invocation } from '../core/provider.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { ToolSearchResult, ToolSearchStrategy } from '../search/port.ts';

/** What the suite needs of a test runner: `describe` and `it` of Vitest, Jest, Mocha or `node:test`. */
export interface SearchContractRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void> | void) => unknown;
}

/** What is tested. */
export interface SearchContractSubject {
  /** A fresh strategy that finds at most `maxResults` tools; it must find the tool `get_weather` for "weather". */
  create(options: { readonly maxResults: number }): ToolSearchStrategy | Promise<ToolSearchStrategy>;
}

const invocation: Invocation = { id: 'contract', attributes: {} };
const schema = { type: 'object', properties: {} } as const;

const tools: readonly ToolDefinition[] = Object.freeze([
  { name: 'get_weather', description: 'Current weather of a city', inputSchema: schema },
  { name: 'send_mail', description: 'Sends a mail to somebody', inputSchema: schema },
  { name: 'weather_history', description: 'Weather of past days', inputSchema: schema },
  { name: 'weather_alerts', inputSchema: schema },
  { name: 'constructor', description: 'Builds weather stations', inputSchema: schema },
  { name: '__proto__', description: '', inputSchema: schema },
  { name: '天気', description: '天気を返します。', inputSchema: schema },
] satisfies ToolDefinition[]);

/** Inputs of a call that have no query in them, or one that nobody would write. */
const oddInputs: readonly unknown[] = [
  undefined,
  null,
  '',
  'no json',
  '[]',
  'null',
  '{}',
  '{"query":',
  0,
  true,
  [],
  ['weather'],
  {},
  { constructor: 1 },
  'x'.repeat(100_000),
];

/** Values that a model may put where the query belongs. */
const oddQueries: readonly unknown[] = [
  null,
  '',
  '   ',
  0,
  false,
  {},
  [],
  [null, 1, { a: 1 }],
  ['weather', null],
  '(a+)+$',
  "'; DROP TABLE tools; --",
  '\u0000\u0007\u001b[31m',
  '\ud800',
  'constructor __proto__ toString',
  '天気',
  'ﷺ'.repeat(50),
  'weather '.repeat(12_500),
];

/**
 * What every search strategy keeps to, whatever it ranks by. A strategy's own tests call it once, with the functions of their runner:
 * `searchStrategyContract({ describe, it }, 'my strategy', { create })`.
 */
export function searchStrategyContract(
  runner: SearchContractRunner,
  name: string,
  subject: SearchContractSubject,
): void {
  const { describe, it } = runner;

  async function search(
    strategy: ToolSearchStrategy,
    input: unknown,
    searchableTools: readonly ToolDefinition[] = tools,
  ): Promise<ToolSearchResult> {
    const [tool] = strategy.getToolSearchTools(invocation);
    return strategy.search({
      call: { toolCallId: '1', toolName: tool?.name ?? '', input },
      searchableTools,
      invocation,
    });
  }

  /** Arguments of the shape that the strategy's own tool asks for. */
  function argumentsFor(strategy: ToolSearchStrategy, query: unknown): Record<string, unknown> {
    const inputSchema = strategy.getToolSearchTools(invocation)[0]?.inputSchema;
    const required = inputSchema?.['required'];
    const argument: unknown = Array.isArray(required) ? required[0] : undefined;
    assert.ok(typeof argument === 'string', 'the search tool has a required argument');
    const properties = inputSchema?.['properties'];
    const property = isPlainObject(properties) ? properties[argument] : undefined;
    const isList = isPlainObject(property) && property['type'] === 'array';
    return { [argument]: isList && typeof query === 'string' ? [query] : query };
  }

  function assertSound(result: ToolSearchResult, searchable: readonly ToolDefinition[] = tools): void {
    const known = new Set(searchable.map((tool) => tool.name));
    for (const found of result.foundToolNames) assert.ok(known.has(found), `${found} is a searchable tool`);
    assert.equal(new Set(result.foundToolNames).size, result.foundToolNames.length, 'no tool is found twice');
    assert.equal(typeof result.toolResultMessageText, 'string');
    assert.notEqual(result.toolResultMessageText, '', 'the model is told something');
    if (result.found === undefined) return;
    assert.deepEqual(
      result.found.map((one) => one.name),
      result.foundToolNames,
    );
    for (const { score } of result.found) assert.ok(Number.isFinite(score), 'scores are finite');
  }

  /** Searches, and lets the only error through that a model may cause. */
  async function searchOddly(strategy: ToolSearchStrategy, input: unknown): Promise<void> {
    try {
      assertSound(await search(strategy, input));
    } catch (error) {
      if (!isToolgateError(error) || error.code !== 'search-arguments') throw error;
      assert.notEqual(error.message, '', 'the model is told what is wrong');
      assert.ok(error.message.length < 5_000, 'a long input is not repeated in full');
    }
  }

  describe(`${name} as a search strategy`, () => {
    it('offers a tool with a name, a description and a required argument, the same each time', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      const offered = strategy.getToolSearchTools(invocation);
      assert.ok(offered.length >= 1);
      for (const tool of offered) {
        assert.match(tool.name, /^[A-Za-z0-9_-]{1,64}$/u);
        assert.ok((tool.description ?? '').length > 0);
        assert.equal(tool.inputSchema['type'], 'object');
      }
      argumentsFor(strategy, 'weather');
      assert.deepEqual(strategy.getToolSearchTools(invocation), offered);
    });

    it('finds a tool, with arguments as an object and as JSON text', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      const input = argumentsFor(strategy, 'weather');
      const result = await search(strategy, input);
      assertSound(result);
      assert.ok(result.foundToolNames.includes('get_weather'));
      assert.deepEqual(await search(strategy, JSON.stringify(input)), result);
    });

    it('gives the same for the same, also after other searches', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      const first = await search(strategy, argumentsFor(strategy, 'weather'));
      await search(strategy, argumentsFor(strategy, 'mail'), tools.slice(1, 3));
      assert.deepEqual(await search(strategy, argumentsFor(strategy, 'weather')), first);
      const other = await subject.create({ maxResults: 5 });
      assert.deepEqual(await search(other, argumentsFor(other, 'weather')), first);
    });

    it('keeps to its limit, and its best are the best of a higher limit', async () => {
      const one = await subject.create({ maxResults: 1 });
      const three = await subject.create({ maxResults: 3 });
      const best = await search(one, argumentsFor(one, 'weather'));
      const more = await search(three, argumentsFor(three, 'weather'));
      assert.equal(best.foundToolNames.length, 1);
      assert.ok(more.foundToolNames.length <= 3);
      assert.equal(more.foundToolNames[0], best.foundToolNames[0]);
    });

    it('finds only what is searchable now', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      await search(strategy, argumentsFor(strategy, 'weather'));
      const fewer = tools.filter((tool) => tool.name !== 'get_weather');
      const result = await search(strategy, argumentsFor(strategy, 'weather'), fewer);
      assertSound(result, fewer);
      const nothing = await search(strategy, argumentsFor(strategy, 'weather'), []);
      assert.deepEqual(nothing.foundToolNames, []);
      assertSound(nothing, []);
    });

    it('sees a changed description', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      await search(strategy, argumentsFor(strategy, 'weather'));
      const changed: ToolDefinition[] = [{ name: 'plain', description: 'the weather', inputSchema: schema }];
      assert.deepEqual((await search(strategy, argumentsFor(strategy, 'weather'), changed)).foundToolNames, ['plain']);
    });

    it('leaves the tools as they are', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      const before = structuredClone(tools);
      await search(strategy, argumentsFor(strategy, 'weather'));
      assert.deepEqual(tools, before);
    });

    it('answers anything a model may send, or says what is wrong', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      for (const input of oddInputs) await searchOddly(strategy, input);
      for (const query of oddQueries) {
        await searchOddly(strategy, argumentsFor(strategy, query));
        await searchOddly(strategy, JSON.stringify(argumentsFor(strategy, query)));
      }
      const after = await search(strategy, argumentsFor(strategy, 'weather'));
      assert.ok(after.foundToolNames.includes('get_weather'));
    });

    it('does not start when it is already given up', async () => {
      const strategy = await subject.create({ maxResults: 5 });
      const reason = new Error('given up');
      const [tool] = strategy.getToolSearchTools(invocation);
      const call = { toolCallId: '1', toolName: tool?.name ?? '', input: argumentsFor(strategy, 'weather') };
      const signal = AbortSignal.abort(reason);
      await assert.rejects(async () => strategy.search({ call, searchableTools: tools, invocation, signal }), reason);
    });
  });
}
