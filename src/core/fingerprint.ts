import { canonicalJson } from './canonical-json.ts';
import { digestText } from './digest.ts';
import type { Digest } from './digest.ts';
import type { ToolDefinition } from './tool.ts';

/**
 * Identifies what a tool is and whose it is: its own name, title, description, schemas and the five known hints, and its
 * server's identity. Independent of the order of keys, of fields that clients in between drop, and of the exposed name.
 * When it changes, decisions and rules made for the tool no longer count.
 */
export function fingerprintTool(tool: ToolDefinition): Digest {
  const hints = tool.annotations ?? {};
  return digestText(
    canonicalJson(
      [
        'toolgate-tool-1',
        tool.server?.identity ?? null,
        tool.name,
        tool.title ?? null,
        tool.description ?? null,
        tool.inputSchema,
        tool.outputSchema ?? null,
        [
          hints.title ?? null,
          hints.readOnlyHint ?? null,
          hints.destructiveHint ?? null,
          hints.idempotentHint ?? null,
          hints.openWorldHint ?? null,
        ],
      ],
      { mode: 'lenient' },
    ),
  );
}
