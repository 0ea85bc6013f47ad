import { ToolgateError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/json.ts';
import { readAiSdkMessage } from './read-ai-sdk-message.ts';
import { readChatMessage, readResponseItem } from './read-chat-message.ts';
import { readLangChainMessage } from './read-langchain-message.ts';
import { readMcpLog } from './read-mcp-log.ts';
import type { RecordedConversation, RecordedTurn, TurnReader } from './recorded-conversation.ts';

// The forms that show themselves by a type come first; a role alone is the loosest sign.
const readers: readonly TurnReader[] = [readLangChainMessage, readResponseItem, readAiSdkMessage, readChatMessage];

/** Keys under which frameworks keep a conversation's messages. */
const containers: readonly string[] = ['messages', 'items', 'input', 'history', 'conversation'];

/**
 * Reads recorded conversations out of parsed JSON: a list of messages, an object that holds one (`messages`, `items`, …), a list of such
 * objects or lists, or a log of the Model Context Protocol. Messages of unknown forms are left out. Throws `dataset-invalid` when there is no
 * conversation at all.
 * @param file for the error
 */
export function readConversations(value: unknown, file: string): readonly RecordedConversation[] {
  const found = conversationsIn(value, 0);
  if (found.length === 0) {
    throw new ToolgateError(
      'dataset-invalid',
      `${file}, line 1: No conversation found. Known are messages of the AI SDK, OpenAI, Anthropic and LangChain, and logs of the Model Context Protocol.`,
      { data: { file, line: 1 } },
    );
  }
  return found;
}

function conversationsIn(value: unknown, depth: number): readonly RecordedConversation[] {
  if (depth > 4) return [];
  if (isPlainObject(value)) {
    for (const key of containers) {
      if (!Object.hasOwn(value, key)) continue;
      const found = conversationsIn(value[key], depth + 1);
      if (found.length > 0) return found;
    }
    return [];
  }
  if (!Array.isArray(value)) return [];
  const log = readMcpLog(value);
  if (log !== undefined) return [log];
  const turns = turnsOf(value);
  if (turns.some((turn) => turn.role === 'user')) return [{ turns }];
  return value.flatMap((item: unknown) => conversationsIn(item, depth + 1));
}

function turnsOf(messages: readonly unknown[]): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  for (const message of messages) {
    if (!isPlainObject(message)) continue;
    for (const read of readers) {
      const turn = read(message);
      if (turn === undefined) continue;
      if (turn !== null && (turn.text !== '' || turn.calls.length > 0)) turns.push(turn);
      break;
    }
  }
  return turns;
}
