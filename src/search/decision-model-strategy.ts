import { ToolgateError } from '../core/errors.ts';
import { askAboutTools } from '../decision/ask-about-tools.ts';
import type { ToolAnswers } from '../decision/ask-about-tools.ts';
import type { DecisionModel } from '../decision/port.ts';
import { createQuestionTemplate } from '../decision/question-template.ts';
import type { QuestionTemplate } from '../decision/question-template.ts';
import type { FoundTool } from './port.ts';
import type { SearchToolOptions } from './search-tool-options.ts';
import { checkCount } from './search-tool-options.ts';
import { TextQueryToolSearchStrategy } from './text-query-strategy.ts';
import type { RankRequest } from './text-query-strategy.ts';

/** Options of {@link DecisionModelToolSearchStrategy}. */
export interface DecisionModelToolSearchOptions extends SearchToolOptions {
  readonly decisionModel: DecisionModel;
  /** The question about each tool; `{{name}}` is required, `{{description}}` and `{{parameters}}` are optional. */
  readonly questionTemplate?: string | undefined;
  /** Tools with a lower probability are not found, 0 to 1. Default: what the model recommends, else 0.5. */
  readonly minProbability?: number | undefined;
  /** Questions in one request. Default: as many as the model takes. */
  readonly maxToolsPerDecisionRequest?: number | undefined;
  /** Requests at the same time. Default 4. */
  readonly maxParallelRequests?: number | undefined;
}

/**
 * Lets a model search by asking a decision model about every tool whether it is useful for the task. The input is the query alone, as a user message.
 * (LangChain4j: `DecisionModelToolSearchStrategy`.) Questions that fail or are refused cost their tool only; when all fail, `rank` throws the model's
 * error, and the search service falls back to words.
 */
export class DecisionModelToolSearchStrategy extends TextQueryToolSearchStrategy {
  readonly #options: DecisionModelToolSearchOptions;
  readonly #template: QuestionTemplate;
  readonly #minProbability: number;

  constructor(options: DecisionModelToolSearchOptions) {
    super(options, {
      toolDescription: 'Finds available tools that can help with a task',
      toolArgumentName: 'query',
      toolArgumentDescription: 'Natural language description of the task',
    });
    this.#options = options;
    this.#template = createQuestionTemplate(options.questionTemplate);
    const minProbability = options.minProbability ?? recommended(options.decisionModel);
    if (!(minProbability >= 0 && minProbability <= 1)) {
      throw new ToolgateError('invalid-option', `minProbability must be from 0 to 1, but is ${minProbability}.`, {
        data: { option: 'minProbability' },
      });
    }
    this.#minProbability = minProbability;
    if (options.maxToolsPerDecisionRequest !== undefined) {
      checkCount('maxToolsPerDecisionRequest', options.maxToolsPerDecisionRequest);
    }
    if (options.maxParallelRequests !== undefined) checkCount('maxParallelRequests', options.maxParallelRequests);
  }

  /** `score` is the probability that the tool is useful, 0 to 1. */
  override async rank({ query, tools, signal }: RankRequest): Promise<readonly FoundTool[]> {
    if (tools.length === 0) return [];
    const answers = await askAboutTools(
      this.#options.decisionModel,
      {
        input: query,
        inputBytes: new TextEncoder().encode(JSON.stringify(query)).length,
        questions: tools.map(this.#template),
        context: { messages: [{ role: 'user', content: query }], catalogue: tools },
      },
      {
        maxPerRequest: this.#options.maxToolsPerDecisionRequest,
        maxParallel: this.#options.maxParallelRequests ?? 4,
        signal: signal ?? new AbortController().signal,
      },
    );
    throwWhenNothingAnswered(answers);
    const found: FoundTool[] = [];
    for (const [place, tool] of tools.entries()) {
      const score = answers.probabilities[place] as number;
      if (score >= this.#minProbability) found.push({ name: tool.name, score });
    }
    return found.sort((a, b) => b.score - a.score);
  }
}

function throwWhenNothingAnswered({ probabilities, failures }: ToolAnswers): void {
  const [failure] = failures;
  if (failure !== undefined && probabilities.every(Number.isNaN)) throw failure.error;
}

function recommended(model: DecisionModel): number {
  const rule = model.recommended;
  if (rule === undefined) return 0.5;
  return 'keep' in rule ? (rule.keep.minProbability ?? 0.5) : rule.minProbability;
}
