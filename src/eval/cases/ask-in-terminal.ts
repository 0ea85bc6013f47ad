import { autocompleteMultiselect, isCancel, note, select } from '@clack/prompts';
import { messageText } from '../../core/message.ts';
import { safeLine } from '../../text/safe-plain.ts';
import type { LabelAnswer, LabelQuestion } from './label-cases.ts';

/** How many of the last messages are shown. */
const SHOWN_MESSAGES = 6;

/** Asks a person at the terminal. Escape or Ctrl-C stops; what was answered before is kept. */
export async function askInTerminal(question: LabelQuestion): Promise<LabelAnswer> {
  const { draft, number, total, choices, marked } = question;
  const lines = draft.messages
    .slice(-SHOWN_MESSAGES)
    .map((message) => `${message.role === 'user' ? 'person' : 'model '}  ${safeLine(messageText(message))}`);
  if (draft.messages.length > SHOWN_MESSAGES) lines.unshift(`… ${draft.messages.length - SHOWN_MESSAGES} earlier`);
  if (draft.unknown.length > 0)
    lines.push(`called, but not in the catalogue: ${draft.unknown.map((name) => safeLine(name)).join(', ')}`);
  note(lines.join('\n'), `${number} of ${total}`);
  const names = new Map(choices.map((tool) => [tool.id, safeLine(tool.definition.name)]));
  const calledNames = marked.map((id) => names.get(id) ?? safeLine(id)).join(', ');
  const first = await select<'called' | 'choose' | 'none' | 'skip' | 'stop'>({
    message: 'Which tools are useful after the last message?',
    options: [
      ...(marked.length === 0 ? [] : [{ value: 'called' as const, label: `what was called: ${calledNames}` }]),
      { value: 'none', label: 'none: no tool fits' },
      { value: 'choose', label: 'choose from the catalogue' },
      { value: 'skip', label: 'skip' },
      { value: 'stop', label: 'stop' },
    ],
  });
  if (isCancel(first) || first === 'stop') return 'stop';
  if (first === 'skip') return 'skip';
  if (first === 'none') return { relevant: [] };
  if (first === 'called') return { relevant: marked };
  const chosen = await autocompleteMultiselect<string>({
    message: 'Mark the useful tools; type to search',
    options: choices.map((tool) => ({
      value: tool.id,
      label: safeLine(tool.definition.name),
      hint: safeLine((tool.definition.description ?? '').slice(0, 80)),
    })),
    initialValues: [...marked],
    maxItems: 12,
  });
  return isCancel(chosen) ? 'stop' : { relevant: chosen };
}
