import { isPlainObject } from '../core/json.ts';
import type { Message, MessagePart } from '../core/message.ts';
import type { EvaluationCase } from './types.ts';

/** A case as a line of `cases.jsonl` holds it, or what is wrong with it. */
export type ParsedCase =
  | { readonly ok: true; readonly case: EvaluationCase }
  | { readonly ok: false; readonly problem: string };

/**
 * Checks one line of `cases.jsonl`: `{ id, kind?, messages, relevant, irrelevant?, candidates?, alternatives? }`. Every
 * tool id must be known; a case either names useful tools or says `irrelevant: true`. Unknown keys are ignored.
 */
export function parseEvaluationCase(value: unknown, isKnownTool: (id: string) => boolean): ParsedCase {
  if (!isPlainObject(value)) return wrong('A case must be a JSON object.');
  const { id, kind, messages, relevant, irrelevant, candidates, alternatives } = value;
  if (typeof id !== 'string' || id.trim() === '') return wrong('`id` must be a text that is not blank.');
  const at = `Case ${id}`;
  if (kind !== undefined && typeof kind !== 'string') return wrong(`${at}: \`kind\` must be a text.`);
  const parsed = parseMessages(messages);
  if (typeof parsed === 'string') return wrong(`${at}: ${parsed}`);
  if (irrelevant !== undefined && typeof irrelevant !== 'boolean')
    return wrong(`${at}: \`irrelevant\` must be true or false.`);
  const useful = parseIds(relevant ?? [], isKnownTool);
  if (typeof useful === 'string') return wrong(`${at}: \`relevant\` ${useful}`);
  if (irrelevant === true && useful.length > 0)
    return wrong(`${at}: says \`irrelevant\` and names relevant tools. Keep one.`);
  if (irrelevant !== true && useful.length === 0)
    return wrong(`${at}: names no relevant tool. Say \`"irrelevant": true\` when no tool fits.`);
  const own = candidates === undefined ? undefined : parseIds(candidates, isKnownTool);
  if (typeof own === 'string') return wrong(`${at}: \`candidates\` ${own}`);
  const others = new Map<string, readonly string[]>();
  if (alternatives !== undefined) {
    if (!isPlainObject(alternatives)) return wrong(`${at}: \`alternatives\` must be an object of lists.`);
    for (const [tool, list] of Object.entries(alternatives)) {
      if (!useful.includes(tool)) return wrong(`${at}: \`alternatives\` names ${tool}, which is not in \`relevant\`.`);
      const ids = parseIds(list, isKnownTool);
      if (typeof ids === 'string') return wrong(`${at}: \`alternatives\` of ${tool} ${ids}`);
      others.set(tool, ids);
    }
  }
  return {
    ok: true,
    case: {
      id,
      kind: kind ?? 'case',
      messages: parsed,
      relevant: useful,
      irrelevant: irrelevant === true,
      candidates: own,
      alternatives: others,
    },
  };
}

function parseMessages(value: unknown): readonly Message[] | string {
  if (!Array.isArray(value) || value.length === 0) return '`messages` must be a list with at least one message.';
  const messages: Message[] = [];
  for (const [index, message] of (value as readonly unknown[]).entries()) {
    if (!isPlainObject(message) || typeof message['role'] !== 'string')
      return `message ${index + 1} must be an object with a \`role\`.`;
    const { role } = message;
    // Messages that only call tools have no content in many programs.
    const content = message['content'] ?? '';
    if (typeof content === 'string') messages.push({ role, content });
    else if (Array.isArray(content) && content.every(isPart)) messages.push({ role, content });
    else return `\`content\` of message ${index + 1} must be a text or a list of parts with a \`type\`.`;
  }
  return messages;
}

function isPart(value: unknown): value is MessagePart {
  return isPlainObject(value) && typeof value['type'] === 'string';
}

/** The list without repeats, or what is wrong with it. */
function parseIds(value: unknown, isKnownTool: (id: string) => boolean): readonly string[] | string {
  if (!Array.isArray(value)) return 'must be a list of tool ids.';
  const ids = new Set<string>();
  for (const id of value as readonly unknown[]) {
    if (typeof id !== 'string') return 'must be a list of tool ids.';
    if (!isKnownTool(id)) return `names ${id}, which is no tool of this set. Is it missing in tools.jsonl?`;
    ids.add(id);
  }
  return [...ids];
}

function wrong(problem: string): ParsedCase {
  return { ok: false, problem };
}
