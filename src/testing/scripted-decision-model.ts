import type {
  Answer,
  DecisionModel,
  DecisionModelLimits,
  DecisionRequest,
  DecisionResponse,
  Question,
  SelectionRule,
} from '../decision/port.ts';

/** What a scripted decision model does with one request: a response, or any other value, a throw or a promise that never ends. */
export type DecisionScript = (
  request: DecisionRequest,
  options: { readonly signal: AbortSignal; readonly attempt: number },
) => unknown;

/** How a scripted decision model behaves. */
export interface ScriptedDecisionModelOptions {
  /** Probabilities by tool name, for yes/no questions about a tool. `'refuse'`: refused. Default for others: `otherwise`. */
  readonly scores?: Readonly<Record<string, number | 'refuse'>> | undefined;
  /** For tools without a score. Default 0. */
  readonly otherwise?: number | undefined;
  /** Instead of `scores`: does the whole request. */
  readonly script?: DecisionScript | undefined;
  readonly provider?: string | undefined;
  readonly modelId?: string | undefined;
  readonly limits?: DecisionModelLimits | undefined;
  readonly batching?: 'none' | undefined;
  readonly recommended?: SelectionRule | undefined;
}

/** A decision model for tests, and what it was asked. */
export interface ScriptedDecisionModel extends DecisionModel {
  readonly requests: readonly DecisionRequest[];
}

/**
 * A decision model that answers from a table or a function, without a network and without waiting. A choice goes to the option whose tool
 * has the highest score, else to the last option; a scale to its middle.
 */
export function scriptedDecisionModel(options: ScriptedDecisionModelOptions = {}): ScriptedDecisionModel {
  const requests: DecisionRequest[] = [];
  const scores = new Map(Object.entries(options.scores ?? {}));
  const scoreOf = (name: string): number | 'refuse' => scores.get(name) ?? options.otherwise ?? 0;
  return {
    provider: options.provider ?? 'scripted',
    modelId: options.modelId ?? 'scripted-1',
    limits: options.limits,
    batching: options.batching,
    recommended: options.recommended,
    requests,
    async decide(request, { signal }) {
      requests.push(request);
      signal.throwIfAborted();
      if (options.script !== undefined)
        return (await options.script(request, { signal, attempt: requests.length })) as DecisionResponse;
      const answers: Record<string, Answer> = {};
      for (const [id, question] of Object.entries(request.questions)) answers[id] = answer(question, scoreOf);
      return { answers, modelId: options.modelId ?? 'scripted-1' };
    },
  };
}

function answer(question: Question, scoreOf: (name: string) => number | 'refuse'): Answer {
  if (question.type === 'yes-no') {
    const name = question.about?.tool.name;
    const score = name === undefined ? 0 : scoreOf(name);
    return score === 'refuse' ? { type: 'refusal' } : { type: 'yes-no', probability: score };
  }
  if (question.type === 'scale') return { type: 'scale', mean: (question.levels.length - 1) / 2, probabilities: [] };
  const options = Object.keys(question.options);
  const tools = question.about?.tools ?? {};
  const weights = options.map((option) => {
    const tool = Object.hasOwn(tools, option) ? tools[option] : undefined;
    const score = tool === undefined ? 0 : scoreOf(tool.name);
    return score === 'refuse' ? 0 : score;
  });
  // What no tool claims belongs to the last option, which is where a "none" option stands.
  weights[weights.length - 1] = Math.max(weights.at(-1) ?? 0, 1 - weights.reduce((sum, weight) => sum + weight, 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const best = weights.indexOf(Math.max(...weights));
  return {
    type: 'choice',
    value: options[best] as string,
    probabilities: Object.fromEntries(options.map((option, index) => [option, (weights[index] as number) / total])),
  };
}
