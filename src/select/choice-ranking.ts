import type { DecisionContext } from '../decision/port.ts';
import type { ToolAnswers } from '../decision/ask-about-tools.ts';
import type { SelectionQuestions, SelectionScores } from './decide-selection.ts';
import type { ResolvedSelectionOptions } from './select-options.ts';

export async function rankByChoice(
  _prepared: SelectionQuestions,
  _context: DecisionContext,
  _options: ResolvedSelectionOptions,
  _signal: AbortSignal,
): Promise<SelectionScores & Pick<ToolAnswers, 'requests' | 'modelId' | 'usage'>> {
  throw new Error('not there yet');
}
