import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Command } from 'commander';
import { ToolgateError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/json.ts';
import { connectToGateway } from '../gateway-client.ts';
import type { GatewayClientOptions } from '../gateway-client.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { packageVersion } from '../package-version.ts';
import { parseArguments } from '../parse-arguments.ts';

interface CallOptions extends GatewayClientOptions {
  readonly json?: boolean;
  readonly wait: boolean;
}

interface Result {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** `toolgate call`: does what an MCP client would do, for people who try or debug. */
export function addCallCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('call <tool> [arguments...]')
    .description('Call a tool through a running gateway as an MCP client would, and wait when it waits for a person.')
    .option('--gateway <address>', 'the running gateway (default: what the state directory says)')
    .option(
      '--state <directory>',
      'where it keeps its tokens (default: as the configuration here says, else .toolgate)',
    )
    .option('--no-wait', 'do not wait for the decision; print the id and end')
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      '\nArguments: name=value pairs (a value that is JSON is read as JSON), or one JSON object.\nExample: toolgate call write_file path=hello.txt content=Hello',
    )
    .action(async (tool: string, args: string[], options: CallOptions) => end(await call(tool, args, options, io)));
}

async function call(tool: string, args: readonly string[], options: CallOptions, io: CommandIo): Promise<number> {
  const input = parseArguments(args);
  const gateway = await connectToGateway(options, io);
  const client = new Client(
    { name: 'toolgate-cli', version: packageVersion() },
    { versionNegotiation: { mode: 'auto' } },
  );
  const authorization = `Bearer ${await gateway.token('caller')}`;
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit: { headers: { authorization } } }),
  );
  try {
    const { tools } = await client.listTools();
    const ask = async (name: string, parameters: Record<string, unknown>): Promise<Result> =>
      (await client.callTool({ name, arguments: parameters }, { signal: io.signal, timeout: 120_000 })) as Result;
    const listed = tools.some(({ name }) => name === tool);
    let result: Result;
    if (listed) {
      result = await ask(tool, input);
    } else {
      const described = await ask('describe_tool', { name: tool });
      const entry = isPlainObject(described.structuredContent) ? described.structuredContent['callWith'] : undefined;
      if (described.isError === true || typeof entry !== 'string') {
        throw new ToolgateError('unknown-tool', textOf(described), { data: { tool } });
      }
      result = await ask(entry, { name: tool, arguments: input });
    }
    while (options.wait && waitingId(result) !== undefined) {
      io.stderr(`${textOf(result)}\nWaiting … (Ctrl-C ends only the waiting)\n`);
      result = await untilDecided(waitingId(result) as string, ask);
    }
    io.stdout(options.json === true ? `${JSON.stringify(result, null, 2)}\n` : `${textOf(result)}\n`);
    return result.isError === true ? exitCodes.no : exitCodes.ok;
  } finally {
    await client.close();
  }
}

async function untilDecided(
  id: string,
  ask: (name: string, parameters: Record<string, unknown>) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const result = await ask('get_confirmation', { id, waitSeconds: 30 });
    if (waitingId(result) === undefined) return result;
  }
}

/** The id of what a result waits for, when it waits. */
function waitingId(result: Result): string | undefined {
  const { structuredContent: body } = result;
  if (!isPlainObject(body) || (body['status'] !== 'waiting' && body['status'] !== 'running')) return undefined;
  return typeof body['id'] === 'string' ? body['id'] : undefined;
}

function textOf(result: Result): string {
  const texts = (result.content ?? []).map((block) => (block.type === 'text' ? (block.text ?? '') : `(${block.type})`));
  return texts.join('\n');
}
