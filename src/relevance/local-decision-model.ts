import { checkDecisionRequest } from '../decision/decision-request.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type {
  Answer,
  DecisionModel,
  DecisionRequest,
  DecisionResponse,
  Question,
  SelectionRule,
} from '../decision/port.ts';
import { catalogueProfile } from './catalogue-profile.ts';
import type { CatalogueProfile } from './catalogue-profile.ts';
import { maximumCharacters, readConversation } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { createEmbeddingFeature } from './embedding-feature.ts';
import type { EmbedTexts } from './embedding-feature.ts';
import { explainScores } from './explain.ts';
import type { Explanation } from './explain.ts';
import { weightsVersion } from './generated/coefficients.ts';
import { loadWordEmbedder } from './load-vectors.ts';
import { readCalibration, recommendedRule } from './recommended.ts';
import { scoreCatalogue } from './scorer.ts';
import type { Calibration, Scores } from './scorer.ts';

/** Options of {@link localDecisionModel}. */
export interface LocalDecisionModelOptions {
  /** Uses the shipped word vectors (about 4 MB, read at the first decision). Without them the lexical features work alone. Default true. */
  readonly vectors?: boolean | undefined;
  /** An embedding model of the host's as one more feature; mends what the shipped model cannot do, above all other languages than English. */
  readonly embed?: EmbedTexts | undefined;
  /** Two numbers that fit the probabilities to a deployment, as `toolgate tune` finds them. */
  readonly calibration?: Calibration | undefined;
  /** In place of the recommended rule. */
  readonly rule?: SelectionRule | undefined;
}

/** A {@link DecisionModel} that can say why. */
export interface LocalDecisionModel extends DecisionModel {
  /** What each feature adds to each tool's score, best tools first. `limit` defaults to 10. */
  explain(
    request: DecisionRequest,
    options: { readonly signal: AbortSignal; readonly limit?: number | undefined },
  ): Promise<Explanation>;
}

/**
 * The decision model that ships with the package: no key, no network, no native code. For every question about a tool it gives the
 * probability that the tool is useful in the conversation: a logistic regression over lexical features and small word vectors.
 *
 * It reads `context` and `about`; without them it takes the input as the message and the question's own text as the tool. `choice` questions are
 * answered over the tools behind the options, else over the options' texts; `scale` questions are refused. It knows English: see
 * `embed` for other languages. Results are the same from run to run. Throws `invalid-option` for a calibration that is out of range.
 */
export function localDecisionModel(options: LocalDecisionModelOptions = {}): LocalDecisionModel {
  const calibration = readCalibration(options.calibration);
  const embedding = options.embed === undefined ? undefined : createEmbeddingFeature(options.embed);
  const useVectors = options.vectors ?? true;

  async function score(
    conversation: Conversation,
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
  ): Promise<{ profile: CatalogueProfile; scores: Scores }> {
    signal.throwIfAborted();
    const profile = catalogueProfile(tools);
    const embedder = useVectors ? await loadWordEmbedder() : undefined;
    const similarities = await embedding?.similarities(profile, conversation, signal);
    signal.throwIfAborted();
    return { profile, scores: scoreCatalogue(profile, conversation, embedder, calibration, similarities) };
  }

  return {
    provider: 'toolgate',
    modelId: weightsVersion,
    batching: 'none',
    recommended: options.rule ?? recommendedRule,
    async decide(request, { signal }): Promise<DecisionResponse> {
      signal.throwIfAborted();
      checkDecisionRequest(request);
      const conversation = conversationOf(request);
      const catalogue = catalogueOf(request);
      const { profile, scores } = await score(conversation, catalogue, signal);
      const entries: [string, Answer][] = [];
      for (const [id, question] of Object.entries(request.questions)) {
        entries.push([id, await answer(question, profile, scores, (tools) => score(conversation, tools, signal))]);
      }
      return { answers: Object.fromEntries(entries), modelId: weightsVersion };
    },
    async explain(request, { signal, limit }) {
      const { profile, scores } = await score(conversationOf(request), catalogueOf(request), signal);
      return explainScores(profile, scores, limit ?? 10);
    },
  };
}

type ScoreTools = (tools: readonly ToolDefinition[]) => Promise<{ profile: CatalogueProfile; scores: Scores }>;

async function answer(
  question: Question,
  profile: CatalogueProfile,
  scores: Scores,
  scoreTools: ScoreTools,
): Promise<Answer> {
  if (question.type === 'scale') return { type: 'refusal' };
  if (question.type === 'yes-no') {
    const tool = question.about?.tool ?? textTool('', [question.text, question.yesWhen ?? ''].join(' '));
    const place = profile.place(tool);
    if (place !== undefined) return { type: 'yes-no', probability: scores.probability(place) };
    const own = await scoreTools([tool]);
    return { type: 'yes-no', probability: own.scores.probability(0) };
  }
  const names = Object.keys(question.options);
  const about = question.about?.tools;
  const tools = names.map((name) => {
    const tool = about !== undefined && Object.hasOwn(about, name) ? about[name] : undefined;
    return tool ?? textTool(name, question.options[name] ?? '');
  });
  const places = tools.map((tool) => profile.place(tool));
  let logits: readonly number[];
  if (places.every((place) => place !== undefined)) logits = places.map((place) => scores.logit(place));
  else {
    const own = await scoreTools(tools);
    logits = tools.map((_tool, place) => own.scores.logit(place));
  }
  return choose(names, logits);
}

function choose(names: readonly string[], logits: readonly number[]): Answer {
  const top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return {
    type: 'choice',
    value: names[logits.indexOf(top)] ?? '',
    probabilities: Object.fromEntries(names.map((name, place) => [name, (powers[place] as number) / total])),
  };
}

/** A text in the place of a tool. */
function textTool(name: string, description: string): ToolDefinition {
  return { name, description, inputSchema: { type: 'object' } };
}

function conversationOf(request: DecisionRequest): Conversation {
  if (request.context !== undefined) {
    const conversation = readConversation(request.context.messages);
    if (conversation.last.length > 0) return conversation;
  }
  const text = typeof request.input === 'string' ? request.input : JSON.stringify(request.input);
  return { last: text.slice(0, maximumCharacters), before: [] };
}

const askedTools = new WeakMap<DecisionRequest['questions'], readonly ToolDefinition[]>();

/** The context's catalogue, else the tools that the questions are about. */
function catalogueOf(request: DecisionRequest): readonly ToolDefinition[] {
  if (request.context !== undefined && request.context.catalogue.length > 0) return request.context.catalogue;
  let tools = askedTools.get(request.questions);
  if (tools === undefined) {
    tools = Object.values(request.questions).flatMap((question) =>
      question.type === 'yes-no' && question.about !== undefined
        ? [question.about.tool]
        : question.type === 'choice' && question.about !== undefined
          ? Object.values(question.about.tools)
          : [],
    );
    askedTools.set(request.questions, tools);
  }
  return tools;
}
