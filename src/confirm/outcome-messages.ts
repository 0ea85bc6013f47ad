import type { RegisteredTool } from '../catalog/types.ts';
import type { Message, MessagePart } from '../core/message.ts';
import type { Outcome } from '../core/outcome.ts';
import { resultText } from '../core/result.ts';
import type { ContentBlock, ReturnBehavior } from '../core/tool.ts';

/** The tool message that answers a reply: one result for each call, in the model's order, in the shape of the AI SDK. */
export function outcomeMessages(outcomes: readonly Outcome[]): readonly Message[] {
  if (outcomes.length === 0) return [];
  return [{ role: 'tool', content: outcomes.map(toolResultPart) }];
}

/** One call's result as a message part. */
export function toolResultPart(outcome: Outcome): MessagePart {
  return { type: 'tool-result', toolCallId: outcome.toolCallId, toolName: outcome.toolName, output: outputOf(outcome) };
}

function outputOf(outcome: Outcome): unknown {
  const { result, note, status } = outcome;
  const text = resultText(result);
  if (status === 'denied') return { type: 'execution-denied', reason: text };
  const ended = status === 'succeeded' || status === 'responded';
  if (!ended || result.isError === true)
    return { type: 'error-text', value: note === undefined ? text : `${note}\n${text}` };
  const onlyText = result.content.every((block) => block.type === 'text');
  if (note === undefined && result.structured !== undefined && onlyText)
    return { type: 'json', value: result.structured };
  if (note === undefined && onlyText) return { type: 'text', value: text };
  const notes = note === undefined ? [] : [{ type: 'text', text: note }];
  return { type: 'content', value: [...notes, ...result.content.map(contentPart)] };
}

function contentPart(block: ContentBlock): unknown {
  if (block.type === 'text') return { type: 'text', text: block.text ?? '' };
  if ((block.type === 'image' || block.type === 'audio') && block.data !== undefined) {
    return { type: 'file', mediaType: block.mimeType ?? block.type, data: { type: 'data', data: block.data } };
  }
  return { type: 'text', text: JSON.stringify(block) };
}

/**
 * Whether the results go to the caller: every tool says `immediate`, or the last one `immediate-if-last`; and every call
 * succeeded, since anything else is for the model to read.
 */
export function isReturnDirect(outcomes: readonly Outcome[], behaviors: ReadonlyMap<string, ReturnBehavior>): boolean {
  const last = outcomes.at(-1);
  if (last === undefined || outcomes.some((outcome) => outcome.status !== 'succeeded')) return false;
  if (behaviors.get(last.key) === 'immediate-if-last') return true;
  return outcomes.every(
    (outcome) => behaviors.get(outcome.key) === 'immediate' || behaviors.get(outcome.key) === 'immediate-if-last',
  );
}

/** What a tool says of its results. */
export function returnBehaviorOf(tool: RegisteredTool | undefined): ReturnBehavior {
  return tool?.tool.returnBehavior ?? 'to-model';
}
