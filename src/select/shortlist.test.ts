import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { createToolSelector } from './select-tools.ts';
import type { SelectionOptions } from './select-options.ts';
import { shortlistedPositions } from './shortlist.ts';
import type { Shortlist } from './shortlist.ts';

const tools: readonly ToolDefinition[] = Array.from({ length: 10 }, (_, index) => ({
  name: `tool_${index}`,
  aliases: index === 9 ? ['nine'] : undefined,
  inputSchema: { type: 'object' },
}));

describe('shortlistedPositions', () => {
  it('takes the best-ranked, in the order of the tools', () => {
    expect(shortlistedPositions(tools, 'x', [7, 2, 5], 2)).toEqual([2, 7]);
  });

  it('always has what the text names in full, also over the size', () => {
    expect(shortlistedPositions(tools, 'use tool_3, then (tool_4). And nine!', [7], 2)).toEqual([3, 4, 9]);
    expect(shortlistedPositions(tools, 'tool_33 xtool_3 a.tool_3 tool_3/b', [7, 8], 2)).toEqual([7, 8]);
    expect(shortlistedPositions(tools, '--tool_3-- ...tool_4...', [], 2)).toEqual([3, 4]);
    expect(
      shortlistedPositions([{ name: 'x', aliases: ['nine', 'neuf'], inputSchema: {} }, ...tools], 'neuf', [5], 1),
    ).toEqual([0]);
    expect(shortlistedPositions(tools, '', [0], 1)).toEqual([0]);
  });

  it('fills up with the first of the rest when the ranking names fewer', () => {
    expect(shortlistedPositions(tools, '', [5], 3)).toEqual([0, 1, 5]);
  });

  it('ignores positions that are unknown, repeated or none', () => {
    expect(shortlistedPositions(tools, '', [99, -1, 1.5, Number.NaN, 4, 4], 2)).toEqual([0, 4]);
  });
});

describe('a selection with a shortlist', () => {
  const select = (
    shortlist: Shortlist,
    more?: Partial<SelectionOptions>,
  ): ReturnType<ReturnType<typeof createToolSelector>['select']> =>
    createToolSelector({ decisionModel: scriptedDecisionModel({ otherwise: 1 }), shortlist, ...more }).select(tools, {
      messages: [
        { role: 'user', content: 'earlier' },
        { role: 'assistant', content: 'answer' },
      ],
      userMessage: { role: 'user', content: 'now' },
    });

  it('asks about the shortlist only, ranked by what the user said, and says what was cut', async () => {
    const queries: string[] = [];
    const decisionModel = scriptedDecisionModel({ otherwise: 1 });
    const { kept, report } = await select(
      { size: 2, rank: (_, query) => (queries.push(query), [8, 1]) },
      { decisionModel },
    );
    expect(queries).toEqual(['earlier\nnow']);
    expect(kept).toEqual([1, 8]);
    expect(Object.keys(decisionModel.requests[0]?.questions ?? {})).toHaveLength(2);
    expect(report).toMatchObject({
      asked: 2,
      notes: ['Of 10 tools 2 are on the shortlist; the others were not asked about.'],
    });
    expect(report.entries[0]).toEqual({
      name: 'tool_0',
      kept: false,
      reason: 'shortlist',
      tokens: report.entries[0]?.tokens,
    });
  });

  it('cuts nothing up to its size', async () => {
    const { kept } = await select({ size: 10, rank: () => Promise.reject(new Error('asked')) });
    expect(kept).toHaveLength(10);
  });

  it('asks about everything when the ranking fails', async () => {
    const { kept, report } = await select({ size: 2, rank: () => Promise.reject(new Error('no index')) });
    expect(kept).toHaveLength(10);
    expect(report).toMatchObject({ degraded: true, notes: ['The shortlist failed, so every tool is asked about.'] });
  });

  it('ends with the time limit of the selection', async () => {
    const clock = manualClock();
    const selection = select({ size: 2, rank: () => new Promise(() => {}) }, { clock, timeoutMs: 50 });
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(50);
    expect((await selection).report).toMatchObject({ mode: 'fallback', requests: 0 });
  });
});
