import { describe, expect, it } from 'vitest';
import { SimpleToolSearchStrategy } from '../../src/index.ts';
import type { Invocation, ToolDefinition } from '../../src/index.ts';

const invocation: Invocation = { id: 'i', attributes: {} };
const define = (name: string, description?: string): ToolDefinition => ({
  name,
  inputSchema: { type: 'object' },
  ...(description === undefined ? {} : { description }),
});

const tools = [
  define('getWeather', 'Current weather of a city'),
  define('getForecast', 'Weather of the coming days'),
  define('bookHotel', 'Books a room in a city'),
  define('cancelHotel', 'Cancels a booking'),
  define('listFlights'),
];

async function find(
  strategy: SimpleToolSearchStrategy,
  terms: unknown,
  searchableTools: readonly ToolDefinition[] = tools,
) {
  return await strategy.search({
    call: { toolCallId: 'c', toolName: 'tool_search_tool', input: JSON.stringify({ terms }) },
    searchableTools,
    invocation,
  });
}

class Open extends SimpleToolSearchStrategy {
  scoreOf(tool: ToolDefinition, terms: readonly string[]): number {
    return this.score(tool, terms);
  }
}

describe('SimpleToolSearchStrategy, as its description promises', () => {
  it('[search.defaults] [search.result] works without options and gives the names of matching searchable tools', async () => {
    const { foundToolNames, toolResultMessageText } = await find(new SimpleToolSearchStrategy(), ['hotel']);
    expect(foundToolNames).toEqual(['bookHotel', 'cancelHotel']);
    expect(toolResultMessageText).toBe('Tools found: bookHotel, cancelHotel');
    expect(await find(new SimpleToolSearchStrategy(), ['spaceship'])).toMatchObject({
      foundToolNames: [],
      toolResultMessageText: 'No matching tools found',
    });
  });

  it('[search.contains] matches by containing, without regard to case', async () => {
    expect((await find(new SimpleToolSearchStrategy(), ['EATHER'])).foundToolNames).toEqual([
      'getWeather',
      'getForecast',
    ]);
  });

  it('[search.name] [search.description] gives 2 for the name and 1 for the description', () => {
    const open = new Open();
    const [weather, forecast] = tools as [ToolDefinition, ToolDefinition];
    expect(open.scoreOf(weather, ['weather'])).toBe(3);
    expect(open.scoreOf(forecast, ['weather'])).toBe(1);
    expect(open.scoreOf(weather, ['get'])).toBe(2);
    expect(open.scoreOf(weather, ['train'])).toBe(0);
  });

  it('[search.terms] [search.accumulate] adds up what every term gives', () => {
    const open = new Open();
    const hotel = tools[2] as ToolDefinition;
    expect(open.scoreOf(hotel, ['book', 'city', 'hotel'])).toBe(2 + 1 + 1 + 2);
  });

  it('[search.rank] ranks by score, descending, keeps the order of equals, and cuts at maxResults', async () => {
    expect((await find(new SimpleToolSearchStrategy(), ['city', 'weather'])).foundToolNames).toEqual([
      'getWeather',
      'getForecast',
      'bookHotel',
    ]);
    expect((await find(new SimpleToolSearchStrategy({ maxResults: 2 }), ['city', 'weather'])).foundToolNames).toEqual([
      'getWeather',
      'getForecast',
    ]);
    const many = Array.from({ length: 9 }, (_, index) => define(`tool${index}`));
    expect((await find(new SimpleToolSearchStrategy(), ['tool'], many)).foundToolNames).toEqual([
      'tool0',
      'tool1',
      'tool2',
      'tool3',
      'tool4',
    ]);
  });

  it('[search.tools] offers the model one tool that takes a list of terms', () => {
    const [definition, ...others] = new SimpleToolSearchStrategy().getToolSearchTools(invocation);
    expect(others).toEqual([]);
    expect(definition).toMatchObject({
      name: 'tool_search_tool',
      description: 'Finds available tools whose name or description contains given search terms',
      inputSchema: { properties: { terms: { type: 'array', items: { type: 'string' } } }, required: ['terms'] },
    });
  });

  it('[search.override] lets a subclass take terms, clean them and score in its own way', async () => {
    class Reversed extends SimpleToolSearchStrategy {
      protected override extractTerms(argumentsJson: string): readonly string[] {
        return (JSON.parse(argumentsJson) as { terms: string }).terms.split(',');
      }
      protected override clean(terms: readonly string[]): readonly string[] {
        return terms.map((term) => term.split('').toReversed().join(''));
      }
      protected override score(tool: ToolDefinition, terms: readonly string[]): number {
        return terms.includes(tool.name) ? 7 : 0;
      }
    }
    const result = await find(new Reversed(), 'letoHkoob,x');
    expect(result.foundToolNames).toEqual(['bookHotel']);
    expect(result.found?.[0]?.score).toBe(7);
  });
});
