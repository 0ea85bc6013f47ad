import { isPlainObject } from '../core/json.ts';
import type { MastraChunk } from './mastra-types.ts';

/**
 * Calls whose arguments are no JSON, by their ids, with what stands in place of it. Mastra mends what comes in pieces (`{"amount":1` of
 * `{"amount":100}`) and would run it; here the pieces of a reply are read again, so that such a call is answered and not run.
 */
export function brokenInputsOf(chunks: readonly MastraChunk[]): ReadonlyMap<string, string> {
  const pieces = new Map<string, string>();
  for (const { type, payload } of chunks) {
    if (type !== 'tool-call-delta' || !isPlainObject(payload)) continue;
    const { toolCallId, argsTextDelta } = payload;
    if (typeof toolCallId !== 'string' || typeof argsTextDelta !== 'string') continue;
    pieces.set(toolCallId, (pieces.get(toolCallId) ?? '') + argsTextDelta);
  }
  for (const [toolCallId, text] of pieces) if (text.trim() === '' || isJson(text)) pieces.delete(toolCallId);
  return pieces;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
