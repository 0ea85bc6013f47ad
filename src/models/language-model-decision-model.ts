import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { DecisionModel } from '../decision/port.ts';
import { frameworkDecisionModel } from './framework-model.ts';
import type { FrameworkDecisionModelOptions } from './framework-options.ts';
import { decisionPrompt, readDecisionText } from './language-model-prompt.ts';

/** A language model of the AI SDK (`LanguageModelV2`, `V3` or `V4`), as far as it is used. */
export interface LanguageModelLike {
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** Options of {@link languageModelDecisionModel}. */
export interface LanguageModelDecisionModelOptions extends FrameworkDecisionModelOptions {
  /** Passed on as it is, for example to choose a service tier: `{ openai: { serviceTier: 'priority' } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Default 0, so that answers repeat. `null`: not sent, for models that refuse it. */
  readonly temperature?: number | null | undefined;
  /** How much the model thinks first, in the AI SDK's words. Default `none`: a selection must be quick. `null`: not sent. */
  readonly reasoning?: string | null | undefined;
}

/**
 * Any chat model of the AI SDK as a decision model: one structured answer with a number for each question, the conversation marked as data. Such numbers
 * are estimates in words, not read from the model's output distribution, so they are coarser than those of a decision model: measure
 * before choosing a threshold. A value that is missing or no number from 0 to 1 counts as refused; a text that is no JSON object fails the request.
 * The model's `doGenerate` is called directly: no tools, no telemetry and no stream of a surrounding call. Throws `invalid-option` for anything else.
 */
export function languageModelDecisionModel(
  model: LanguageModelLike,
  options: LanguageModelDecisionModelOptions = {},
): DecisionModel {
  if (typeof model?.doGenerate !== 'function') {
    throw new ToolgateError(
      'invalid-option',
      'Not a language model of the AI SDK: expected an object with doGenerate (a name alone is not enough).',
      {
        data: { option: 'model' },
      },
    );
  }
  const callable = model as unknown as { doGenerate(options: unknown): PromiseLike<unknown> };
  const temperature = options.temperature === undefined ? 0 : options.temperature;
  const reasoning = options.reasoning === undefined ? 'none' : options.reasoning;
  return frameworkDecisionModel(
    {
      provider: model.provider,
      modelId: model.modelId,
      accepts: () => true,
      async ask(request, abortSignal) {
        const { system, user, schema } = decisionPrompt(request);
        const result = await callable.doGenerate({
          prompt: [
            { role: 'system', content: system },
            { role: 'user', content: [{ type: 'text', text: user }] },
          ],
          responseFormat: { type: 'json', schema, name: 'answers', description: 'A number for each question.' },
          ...(temperature === null ? {} : { temperature }),
          ...(reasoning === null ? {} : { reasoning }),
          ...(options.providerOptions === undefined ? {} : { providerOptions: options.providerOptions }),
          abortSignal,
        });
        if (!isPlainObject(result)) return undefined;
        const response = isPlainObject(result['response']) ? result['response'] : {};
        return {
          answers: readDecisionText(request, textOf(result)),
          modelId: response['modelId'],
          usage: readUsage(result['usage']),
        };
      },
    },
    options,
  );
}

function textOf(result: Record<string, unknown>): string {
  if (typeof result['structuredOutputText'] === 'string') return result['structuredOutputText'];
  if (!Array.isArray(result['content'])) return '';
  return (result['content'] as readonly unknown[])
    .map((part) =>
      isPlainObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join('');
}

/** A number in `LanguageModelV2`, an object with a total since. */
function readUsage(usage: unknown): unknown {
  if (!isPlainObject(usage)) return undefined;
  const total = (value: unknown): unknown => (isPlainObject(value) ? value['total'] : value);
  return { inputTokens: total(usage['inputTokens']), outputTokens: total(usage['outputTokens']) };
}
