import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { DecisionModel, DecisionRequest, Question } from '../decision/port.ts';
import { frameworkDecisionModel } from './framework-model.ts';
import type { FrameworkDecisionModelOptions } from './framework-options.ts';

/** A decision model of the AI SDK (`DecisionModelV4`, also under its old name with `doEvaluate`), as far as it is used. */
export interface AiSdkDecisionModelLike {
  readonly provider: string;
  readonly modelId: string;
  readonly supportedQuestionTypes: readonly string[];
  doDecide?(options: never): PromiseLike<unknown>;
  doEvaluate?(options: never): PromiseLike<unknown>;
}

/**
 * A decision model of the AI SDK, for example `openai.decisionModel('gpt-6-luna')`. Its `doDecide` is called directly: no telemetry of the surrounding
 * call is inherited, and where the AI SDK's own function throws away all answers for one refusal, the others are kept. An answer that is missing
 * counts as refused. Throws `invalid-option` for anything else than such a model.
 */
export function aiSdkDecisionModel(
  model: AiSdkDecisionModelLike,
  options: FrameworkDecisionModelOptions = {},
): DecisionModel {
  const decide = typeof model?.doDecide === 'function' ? 'doDecide' : 'doEvaluate';
  const call = model?.[decide] as ((options: unknown) => PromiseLike<unknown>) | undefined;
  if (typeof call !== 'function' || !Array.isArray(model.supportedQuestionTypes)) {
    throw new ToolgateError(
      'invalid-option',
      'Not a decision model of the AI SDK: expected doDecide and supportedQuestionTypes.',
      {
        data: { option: 'model' },
      },
    );
  }
  return frameworkDecisionModel(
    {
      provider: model.provider,
      modelId: model.modelId,
      accepts: (question) => model.supportedQuestionTypes.includes(types[question.type]),
      async ask(request, abortSignal) {
        const state = [
          typeof request.input === 'string'
            ? { type: 'text', text: request.input }
            : { type: 'json', value: request.input },
        ];
        const questions = Object.fromEntries(
          Object.entries(request.questions).map(([id, question]) => [id, encodeQuestion(question)]),
        );
        return decode(request, await call.call(model, { state, questions, abortSignal }));
      },
    },
    options,
  );
}

const types = { 'yes-no': 'boolean', choice: 'choice', scale: 'score' } as const;

function encodeQuestion(question: Question): unknown {
  switch (question.type) {
    case 'yes-no': {
      const { text, yesWhen, noWhen } = question;
      const criteria = {
        ...(yesWhen === undefined ? {} : { true: yesWhen }),
        ...(noWhen === undefined ? {} : { false: noWhen }),
      };
      return { type: 'boolean', instructions: text, ...(Object.keys(criteria).length === 0 ? {} : { criteria }) };
    }
    case 'choice':
      return { type: 'choice', instructions: question.text, criteria: question.options };
    default:
      return {
        type: 'score',
        instructions: question.text,
        criteria: question.levels.map(({ label, description }) =>
          description === undefined ? label : `${label}: ${description}`,
        ),
      };
  }
}

function decode(request: DecisionRequest, result: unknown): unknown {
  if (!isPlainObject(result) || !isPlainObject(result['answers'])) return undefined;
  const given = result['answers'];
  const answers = Object.entries(request.questions).map(([id, question]): readonly [string, unknown] => {
    const answer = Object.hasOwn(given, id) ? given[id] : undefined;
    return [id, isPlainObject(answer) ? decodeAnswer(question, answer) : (answer ?? { type: 'refusal' })];
  });
  const response = isPlainObject(result['response']) ? result['response'] : {};
  return { answers: Object.fromEntries(answers), modelId: response['modelId'], usage: result['usage'] };
}

function decodeAnswer(question: Question, answer: Record<string, unknown>): unknown {
  const { type, probabilities } = answer;
  if (type === 'refusal') return { type };
  if (type !== types[question.type]) return { type: 'another type' };
  switch (question.type) {
    case 'yes-no':
      return { type: 'yes-no', probability: answer['probability'] };
    case 'choice':
      return { type: 'choice', value: answer['choice'], probabilities: probabilities ?? {} };
    default: {
      const levels = isPlainObject(probabilities)
        ? question.levels.map((_, index) => probabilities[String(index)] ?? 0)
        : [];
      return { type: 'scale', mean: answer['score'], probabilities: levels };
    }
  }
}
