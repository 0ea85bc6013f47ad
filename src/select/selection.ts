import type { ToolDefinition } from '../core/tool.ts';
import type { DecisionUsage, SelectionRule } from '../decision/port.ts';
import { toolTokens } from './tool-tokens.ts';
import type { SelectionEntry, SelectionReason, SelectionReport } from './types.ts';

/** Which of the given tools the model shall see. */
export interface Selection {
  /** Positions in the given tools, ascending: the order of the tools is never changed. */
  readonly kept: readonly number[];
  /** What was decided and why. Made when it is first read. */
  readonly report: SelectionReport;
}

/** A selection while it is being made: one entry for each tool, filled in step by step. */
export interface SelectionDraft {
  readonly tools: readonly ToolDefinition[];
  readonly kept: Uint8Array;
  readonly reasons: (SelectionReason | undefined)[];
  /** NaN where no question was put or answered. */
  readonly probabilities: Float64Array;
  readonly notes: string[];
  mode: SelectionReport['mode'];
  asked: number;
  failed: number;
  requests: number;
  cached: boolean;
  degraded: boolean;
  modelId: string | undefined;
  usage: DecisionUsage | undefined;
}

/** A draft in which nothing is decided yet. */
export function startDraft(tools: readonly ToolDefinition[]): SelectionDraft {
  const reasons: (SelectionReason | undefined)[] = [];
  for (let position = 0; position < tools.length; position += 1) reasons.push(undefined);
  return {
    tools,
    kept: new Uint8Array(tools.length),
    reasons,
    probabilities: new Float64Array(tools.length).fill(Number.NaN),
    notes: [],
    mode: 'select',
    asked: 0,
    failed: 0,
    requests: 0,
    cached: false,
    degraded: false,
    modelId: undefined,
    usage: undefined,
  };
}

/** Decides about one tool. */
export function settle(draft: SelectionDraft, position: number, kept: boolean, reason: SelectionReason): void {
  draft.kept[position] = kept ? 1 : 0;
  draft.reasons[position] = reason;
}

/** Decides about all tools that are not decided yet. */
export function settleRest(draft: SelectionDraft, kept: boolean, reason: SelectionReason): void {
  draft.reasons.forEach((before, position) => {
    if (before === undefined) settle(draft, position, kept, reason);
  });
}

/** What the report says beside the draft. */
export interface ReportContext {
  readonly rule: SelectionRule;
  readonly provider: string;
  readonly modelId: string;
  readonly durationMs: number;
  /** Sizes, where they are known already. */
  readonly tokensOf?: ((position: number) => number) | undefined;
}

/** The finished selection of a draft. The draft must not be changed afterwards. */
export function finishSelection(draft: SelectionDraft, context: ReportContext): Selection {
  const kept: number[] = [];
  for (let position = 0; position < draft.tools.length; position += 1) {
    if (draft.kept[position] === 1) kept.push(position);
  }
  let report: SelectionReport | undefined;
  return {
    kept,
    get report() {
      return (report ??= makeReport(draft, context));
    },
  };
}

function makeReport(draft: SelectionDraft, context: ReportContext): SelectionReport {
  const tokensOf =
    context.tokensOf ?? ((position: number): number => toolTokens(draft.tools[position] as ToolDefinition));
  let all = 0;
  let shown = 0;
  const entries = draft.tools.map((tool, position): SelectionEntry => {
    const tokens = tokensOf(position);
    const kept = draft.kept[position] === 1;
    const probability = draft.probabilities[position] as number;
    all += tokens;
    if (kept) shown += tokens;
    return {
      name: tool.name,
      kept,
      reason: draft.reasons[position] ?? 'kept-unasked',
      ...(Number.isNaN(probability) ? {} : { probability }),
      tokens,
    };
  });
  return {
    entries,
    mode: draft.mode,
    notes: draft.notes,
    rule: context.rule,
    model: { provider: context.provider, modelId: draft.modelId ?? context.modelId },
    ...(draft.usage === undefined ? {} : { usage: draft.usage }),
    asked: draft.asked,
    failed: draft.failed,
    requests: draft.requests,
    cached: draft.cached,
    degraded: draft.degraded,
    durationMs: context.durationMs,
    tokens: { all, shown },
  };
}
