import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { DecisionModel, DecisionRequest, Question, ScaleQuestion } from '../decision/port.ts';
import { invalidResponse } from '../decision/validate-response.ts';
import { readEnvironment } from './environment.ts';
import { httpDecisionModel, optionKey, serviceUrl } from './http-model.ts';
import type { HttpDecisionModelOptions } from './http-options.ts';

const openAiUrl = 'https://api.openai.com/v1';

/** Options of {@link openAiDecisionModel}. */
export interface OpenAiDecisionModelOptions extends HttpDecisionModelOptions {
  /** Default `gpt-6-luna`. */
  readonly model?: string | undefined;
  /** Everything before `/decisions`. Default `OPENAI_BASE_URL`, else `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** Groups requests with the same start for the service's prompt cache. */
  readonly promptCacheKey?: string | undefined;
}

/**
 * A decision model of OpenAI (`POST {baseUrl}/decisions`) or a host of the same form. Takes 400 questions in one request. Without `apiKey`,
 * `OPENAI_API_KEY` is read, for OpenAI's address and `OPENAI_BASE_URL` only. Throws `invalid-option` for options that cannot be used.
 */
export function openAiDecisionModel(options: OpenAiDecisionModelOptions = {}): DecisionModel {
  const environmentUrl = readEnvironment('OPENAI_BASE_URL');
  const baseUrl = options.baseUrl ?? environmentUrl ?? openAiUrl;
  const modelId = options.model ?? 'gpt-6-luna';
  const url = serviceUrl(baseUrl, '/decisions');
  const origin = new URL(baseUrl).origin;
  const isVendors = [openAiUrl, environmentUrl].some(
    (known) => known !== undefined && URL.canParse(known) && new URL(known).origin === origin,
  );
  return httpDecisionModel(
    {
      provider: 'openai',
      modelId,
      url,
      limits: { maxQuestions: 400, maxOptions: 255 },
      apiKey() {
        const key = optionKey(options.apiKey) ?? (isVendors ? readEnvironment('OPENAI_API_KEY') : undefined);
        if (key !== undefined || !isVendors) return key;
        throw new ToolgateError('invalid-option', 'OpenAI needs a key: give the option apiKey or set OPENAI_API_KEY.', {
          data: { option: 'apiKey' },
        });
      },
      keyHint: 'Check the option apiKey or OPENAI_API_KEY.',
      encode: (request) => encode(modelId, request, options.promptCacheKey),
      decode,
    },
    options,
  );
}

function encode(model: string, request: DecisionRequest, promptCacheKey: string | undefined): unknown {
  return {
    model,
    input: typeof request.input === 'string' ? request.input : JSON.stringify(request.input),
    questions: Object.entries(request.questions).map(([name, question]) => encodeQuestion(name, question)),
    ...(promptCacheKey === undefined ? {} : { prompt_cache_key: promptCacheKey }),
  };
}

function encodeQuestion(name: string, question: Question): unknown {
  switch (question.type) {
    case 'yes-no': {
      // Predicates have no field for criteria, so these become part of the instructions.
      const yes = question.yesWhen === undefined ? '' : `\nAnswer yes when: ${question.yesWhen}`;
      const no = question.noWhen === undefined ? '' : `\nAnswer no when: ${question.noWhen}`;
      return { type: 'predicate', name, instructions: `${question.text}${yes}${no}` };
    }
    case 'choice':
      return {
        type: 'choice',
        name,
        instructions: question.text,
        choices: Object.entries(question.options).map(([value, description]) =>
          description === null ? { value } : { value, description },
        ),
      };
    default:
      return {
        type: 'score',
        name,
        instructions: question.text,
        levels: question.levels.map(({ label, description }) =>
          description === undefined ? { label } : { label, description },
        ),
      };
  }
}

/** Answers come as a list, in the questions' order, with the name or null. */
function decode(request: DecisionRequest, body: unknown): unknown {
  if (!isPlainObject(body) || !Array.isArray(body['answers'])) return undefined;
  const ids = Object.keys(request.questions);
  const answers = new Map<string, unknown>();
  (body['answers'] as readonly unknown[]).forEach((answer, position) => {
    const name: unknown = isPlainObject(answer) ? (answer['name'] ?? ids[position]) : undefined;
    if (typeof name !== 'string') throw invalidResponse('openai', 'an answer belongs to no question');
    const question = Object.hasOwn(request.questions, name) ? request.questions[name] : undefined;
    if (question === undefined) throw invalidResponse('openai', 'an answer to a question that was not put');
    if (answers.has(name)) throw invalidResponse('openai', 'two answers to one question', name);
    answers.set(name, decodeAnswer(question, answer as Record<string, unknown>));
  });
  const usage = isPlainObject(body['usage']) ? body['usage'] : {};
  return {
    answers: Object.fromEntries(answers),
    modelId: body['model'],
    usage: { inputTokens: usage['input_tokens'], outputTokens: usage['output_tokens'] },
  };
}

const types = { 'yes-no': 'predicate', choice: 'choice', scale: 'score' } as const;

function decodeAnswer(question: Question, answer: Record<string, unknown>): unknown {
  const { type, confidence } = answer;
  if (type === 'refusal') return { type };
  if (type !== types[question.type]) return { type: 'another type' };
  switch (question.type) {
    case 'yes-no':
      return { type: 'yes-no', probability: answer['probability'] };
    case 'choice':
      return {
        type: 'choice',
        value: answer['choice'],
        probabilities: choiceProbabilities(answer['probabilities']),
        confidence,
      };
    default:
      return {
        type: 'scale',
        mean: answer['score'],
        probabilities: levelProbabilities(question, answer['probabilities']),
        confidence,
      };
  }
}

function choiceProbabilities(given: unknown): unknown {
  if (given === undefined || given === null) return {};
  if (!Array.isArray(given)) return 'not a list';
  const probabilities = new Map<string, unknown>();
  for (const entry of given as readonly unknown[]) {
    const value = isPlainObject(entry) ? entry['value'] : undefined;
    if (typeof value !== 'string' || probabilities.has(value)) return 'an option without a name, or twice';
    probabilities.set(value, (entry as Record<string, unknown>)['probability']);
  }
  return Object.fromEntries(probabilities);
}

function levelProbabilities(question: ScaleQuestion, given: unknown): unknown {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) return 'not a list';
  if (given.length === 0) return [];
  const probabilities: unknown[] = question.levels.map(() => 0);
  const seen = new Set<number>();
  for (const entry of given as readonly unknown[]) {
    const value = isPlainObject(entry) ? entry['value'] : undefined;
    if (!Number.isInteger(value) || seen.has(value as number)) return 'a level without an index, or twice';
    if ((value as number) < 0 || (value as number) >= probabilities.length) return 'a level that does not exist';
    seen.add(value as number);
    probabilities[value as number] = (entry as Record<string, unknown>)['probability'];
  }
  return probabilities;
}
