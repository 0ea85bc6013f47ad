import { canonicalJson } from '../core/canonical-json.ts';
import type { JsonValue } from '../core/json.ts';
import { isDestructive, isUnannotated } from './default-policy.ts';
import type { PolicyVerdict, ToolCallConfirmationPolicy } from './types.ts';

/** Ready-made policies. Each says nothing of calls it is not about, so that they can be combined in a list: the most restrictive counts. */

/** Calls of tools that may destroy wait (or are answered with another verdict). */
export function destructive(verdict: PolicyVerdict = 'confirm'): ToolCallConfirmationPolicy {
  return withVersion(`destructive-1:${canonicalJson(verdict)}`, (call) =>
    isDestructive(call.tool.tool) ? verdict : undefined,
  );
}

/** Calls of foreign tools that do not say, or are not believed, what they change wait. */
export function unannotated(verdict: PolicyVerdict = 'confirm'): ToolCallConfirmationPolicy {
  return withVersion(`unannotated-1:${canonicalJson(verdict)}`, (call) =>
    isUnannotated(call.tool.tool) ? verdict : undefined,
  );
}

/** Every call waits. */
export function everything(verdict: PolicyVerdict = 'confirm'): ToolCallConfirmationPolicy {
  return withVersion(`everything-1:${canonicalJson(verdict)}`, () => verdict);
}

/** What the judge needs of a decision model. Every `DecisionModel` fits; this folder does not know that port. */
export interface RiskModel {
  readonly provider: string;
  readonly modelId: string;
  decide(
    request: {
      readonly input: JsonValue;
      readonly questions: Readonly<
        Record<string, { readonly type: 'yes-no'; readonly text: string; readonly yesWhen?: string }>
      >;
    },
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly answers: Readonly<Record<string, { readonly type: string; readonly probability?: number }>> }>;
}

export interface RiskJudgeOptions {
  readonly decisionModel: RiskModel;
  /** What counts as risky, in words. Default: hard to undo, or affects others. */
  readonly riskyWhen?: string;
  /** From this probability on the call waits, 0 to 1. Default 0.5. */
  readonly minProbability?: number;
  /** Milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
}

/**
 * A decision model as judge of risk. It may only raise: below the limit it has no opinion, and a model that fails,
 * refuses or answers badly counts as `confirm`. Arguments are sent to the model; do not use it where they may not go there.
 */
export function riskJudge(options: RiskJudgeOptions): ToolCallConfirmationPolicy {
  const limit = options.minProbability ?? 0.5;
  const model = options.decisionModel;
  const risky =
    options.riskyWhen ??
    'The call is hard to undo, spends money, deletes or publishes something, or affects other people.';
  const version = `risk-judge-1:${canonicalJson([model.provider, model.modelId, limit, risky])}`;
  return withVersion(version, async (call, context) => {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? 5_000);
    const response = await model.decide(
      {
        input: {
          tool: { name: call.toolName, description: call.tool.definition.description ?? '' },
          arguments: canonicalJson(call.arguments, { mode: 'lenient' }),
        },
        questions: {
          q0: { type: 'yes-no', text: 'Should a person confirm this tool call before it runs?', yesWhen: risky },
        },
      },
      { signal: AbortSignal.any([context.signal, timeout]) },
    );
    const answer = response.answers['q0'];
    const probability = answer?.type === 'yes-no' ? answer.probability : undefined;
    if (probability === undefined || !(probability >= 0 && probability <= 1)) {
      return { confirm: { reason: 'The risk of this call could not be judged.' } };
    }
    if (probability < limit) return undefined;
    return { confirm: { reason: `Judged risky with probability ${probability.toFixed(2)}.` } };
  });
}

function withVersion(version: string, policy: ToolCallConfirmationPolicy): ToolCallConfirmationPolicy {
  return Object.assign((...args: Parameters<ToolCallConfirmationPolicy>) => policy(...args), { version });
}
