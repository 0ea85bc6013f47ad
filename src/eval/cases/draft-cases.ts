import { digestText } from '../../core/digest.ts';
import type { Message } from '../../core/message.ts';
import type { RecordedConversation } from './recorded-conversation.ts';
import type { EvaluationTool } from '../types.ts';

/** A case before a person has said what is right. */
export interface DraftCase {
  /** From the messages: the same conversation gives the same id again, so that labelling can be taken up later. */
  readonly id: string;
  /** Texts of user and assistant up to and with the user message that the case is about. */
  readonly messages: readonly Message[];
  /** Ids of the tools that were called before the next user message. What was called is not always what was right. */
  readonly called: readonly string[];
  /** Called names that are no tool of the catalogue. */
  readonly unknown: readonly string[];
}

/**
 * One draft for each user message: the texts so far, and what was called afterwards. Several user messages in a row count as one question:
 * only the last of them gets a draft.
 */
export function draftCases(
  conversations: readonly RecordedConversation[],
  tools: readonly EvaluationTool[],
): readonly DraftCase[] {
  const idOf = toolFinder(tools);
  const drafts = new Map<string, DraftCase>();
  for (const { turns } of conversations) {
    const messages: Message[] = [];
    for (const [index, turn] of turns.entries()) {
      if (turn.text !== '') messages.push({ role: turn.role, content: turn.text });
      if (turn.role !== 'user' || turn.text === '' || turns[index + 1]?.role === 'user') continue;
      const called = new Set<string>();
      const unknown = new Set<string>();
      for (let next = index + 1; next < turns.length && turns[next]?.role !== 'user'; next++) {
        for (const name of turns[next]?.calls ?? []) {
          const id = idOf(name);
          if (id === undefined) unknown.add(name);
          else called.add(id);
        }
      }
      const id = `recorded-${digestText(JSON.stringify(messages)).replace(/^.*:/, '').slice(0, 16)}`;
      drafts.set(id, { id, messages: [...messages], called: [...called], unknown: [...unknown] });
    }
  }
  return [...drafts.values()];
}

/** A tool by its id, its name, or its name behind its server's (`server__tool` and the like), letters' case and separators aside. */
function toolFinder(tools: readonly EvaluationTool[]): (name: string) => string | undefined {
  const exact = new Map<string, string>();
  const loose = new Map<string, string | null>();
  const addLoose = (name: string, id: string): void => {
    const key = plain(name);
    const before = loose.get(key);
    // A name that could mean two tools means none.
    loose.set(key, before === undefined || before === id ? id : null);
  };
  for (const { id, definition } of tools) {
    exact.set(definition.name, id);
    addLoose(definition.name, id);
    if (definition.server !== undefined) addLoose(`${definition.server.name} ${definition.name}`, id);
  }
  for (const { id } of tools) exact.set(id, id);
  return (name) => exact.get(name) ?? loose.get(plain(name)) ?? undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
