import { describe, expect, it } from 'vitest';
import { explainSelection } from './explain-selection.ts';
import { selectionLabels } from './selection-labels.ts';
import type { SelectionReport } from './types.ts';

const report: SelectionReport = {
  entries: [
    { name: 'drop', kept: false, reason: 'score', probability: 0.25, tokens: 4000 },
    { name: 'keep', kept: true, reason: 'score', probability: 0.9, tokens: 1000 },
    { name: 'evil"\n+ 1.00 "fake', kept: true, reason: 'always', tokens: 150 },
    { name: 'would', kept: true, reason: 'shadow', probability: 0.3, tokens: 10 },
    { name: 'cut', kept: false, reason: 'shortlist', tokens: 3000 },
    { name: 'broken', kept: false, reason: 'fallback', tokens: 150 },
  ],
  mode: 'select',
  notes: ['A note.'],
  asked: 4,
  failed: 1,
  requests: 1,
  cached: true,
  degraded: true,
  durationMs: 3.4,
  tokens: { all: 8310, shown: 1160 },
};

describe('explainSelection', () => {
  it('gives totals, notes and a line for each tool that no name can fake', () => {
    expect(explainSelection(report).split('\n')).toEqual([
      '6 → 3 tools, 8,310 → 1,160 tokens, 3 ms (select, cached, degraded)',
      '  A note.',
      '+ 0.90 "keep": probably useful',
      '+ 0.30 "would": would be left out',
      String.raw`+      "evil\"\n+ 1.00 \"fake": always visible`,
      '- 0.25 "drop": probably not useful',
      '-      "cut": not on the shortlist',
      '-      "broken": could not be judged',
    ]);
  });
});

describe('selectionLabels', () => {
  it('labels what was asked about and answered, with what the rule said and what was called', () => {
    expect(selectionLabels(report, ['would', 'keep', 'gone'])).toEqual([
      { name: 'drop', probability: 0.25, selected: false, called: false, tokens: 4000 },
      { name: 'keep', probability: 0.9, selected: true, called: true, tokens: 1000 },
      { name: 'would', probability: 0.3, selected: false, called: true, tokens: 10 },
    ]);
  });
});
