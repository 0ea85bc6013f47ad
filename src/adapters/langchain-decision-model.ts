import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonValue } from '../core/json.ts';
import type { Answer, DecisionModel, Question } from '../decision/port.ts';
import { toGateMessages } from './langchain-messages.ts';
import type { LangchainMessage } from './langchain-types.ts';

/** What is used of `@langchain/core/decisions`: pass the module itself. */
export interface LangchainDecisions<MODEL extends object> {
  readonly BaseDecisionModel: abstract new (fields: { model: string }) => MODEL;
  readonly parseClassifierResponse: (fields: never) => unknown;
}

/**
 * A decision model of this package as one of LangChain.js: `toLangchainDecisionModel(await import('@langchain/core/decisions'), model)`.
 * Of their questions `noul`, `choice` and `score` are answered; `box` throws `decision-model-unsupported`. A refusal leaves its answer out, which LangChain
 * turns into an error. (The other way round: `langchainDecisionModel` of `toolgate/models`.)
 */
export function toLangchainDecisionModel<MODEL extends object>(
  decisions: LangchainDecisions<MODEL>,
  model: DecisionModel,
): MODEL {
  const Base = decisions.BaseDecisionModel as unknown as new (fields: { model: string }) => object;
  class ToolgateDecisionModel extends Base {
    lc_namespace = ['toolgate', 'decisions'];

    get _provider(): string {
      return model.provider;
    }

    async _classify(
      state: unknown,
      questions: Readonly<Record<string, unknown>>,
      config?: { readonly signal?: AbortSignal },
    ): Promise<unknown> {
      const asked = Object.entries(questions).map(([id, question]) => [id, readQuestion(id, question)] as const);
      const { answers, modelId, usage } = await model.decide(
        { input: readState(state), questions: Object.fromEntries(asked) },
        { signal: config?.signal ?? new AbortController().signal },
      );
      const given = asked.flatMap(([id, question]) => {
        const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
        return answer === undefined || answer.type === 'refusal' ? [] : [[id, writeAnswer(question, answer)] as const];
      });
      return decisions.parseClassifierResponse({
        model: modelId ?? model.modelId,
        answers: Object.fromEntries(given),
        usage_metadata:
          usage === undefined ? null : { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      } as never);
    }
  }
  return new ToolgateDecisionModel({ model: model.modelId }) as unknown as MODEL;
}

/** Messages anywhere in the state become what the gate reads. */
function readState(state: unknown): JsonValue {
  if (Array.isArray(state)) return state.map(readState);
  if (typeof state !== 'object' || state === null) return state as JsonValue;
  if (typeof (state as Partial<LangchainMessage>).getType === 'function')
    return toGateMessages([state as LangchainMessage])[0] as unknown as JsonValue;
  return Object.fromEntries(Object.entries(state).map(([key, value]) => [key, readState(value)]));
}

function readQuestion(id: string, question: unknown): Question {
  const { type, instructions, criteria } = isPlainObject(question) ? question : {};
  const text = wordsOf(instructions);
  if (type === 'noul') {
    const { true: yes, false: no } = isPlainObject(criteria) ? criteria : {};
    return {
      type: 'yes-no',
      text,
      ...(yes === undefined ? {} : { yesWhen: wordsOf(yes) }),
      ...(no === undefined ? {} : { noWhen: wordsOf(no) }),
    };
  }
  if (type === 'choice' && isPlainObject(criteria)) {
    const options = Object.entries(criteria).map(([name, words]) => [name, words === null ? null : wordsOf(words)]);
    return { type: 'choice', text, options: Object.fromEntries(options) as Record<string, string | null> };
  }
  if (type === 'score' && Array.isArray(criteria))
    return { type: 'scale', text, levels: criteria.map((level) => ({ label: wordsOf(level) })) };
  throw new ToolgateError(
    'decision-model-unsupported',
    `The question ${JSON.stringify(id)} is of the type ${JSON.stringify(type)}; noul, choice and score can be answered.`,
    { data: { limit: 'questionType' } },
  );
}

function wordsOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

function writeAnswer(question: Question, answer: Answer): unknown {
  if (answer.type === 'yes-no') return { type: 'noul', noul: answer.probability };
  if (answer.type === 'choice') {
    const { value, probabilities, confidence } = answer;
    return { type: 'choice', choice: value, probabilities, confidence: confidence ?? probabilities[value] ?? 0 };
  }
  if (answer.type !== 'scale' || question.type !== 'scale') return { type: answer.type };
  const { mean, probabilities, confidence } = answer;
  return {
    type: 'score',
    score: mean,
    legend: Object.fromEntries(question.levels.map(({ label }, index) => [String(index), label])),
    probabilities: Object.fromEntries(probabilities.map((probability, index) => [String(index), probability])),
    confidence: confidence ?? Math.max(0, ...probabilities),
  };
}
