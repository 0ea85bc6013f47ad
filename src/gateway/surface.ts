import type { JsonObject } from '../core/json.ts';
import type { ToolClass } from './tool-class.ts';

/** The fixed tools of the `search` mode. No tool behind the gateway may take one of these names. */
export const surfaceNames = {
  search: 'search_tools',
  describe: 'describe_tool',
  read: 'call_read_tool',
  write: 'call_write_tool',
  destructive: 'call_destructive_tool',
  confirmation: 'get_confirmation',
} as const;

/** All names of the fixed surface. */
export const reservedNames: readonly string[] = Object.values(surfaceNames);

/** The entry through which tools of a class are called. */
export function entryOf(toolClass: ToolClass): string {
  return surfaceNames[toolClass];
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
  readonly [key: string]: unknown;
}

/** What the surface says of the servers behind it. From the configuration only, so that the list never changes by itself. */
export interface SurfaceServer {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The fixed tools, in a fixed order. The same for every connection, as the protocol demands. */
export function fixedSurface(servers: readonly SurfaceServer[]): readonly ListedTool[] {
  const behind = servers
    .map((server) => (server.description === undefined ? server.name : `${server.name} (${server.description})`))
    .join(', ');
  return [
    {
      name: surfaceNames.search,
      title: 'Search tools',
      description:
        `Finds tools for a task. Behind this server stand: ${behind === '' ? 'no servers yet' : behind}. ` +
        'Say in `query` what you want to do, in a few words; put what matters of the conversation into `context`. ' +
        'Each hit comes with its input schema and with the tool to call it through. Search again with other words when nothing fits.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, description: 'What you want to do, for example "write a file".' },
          context: { type: 'string', description: 'What the conversation is about, where it helps to choose.' },
          server: { type: 'string', description: 'Only tools of this server.' },
          limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Most hits. Default 5.' },
        },
        required: ['query'],
        additionalProperties: false,
      },
      annotations: { title: 'Search tools', readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    {
      name: surfaceNames.describe,
      title: 'Describe a tool',
      description:
        'Gives the full definition of one tool that a search has found: description, input and output schema, hints, and how to call it.',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', description: 'The name as a search gave it.' } },
        required: ['name'],
        additionalProperties: false,
      },
      annotations: { title: 'Describe a tool', readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    callEntry('read', 'Call a reading tool', 'Calls a tool that only reads.', {
      readOnlyHint: true,
      openWorldHint: true,
    }),
    callEntry(
      'write',
      'Call a writing tool',
      'Calls a tool that adds or changes something but does not destroy or overwrite.',
      {
        readOnlyHint: false,
        destructiveHint: false,
        openWorldHint: true,
      },
    ),
    callEntry(
      'destructive',
      'Call a destructive tool',
      'Calls a tool that may destroy or overwrite, or of which nobody trustworthy says what it does.',
      {
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: true,
      },
    ),
    confirmationEntry(),
  ];
}

function callEntry(toolClass: ToolClass, title: string, sentence: string, hints: JsonObject): ListedTool {
  return {
    name: surfaceNames[toolClass],
    title,
    description:
      `${sentence} Use it for tools whose search hit says so. ` +
      'Some calls wait for a person: the answer then says so and how to fetch the result. Do not repeat a call that waits.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool as a search gave it.' },
        arguments: { type: 'object', description: 'Its arguments, as its input schema says.' },
        new: {
          type: 'boolean',
          description:
            'true: a call of its own, even when the same one with the same arguments waits or has just run. Default false.',
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { title, ...hints },
  };
}

/** The one fixed tool that is there in every mode: without it the result of a waiting call could not be fetched. */
export function confirmationEntry(): ListedTool {
  return {
    name: surfaceNames.confirmation,
    title: 'Get a confirmation',
    description:
      'Says where a call stands that waits for a person: still waiting, refused, or done with its result. ' +
      'Call it with the id that the waiting call gave. It never runs a call that was not approved, and never runs one twice.',
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'The id of the confirmation.' },
        waitSeconds: {
          type: 'number',
          minimum: 0,
          maximum: 45,
          description: 'How long to wait for the decision at most. Default 0.',
        },
      },
      required: ['id'],
      additionalProperties: false,
    },
    annotations: {
      title: 'Get a confirmation',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** What a client is told about the gateway when it connects, where the fixed tools are listed. */
export const surfaceInstructions: string =
  'This server stands in front of other servers. Search for a tool with search_tools, then call it through the entry that the hit names ' +
  '(call_read_tool, call_write_tool or call_destructive_tool). A call that needs a person is answered with an id: tell the user that it waits, ' +
  'and fetch the result with get_confirmation after it was decided.';

/** The same, where every tool is listed under its own name. */
export const listInstructions: string =
  'This server stands in front of other servers. A call that needs a person is answered with an id: tell the user that it waits, ' +
  'and fetch the result with get_confirmation after it was decided.';
