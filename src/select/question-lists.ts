import type { ToolDefinition } from '../core/tool.ts';
import type { DecisionModelLimits, YesNoQuestion } from '../decision/port.ts';
import type { QuestionTemplate } from '../decision/question-template.ts';
import { fitQuestion, questionSize } from '../decision/question-size.ts';

/** The questions about a list of tools. */
export interface QuestionList {
  readonly tools: readonly ToolDefinition[];
  readonly questions: readonly YesNoQuestion[];
  /** Of the largest question; 0 when the model has no such limit. */
  readonly longest: { readonly bytes: number; readonly tokens: number };
}

/** Gives the same list of questions for the same tools. */
export type QuestionLists = (tools: readonly ToolDefinition[]) => QuestionList;

/** How many lists are remembered: the catalogues of some principals and their shortlists. */
const remembered = 8;

/**
 * A conversation asks about the same tools again and again. Lists are compared tool by tool, as objects, so that neither a question is rendered nor a list
 * built twice, and a provider that changes its own array is noticed.
 */
export function createQuestionLists(template: QuestionTemplate, limits: DecisionModelLimits): QuestionLists {
  const limited = limits.maxInputTokens !== undefined || limits.maxRequestBytes !== undefined;
  const lists: QuestionList[] = [];
  return (tools) => {
    const known = lists.findIndex((list) => sameTools(list.tools, tools));
    const list = known < 0 ? makeList(tools, template, limited ? limits : undefined) : (lists[known] as QuestionList);
    if (known !== 0) {
      if (known > 0) lists.splice(known, 1);
      lists.unshift(list);
      lists.length = Math.min(lists.length, remembered);
    }
    return list;
  };
}

function sameTools(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

function makeList(
  tools: readonly ToolDefinition[],
  template: QuestionTemplate,
  limits: DecisionModelLimits | undefined,
): QuestionList {
  const longest = { bytes: 0, tokens: 0 };
  const questions = tools.map((tool) => {
    const question = template(tool);
    if (limits === undefined) return question;
    const fitted = fitQuestion(question, limits);
    const size = questionSize(fitted);
    longest.bytes = Math.max(longest.bytes, size.bytes);
    longest.tokens = Math.max(longest.tokens, size.tokens);
    return fitted;
  });
  return { tools: [...tools], questions, longest };
}
