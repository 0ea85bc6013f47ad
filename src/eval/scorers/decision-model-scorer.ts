import { messageText } from '../../core/message.ts';
import type { ToolDefinition } from '../../core/tool.ts';
import type { DecisionModel, Question } from '../../decision/port.ts';
import type { Scorer } from './scorer.ts';

/**
 * Ranks by the probability that a decision model gives for every tool, asked as the selection asks: the conversation and the
 * catalogue in `context`, each tool in `about`. Refused questions count as 0. For models that take any number of questions.
 */
export function createDecisionModelScorer(
  name: string,
  model: DecisionModel,
  tools: readonly ToolDefinition[],
): Scorer {
  const questions = tools.map((tool): [string, Question] => [
    '',
    { type: 'yes-no', text: `Is the tool ${tool.name} useful for what the user asks now?`, about: { tool } },
  ]);
  for (const [position, entry] of questions.entries()) entry[0] = `t${position}`;
  const every = Object.fromEntries(questions);
  return {
    name,
    version: model.modelId,
    rule: model.recommended,
    async score({ messages, candidates, signal }) {
      const asked =
        candidates === undefined
          ? every
          : Object.fromEntries(candidates.map((position) => questions[position] as [string, Question]));
      const input = messages.map((message) => `${message.role}: ${messageText(message)}`).join('\n');
      const { answers } = await model.decide(
        { input, questions: asked, context: { messages, catalogue: tools } },
        { signal },
      );
      const probabilities = new Float64Array(tools.length);
      for (const position of candidates ?? tools.keys()) {
        const id = `t${position}`;
        const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
        if (answer?.type === 'yes-no') probabilities[position] = answer.probability;
      }
      return { scores: probabilities, probabilities };
    },
  };
}
