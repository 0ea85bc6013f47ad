import type { RegisteredTool } from '../catalog/types.ts';
import type { JsonObject } from '../core/json.ts';
import { entryOf } from './surface.ts';
import { toolClass } from './tool-class.ts';
import type { ToolClass } from './tool-class.ts';

/** A tool as search hits, descriptions and the HTTP interface show it. */
export interface DescribedTool extends JsonObject {
  readonly name: string;
  readonly title?: string;
  readonly server?: string;
  readonly class: ToolClass;
  readonly callWith: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly score?: number;
}

/** What a model needs to call a tool: its schema, what it may do, and the entry to call it through. */
export function describeTool(
  registered: RegisteredTool,
  options?: { readonly full?: boolean; readonly score?: number },
): DescribedTool {
  const { definition, tool, name } = registered;
  const kind = toolClass(tool);
  return {
    name,
    ...(definition.title === undefined ? {} : { title: definition.title }),
    ...(tool.server === undefined ? {} : { server: tool.server.name }),
    class: kind,
    callWith: entryOf(kind),
    description: definition.description ?? definition.title ?? name,
    inputSchema: definition.inputSchema,
    ...(options?.full === true && definition.outputSchema !== undefined
      ? { outputSchema: definition.outputSchema }
      : {}),
    ...(options?.full === true && definition.annotations !== undefined
      ? { annotations: definition.annotations as JsonObject }
      : {}),
    ...(options?.score === undefined ? {} : { score: Math.round(options.score * 1_000) / 1_000 }),
  };
}
