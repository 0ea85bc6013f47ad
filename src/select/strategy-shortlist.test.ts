import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { Bm25ToolSearchStrategy } from '../search/bm25-strategy.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { createToolSelector } from './select-tools.ts';
import { strategyShortlist } from './strategy-shortlist.ts';

const nouns = ['harbour', 'tide', 'invoice', 'contract', 'telescope', 'garden'];
const tools: readonly ToolDefinition[] = Array.from({ length: 3000 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Reads the ${nouns[index % nouns.length] ?? ''} table number ${index}.`,
  inputSchema: { type: 'object' },
}));

describe('strategyShortlist', () => {
  it('makes thousands of tools cost one request, the named and the best-matching ones in it', async () => {
    const decisionModel = scriptedDecisionModel({ otherwise: 1, limits: { maxQuestions: 64 } });
    const selector = createToolSelector({
      decisionModel,
      shortlist: strategyShortlist(new Bm25ToolSearchStrategy(), { size: 64 }),
    });
    const { kept, report } = await selector.select(tools, {
      messages: [],
      userMessage: { role: 'user', content: 'Compare the telescope data with tool_2999' },
    });
    expect(decisionModel.requests).toHaveLength(1);
    expect(kept).toHaveLength(64);
    expect(kept).toContain(2999);
    expect(kept.filter((position) => position % 6 !== 4)).toEqual([2999]);
    expect(report.asked).toBe(64);
  });

  it('ignores names that are not there, and refuses a size below 1', async () => {
    const shortlist = strategyShortlist({
      rank: () =>
        Promise.resolve([
          { name: 'nobody', score: 1 },
          { name: 'tool_1', score: 1 },
        ]),
    });
    expect(await shortlist.rank(tools, 'x', { signal: new AbortController().signal })).toEqual([1]);
    expect(() => strategyShortlist(new Bm25ToolSearchStrategy(), { size: 0 })).toThrow('at least 1');
  });
});
