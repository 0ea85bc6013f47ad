import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Command } from 'commander';
import { ToolgateError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/json.ts';
import { safeLine } from '../../text/safe-plain.ts';
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
    .option('--no-wait', 'do not wait for the decision; say where it waits and end')
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      '\nArguments: name=value pairs (read as what the tool’s schema says; else a value that is JSON is read as JSON), or one JSON object.\nExample: toolgate call write_file path=hello.txt content=Hello',
    )
    .action(async (tool: string, args: string[], options: CallOptions) => end(await call(tool, args, options, io)));
}

async function call(tool: string, args: readonly string[], options: CallOptions, io: CommandIo): Promise<number> {
  const gateway = await connectToGateway(options, io);
  const client = new Client(
    { name: 'toolgate-cli', version: packageVersion() },
    { versionNegotiation: { mode: 'auto' } },
  );
  const authorization = `Bearer ${await gateway.token('caller')}`;
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit: { headers: { authorization } } }),
  );
  const sign = waitingSign(io);
  try {
    const target = await findTool(client, tool);
    const input = parseArguments(args, target.schema);
    // Whoever types a command again means a new call, not the result of the last one.
    const parameters =
      target.entry === undefined
        ? { name: tool, arguments: input, _meta: { 'toolgate/new': true } }
        : { name: target.entry, arguments: { name: tool, arguments: input, new: true } };
    // Not tied to the interrupt: giving up the request would cancel the call, and a person may be about to decide.
    const running = client.callTool(parameters, {
      timeout: 600_000,
      resetTimeoutOnProgress: true,
      onprogress: sign.onprogress,
    }) as Promise<Result>;
    running.catch(() => undefined);
    const first = await Promise.race([running, interrupted(io), ...(options.wait ? [] : [sign.seen])]);
    if (first === 'waiting' || first === 'interrupted') return leave(first);
    let result: Result = first;
    while (waitingId(result) !== undefined) {
      sign.say(`Waiting for a decision: ${textOf(result)}`);
      if (!options.wait) return leave('waiting');
      const more = await Promise.race([
        client.callTool(
          { name: 'get_confirmation', arguments: { id: waitingId(result), waitSeconds: 30 } },
          { timeout: 120_000 },
        ) as Promise<Result>,
        interrupted(io),
      ]);
      if (more === 'interrupted') return leave(more);
      result = more;
    }
    io.stdout(options.json === true ? `${JSON.stringify(result, null, 2)}\n` : `${textOf(result)}\n`);
    return result.isError === true ? exitCodes.failed : exitCodes.ok;
  } catch (error) {
    if (error instanceof ToolgateError || !sign.waits()) throw error;
    io.stderr('The gateway ended, or cannot be reached any more, while the call waited.\n');
    leave('waiting');
    return exitCodes.failed;
  } finally {
    await client.close();
  }

  function leave(reason: 'waiting' | 'interrupted'): number {
    io.stderr('The call is kept: "toolgate inbox" shows it, "toolgate decide ID --approve" lets it run.\n');
    return reason === 'waiting' ? exitCodes.ok : exitCodes.interrupted;
  }
}

/** How a tool is called: under its own name where it is listed, else through the entry that the gateway names for it. */
async function findTool(
  client: Client,
  tool: string,
): Promise<{ readonly entry: string | undefined; readonly schema: unknown }> {
  const { tools } = await client.listTools();
  const listed = tools.find(({ name }) => name === tool);
  if (listed !== undefined) return { entry: undefined, schema: listed.inputSchema };
  const described = (await client.callTool({ name: 'describe_tool', arguments: { name: tool } })) as Result;
  const body = described.structuredContent;
  if (described.isError === true || !isPlainObject(body) || typeof body['callWith'] !== 'string') {
    throw new ToolgateError('unknown-tool', textOf(described), { data: { tool } });
  }
  return { entry: body['callWith'], schema: body['inputSchema'] };
}

/** Says once that the call waits and where to decide, as soon as the gateway says so. */
function waitingSign(io: CommandIo): {
  readonly seen: Promise<'waiting'>;
  readonly waits: () => boolean;
  readonly say: (text: string) => void;
  readonly onprogress: (update: { readonly message?: string | undefined }) => void;
} {
  let said = false;
  let tell: (value: 'waiting') => void = () => {};
  const seen = new Promise<'waiting'>((resolve) => {
    tell = resolve;
  });
  const say = (text: string): void => {
    if (!said) io.stderr(`${text}\n`);
    said = true;
    tell('waiting');
  };
  return {
    seen,
    waits: () => said,
    say,
    onprogress: ({ message }) => {
      if (message?.startsWith('Waiting for a decision') === true) say(message);
      else if (message !== undefined) io.stderr(`${safeLine(message)}\n`);
    },
  };
}

function interrupted(io: CommandIo): Promise<'interrupted'> {
  return new Promise((resolve) => {
    if (io.signal.aborted) resolve('interrupted');
    else io.signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
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
