import type { Catalogue } from '../catalog/types.ts';
import type { SelectionReport } from '../select/types.ts';

const made = new WeakMap<Catalogue, SelectionReport>();

/** The report of a gate that does not select: everything is shown. The same one for the same catalogue. */
export function reportAll(catalogue: Catalogue): SelectionReport {
  const known = made.get(catalogue);
  if (known !== undefined) return known;
  const report = makeReport(catalogue);
  made.set(catalogue, report);
  return report;
}

function makeReport(catalogue: Catalogue): SelectionReport {
  const tokens = catalogue.tools.reduce((sum, tool) => sum + tool.tokens, 0);
  return {
    entries: catalogue.tools.map((tool) => ({
      name: tool.name,
      kept: true,
      reason: tool.direct ? 'direct' : 'kept-unasked',
      tokens: tool.tokens,
    })),
    mode: 'skip',
    notes: ['Selection is switched off.'],
    asked: 0,
    failed: 0,
    requests: 0,
    cached: false,
    degraded: false,
    durationMs: 0,
    tokens: { all: tokens, shown: tokens },
  };
}
