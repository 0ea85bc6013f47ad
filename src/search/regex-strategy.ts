import { fieldTexts } from '../index/fields.ts';
import { compilePattern } from '../text/linear-pattern.ts';
import type { LinearPattern, StepBudget } from '../text/linear-pattern.ts';
import type { ToolDefinition } from '../core/tool.ts';
import type { FoundTool } from './port.ts';
import { searchArgumentsError } from './search-arguments.ts';
import type { SearchToolOptions } from './search-tool-options.ts';
import { TextQueryToolSearchStrategy } from './text-query-strategy.ts';
import type { RankRequest } from './text-query-strategy.ts';

/** What is read of one field of one tool. */
const longestField = 5_000;
/** Steps for all tools of one search: about half a second. */
const stepsPerSearch = 20_000_000;

/**
 * Lets a model search with a regular expression. The expression never reaches the platform's backtracking engine: it is matched by one that follows all
 * possibilities at once, with an upper limit on the work. A match in the name gives 2, in the description 1, in names and
 * descriptions of parameters 1 (once). What the engine does not know is answered with `search-arguments` that says where and why.
 */
export class RegexToolSearchStrategy extends TextQueryToolSearchStrategy {
  readonly #abort: boolean;

  constructor(options: SearchToolOptions = {}) {
    super(options, {
      toolDescription: 'Finds available tools whose name, description or parameters match a regular expression',
      toolArgumentName: 'pattern',
      toolArgumentDescription: 'Regular expression, case-insensitive, for example "(create|update)_issue"',
    });
    this.#abort = options.throwToolArgumentsExceptions ?? false;
  }

  /** `score` is 1 to 4. */
  override async rank({ query, tools }: RankRequest): Promise<readonly FoundTool[]> {
    const compiled = compilePattern(query);
    if (!compiled.ok) {
      throw searchArgumentsError(
        'pattern',
        `The search pattern cannot be used: at position ${compiled.position} it has ${compiled.problem}. Use a simpler pattern.`,
        this.#abort,
      );
    }
    const budget: StepBudget = { left: stepsPerSearch };
    const found: FoundTool[] = [];
    for (const tool of tools) {
      const score = scoreTool(tool, compiled.pattern, budget);
      if (budget.left <= 0) {
        throw searchArgumentsError(
          'pattern',
          'The search pattern takes too much work. Use a simpler pattern.',
          this.#abort,
        );
      }
      if (score > 0) found.push({ name: tool.name, score });
    }
    return found.sort((a, b) => b.score - a.score);
  }
}

function scoreTool(tool: ToolDefinition, pattern: LinearPattern, budget: StepBudget): number {
  const texts = fieldTexts(tool);
  const matches = (text: string): boolean => text !== '' && pattern.test(text.slice(0, longestField), budget);
  let score = 0;
  if (matches(tool.name)) score += 2;
  else if (texts.aliases.split('\n').some(matches)) score += 2;
  if (matches(texts.description)) score += 1;
  if (matches(texts.parameterNames) || matches(texts.parameterDescriptions)) score += 1;
  return score;
}
