import { isPlainObject } from './json.ts';
import type { JsonValue } from './json.ts';
import type { ToolResult } from './tool.ts';

/** Wraps what a tool gave back: a result stays as it is, a string becomes text, anything else becomes structured with its JSON as text. */
export function toToolResult(value: unknown): ToolResult {
  if (isToolResult(value)) return value;
  if (typeof value === 'string') return textResult(value);
  if (value === undefined) return { content: [] };
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return textResult(`(a ${typeof value}, which JSON cannot carry)`);
  return { content: [{ type: 'text', text }], structured: JSON.parse(text) as JsonValue };
}

/** A result of one text block. */
export function textResult(text: string, options?: { readonly isError?: boolean }): ToolResult {
  return options?.isError === true
    ? { content: [{ type: 'text', text }], isError: true }
    : { content: [{ type: 'text', text }] };
}

/** All text of a result; the JSON of the structured part when there is no text block. */
export function resultText(result: ToolResult): string {
  const texts: string[] = [];
  for (const block of result.content)
    if (block.type === 'text' && typeof block.text === 'string') texts.push(block.text);
  if (texts.length === 0 && result.structured !== undefined) return JSON.stringify(result.structured);
  return texts.join('\n');
}

function isToolResult(value: unknown): value is ToolResult {
  if (!isPlainObject(value) || !Array.isArray(value['content'])) return false;
  return value['content'].every((block) => isPlainObject(block) && typeof block['type'] === 'string');
}
