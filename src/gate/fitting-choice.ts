import type { Catalogue } from '../catalog/types.ts';
import type { ToolChoice } from './types.ts';

/** The choice, when the catalogue can meet it; else the nearest one that can, with a note. The search tool's own name means the search tool. */
export function fittingChoice(
  choice: ToolChoice,
  catalogue: Catalogue,
  searchNames: readonly string[],
  notes: string[],
): ToolChoice {
  if (typeof choice === 'object') {
    if (searchNames.includes(choice.tool)) return choice;
    const tool = catalogue.resolve(choice.tool);
    if (tool !== undefined) return { tool: tool.name };
    notes.push(notThere(choice.tool));
    return 'auto';
  }
  return choice;
}

/** The same once it is known what is shown: a provider rejects a call that forces what the request does not hold. */
export function choiceAmongShown(choice: ToolChoice, shown: ReadonlySet<string>, notes: string[]): ToolChoice {
  if (typeof choice === 'object' && !shown.has(choice.tool)) {
    notes.push(notThere(choice.tool));
    return 'auto';
  }
  if (choice === 'required' && shown.size === 0) {
    notes.push('A tool was required, but there is none, so nothing is required.');
    return 'auto';
  }
  return choice;
}

function notThere(name: string): string {
  return `The forced tool ${JSON.stringify(name)} is not there, so nothing is forced.`;
}
