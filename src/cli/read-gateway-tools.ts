import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonSchema, ToolAnnotations, ToolDefinition } from '../core/tool.ts';
import { connectToGateway } from './gateway-client.ts';
import type { CommandIo } from './io.ts';

/** The tools of a running gateway. */
export async function readGatewayTools(
  gateway: string | undefined,
  state: string | undefined,
  io: CommandIo,
): Promise<ToolDefinition[]> {
  const client = await connectToGateway({ gateway, state }, io);
  const body = await client.request('caller', 'GET', '/api/tools');
  const list: unknown = isPlainObject(body) ? body['tools'] : undefined;
  if (!Array.isArray(list))
    throw new ToolgateError('upstream-failed', `${client.url}/api/tools did not answer with tools.`, {
      data: { server: client.url },
    });
  return list.flatMap((entry: unknown): ToolDefinition[] => {
    if (!isPlainObject(entry) || typeof entry['name'] !== 'string') return [];
    const { name, description, inputSchema, annotations, server } = entry;
    return [
      {
        name,
        inputSchema: isPlainObject(inputSchema) ? (inputSchema as JsonSchema) : { type: 'object' },
        ...(typeof description === 'string' ? { description } : {}),
        ...(isPlainObject(annotations) ? { annotations: annotations as ToolAnnotations } : {}),
        ...(typeof server === 'string' ? { server: { name: server, identity: server } } : {}),
      },
    ];
  });
}
