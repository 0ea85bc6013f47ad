import type { Command } from 'commander';
import { safeLine } from '../../text/safe-plain.ts';
import { connectToGateway } from '../gateway-client.ts';
import type { GatewayClientOptions } from '../gateway-client.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';

/** `toolgate tail`: what happens in a running gateway, as it happens. */
export function addTailCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('tail')
    .description('Print what happens in a running gateway, one line an event, until you interrupt.')
    .option('--gateway <address>', 'the running gateway (default: what the state directory says)')
    .option(
      '--state <directory>',
      'where it keeps its tokens (default: as the configuration here says, else .toolgate)',
    )
    .option('--json', 'each event as JSON')
    .action(async (options: GatewayClientOptions & { readonly json?: boolean }) => end(await tail(options, io)));
}

async function tail(options: GatewayClientOptions & { readonly json?: boolean }, io: CommandIo): Promise<number> {
  const client = await connectToGateway(options, io);
  const response = await client.open('approver', '/events');
  if (response.body === null) return exitCodes.failed;
  io.stderr(`Listening to ${client.url} …\n`);
  let rest = '';
  try {
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: ') || line === 'data: {}') continue;
        const data = line.slice(6);
        io.stdout(options.json === true ? `${data}\n` : `${new Date().toISOString()}  ${eventText(data)}\n`);
      }
    }
  } catch (error) {
    if (io.signal.aborted) return exitCodes.ok;
    throw error;
  }
  io.stderr('The gateway has gone.\n');
  return exitCodes.failed;
}

function eventText(data: string): string {
  const { type, ...details } = JSON.parse(data) as { type: string };
  const rest = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return safeLine([type, ...rest].join(' '));
}
