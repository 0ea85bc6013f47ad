import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { searchStrategyContract } from '../testing/search-contract.ts';
import type { ToolSearchResult } from './port.ts';
import { SimpleToolSearchStrategy } from './simple-strategy.ts';

searchStrategyContract({ describe, it }, 'SimpleToolSearchStrategy', {
  create: (options) => new SimpleToolSearchStrategy(options),
});

const invocation = { id: 'test', attributes: {} };

function tool(name: string, description?: string): ToolDefinition {
  return { name, description, inputSchema: { type: 'object', properties: {} } };
}

const tools = [
  tool('getWeather', 'Forecast for a city'),
  tool('bookFlight', 'Books a flight to a city'),
  tool('bookHotel', 'Books a room'),
  tool('cancel'),
];

function search(
  strategy: SimpleToolSearchStrategy,
  input: unknown,
  searchableTools = tools,
): Promise<ToolSearchResult> {
  return strategy.search({
    call: { toolCallId: '1', toolName: 'tool_search_tool', input },
    searchableTools,
    invocation,
  });
}

describe('SimpleToolSearchStrategy', () => {
  it('offers the tool of the original', () => {
    const [offered] = new SimpleToolSearchStrategy().getToolSearchTools(invocation);
    expect(offered).toMatchObject({
      name: 'tool_search_tool',
      description: 'Finds available tools whose name or description contains given search terms',
      inputSchema: {
        type: 'object',
        properties: {
          terms: {
            type: 'array',
            items: { type: 'string' },
            description: 'A list of individual search terms (single words) used to find relevant tools',
          },
        },
        required: ['terms'],
      },
    });
  });

  it('gives 2 for the name and 1 for the description, over all terms, ties in the order of the tools', async () => {
    const result = await search(new SimpleToolSearchStrategy(), { terms: ['book', 'CITY'] });
    // bookFlight: 2 + 1 + 1, bookHotel: 2 + 1, getWeather: 1.
    expect(result.found).toEqual([
      { name: 'bookFlight', score: 4 },
      { name: 'bookHotel', score: 3 },
      { name: 'getWeather', score: 1 },
    ]);
    expect(result.toolResultMessageText).toBe('Tools found: bookFlight, bookHotel, getWeather');
    const tied = await search(new SimpleToolSearchStrategy(), '{"terms":["room","forecast"]}');
    expect(tied.foundToolNames).toEqual(['getWeather', 'bookHotel']);
  });

  it('splits, trims, lower-cases and de-duplicates terms', async () => {
    const result = await search(new SimpleToolSearchStrategy(), { terms: ['  Room\tROOM ', '', null, 'room'] });
    expect(result.found).toEqual([{ name: 'bookHotel', score: 1 }]);
    const number = await search(new SimpleToolSearchStrategy(), { terms: [42] }, [tool('route42')]);
    expect(number.foundToolNames).toEqual(['route42']);
  });

  it('says so when nothing matches', async () => {
    for (const terms of [[], ['xyz']]) {
      const result = await search(new SimpleToolSearchStrategy(), { terms });
      expect(result).toMatchObject({ foundToolNames: [], toolResultMessageText: 'No matching tools found' });
    }
  });

  it('keeps to maxResults and minScore', async () => {
    const strategy = new SimpleToolSearchStrategy({ maxResults: 1, minScore: 3 });
    expect((await search(strategy, { terms: ['book'] })).foundToolNames).toEqual(['bookFlight']);
    expect((await search(strategy, { terms: ['city'] })).foundToolNames).toEqual([]);
  });

  it.each([
    ['{}', "Missing required tool argument 'terms'"],
    ['{"terms":null}', "Missing required tool argument 'terms'"],
    ['{"terms":"book"}', "Tool argument 'terms' must be an array of strings"],
    ['{"terms":', "Failed to parse tool search arguments: '{\"terms\":' (base64: 'eyJ0ZXJtcyI6')"],
  ])('refuses %s in the words of the original', async (input, message) => {
    await expect(search(new SimpleToolSearchStrategy(), input)).rejects.toMatchObject({
      code: 'search-arguments',
      message,
    });
  });

  it('marks the error that shall end the loop', async () => {
    const strategy = new SimpleToolSearchStrategy({ throwToolArgumentsExceptions: true });
    await expect(search(strategy, '{}')).rejects.toMatchObject({ data: { argument: 'terms', abort: true } });
    await expect(search(new SimpleToolSearchStrategy(), '{}')).rejects.toMatchObject({ data: { argument: 'terms' } });
  });

  it('takes own texts', async () => {
    const strategy = new SimpleToolSearchStrategy({
      toolName: 'find',
      toolDescription: 'd',
      toolArgumentName: 'words',
      toolArgumentDescription: 'w',
      toolResultMessageText: (names) => names.join('+'),
    });
    expect(strategy.getToolSearchTools(invocation)[0]).toMatchObject({
      name: 'find',
      description: 'd',
      inputSchema: { properties: { words: { description: 'w' } }, required: ['words'] },
    });
    expect((await search(strategy, { words: ['book'] })).toolResultMessageText).toBe('bookFlight+bookHotel');
  });

  it('lets a subclass change each step', async () => {
    class Shouting extends SimpleToolSearchStrategy {
      protected override extractTerms(argumentsJson: string): readonly string[] {
        return super.extractTerms(argumentsJson).map((term) => `${term}!`);
      }
      protected override clean(terms: readonly string[]): readonly string[] {
        return super.clean(terms.map((term) => term.replace('!', '')));
      }
      protected override score(one: ToolDefinition, terms: readonly string[]): number {
        return one.name === 'cancel' ? 9 : super.score(one, terms);
      }
    }
    expect((await search(new Shouting(), { terms: ['room'] })).foundToolNames).toEqual(['cancel', 'bookHotel']);
  });
});
