import type { JsonSchema, ToolDefinition } from '../core/tool.ts';
import { isPlainObject } from '../core/json.ts';
import type { Answer, DecisionModel, DecisionRequest, DecisionResponse, Question } from '../decision/port.ts';
import { readConversation } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { contentTerms } from './first-terms.ts';

/**
 * The decision model that ships with the package: no key, no network. For every question about a tool it gives the
 * probability that the tool is useful in the conversation.
 */
export function localDecisionModel(): DecisionModel {
  return {
    provider: 'toolgate',
    modelId: 'local-0',
    batching: 'none',
    recommended: { keep: { expectedRecall: 0.9, maxTools: 20 } },
    decide(request, { signal }) {
      return new Promise((resolve) => {
        signal.throwIfAborted();
        resolve(answer(request));
      });
    },
  };
}

interface ToolIndex {
  readonly terms: ReadonlyMap<ToolDefinition, ReadonlySet<string>>;
  readonly documentFrequency: ReadonlyMap<string, number>;
  readonly count: number;
}

const indexes = new WeakMap<readonly ToolDefinition[], ToolIndex>();

function indexOf(catalogue: readonly ToolDefinition[]): ToolIndex {
  const known = indexes.get(catalogue);
  if (known !== undefined) return known;
  const terms = new Map<ToolDefinition, ReadonlySet<string>>();
  const documentFrequency = new Map<string, number>();
  for (const tool of catalogue) {
    const own = new Set(contentTerms([tool.name, tool.description ?? '', ...schemaTexts(tool.inputSchema)].join(' ')));
    terms.set(tool, own);
    for (const term of own) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
  }
  const index = { terms, documentFrequency, count: catalogue.length };
  indexes.set(catalogue, index);
  return index;
}

function schemaTexts(schema: JsonSchema): string[] {
  const properties = schema['properties'];
  if (!isPlainObject(properties)) return [];
  return Object.entries(properties).map(([name, value]) =>
    isPlainObject(value) && typeof value['description'] === 'string' ? `${name} ${value['description']}` : name,
  );
}

function answer(request: DecisionRequest): DecisionResponse {
  const conversation: Conversation =
    request.context === undefined
      ? { last: typeof request.input === 'string' ? request.input : JSON.stringify(request.input), before: [] }
      : readConversation(request.context.messages);
  const catalogue = request.context?.catalogue ?? [];
  const index = indexOf(catalogue);
  const weights = queryWeights(conversation, index);
  const answers: Record<string, Answer> = Object.create(null) as Record<string, Answer>;
  for (const [id, question] of Object.entries(request.questions)) answers[id] = answerOne(question, index, weights);
  return { answers, modelId: 'local-0' };
}

function queryWeights(conversation: Conversation, index: ToolIndex): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, share: number): void => {
    for (const term of new Set(contentTerms(text))) {
      const frequency = index.documentFrequency.get(term) ?? 0;
      const rarity = Math.log(1 + (index.count - frequency + 0.5) / (frequency + 0.5));
      weights.set(term, Math.max(weights.get(term) ?? 0, share * rarity));
    }
  };
  add(conversation.last, 1);
  for (const [age, turn] of conversation.before.entries()) add(turn.text, 0.6 ** (1 + age / 2));
  return weights;
}

function answerOne(question: Question, index: ToolIndex, weights: ReadonlyMap<string, number>): Answer {
  if (question.type === 'scale') return { type: 'refusal' };
  if (question.type === 'yes-no') {
    const tool = question.about?.tool;
    const terms =
      (tool === undefined ? undefined : index.terms.get(tool)) ??
      new Set(contentTerms(tool === undefined ? question.text : `${tool.name} ${tool.description ?? ''}`));
    return { type: 'yes-no', probability: probability(terms, weights) };
  }
  const options = Object.entries(question.options).map(
    ([name, description]) =>
      [name, probability(new Set(contentTerms(`${name} ${description ?? ''}`)), weights) + 1e-6] as const,
  );
  const total = options.reduce((sum, [, value]) => sum + value, 0);
  const best = options.reduce((a, b) => (b[1] > a[1] ? b : a));
  return {
    type: 'choice',
    value: best[0],
    probabilities: Object.fromEntries(options.map(([name, value]) => [name, value / total])),
  };
}

function probability(terms: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let held = 0;
  let all = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (terms.has(term)) held += weight;
  }
  const coverage = all === 0 ? 0 : held / all;
  return 1 / (1 + Math.exp(-(-4 + 9 * coverage)));
}
