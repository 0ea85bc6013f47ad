import type { Command } from 'commander';
import type { DecisionAnswer, PauseView } from '../../confirm/types.ts';
import { ToolgateError } from '../../core/errors.ts';
import { safeDisplay } from '../../text/safe-display.ts';
import { plainDisplay, safeLine } from '../../text/safe-plain.ts';
import { connectToGateway } from '../gateway-client.ts';
import type { GatewayClient, GatewayClientOptions } from '../gateway-client.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';

interface InboxOptions extends GatewayClientOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

interface DecideOptions extends GatewayClientOptions {
  readonly approve?: boolean;
  readonly deny?: string | boolean;
  readonly key?: string;
  readonly arguments?: string;
  readonly json?: boolean;
}

/** `toolgate inbox` and `toolgate decide`: the page, in a terminal. */
export function addInboxCommands(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('inbox')
    .description('List the calls that wait for a person, with all their arguments.')
    .option('--gateway <address>', 'the running gateway (default: what the state directory says)')
    .option(
      '--state <directory>',
      'where it keeps its tokens (default: as the configuration here says, else .toolgate)',
    )
    .option('--all', 'decided and finished ones too')
    .option('--json', 'as JSON')
    .action(async (options: InboxOptions) => end(await inbox(options, io)));
  program
    .command('decide <id>')
    .description('Decide about a call that waits. The gateway runs what is approved.')
    .option('--approve', 'let it run')
    .option('--deny [reason]', 'do not let it run; the model is told the reason')
    .option('--key <key>', 'which call, when several wait')
    .option('--arguments <json>', 'approve with these arguments instead of the proposed ones')
    .option('--gateway <address>', 'the running gateway (default: what the state directory says)')
    .option(
      '--state <directory>',
      'where it keeps its tokens (default: as the configuration here says, else .toolgate)',
    )
    .option('--json', 'as JSON')
    .action(async (id: string, options: DecideOptions) => end(await decide(id, options, io)));
}

async function inbox(options: InboxOptions, io: CommandIo): Promise<number> {
  const client = await connectToGateway(options, io);
  const query = options.all === true ? '?limit=100' : '?callState=awaiting,unknown&limit=100';
  const { items } = (await client.request('approver', 'GET', `/api/confirmations${query}`)) as { items: PauseView[] };
  if (options.json === true) io.stdout(`${JSON.stringify(items, null, 2)}\n`);
  else if (items.length === 0) io.stdout('Nothing waits.\n');
  else io.stdout(items.map(pauseText).join('\n'));
  return exitCodes.ok;
}

/** A pause as text: complete and inert. */
function pauseText(pause: PauseView): string {
  const lines = [
    `${pause.id}  ${new Date(pause.createdAt).toISOString()}  by ${safeLine(pause.identity.principal || 'nobody known')}`,
  ];
  for (const call of pause.calls) {
    lines.push(
      `  ${call.key}  ${safeLine(call.toolName)}${call.server === null ? '' : ` of ${safeLine(call.server)}`}: ${call.state}${call.reason === null ? '' : ` (${safeLine(call.reason)})`}`,
    );
    const shown = plainDisplay(safeDisplay(call.effectiveArguments), { unfold: true });
    lines.push(...shown.split('\n').map((line) => `      ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

async function decide(id: string, options: DecideOptions, io: CommandIo): Promise<number> {
  const denies = options.deny !== undefined && options.deny !== false;
  if ((options.approve === true) === denies)
    throw new ToolgateError('invalid-option', 'Say --approve or --deny, one of them.', { data: { option: 'approve' } });
  const client = await connectToGateway(options, io);
  const pause = await read(client, id);
  const waiting = pause.calls.filter(({ state }) => state === 'awaiting');
  // One that was decided already is asked about all the same: the answer says by whom.
  const only =
    waiting.length === 0 && pause.calls.length === 1 ? pause.calls[0] : waiting.length === 1 ? waiting[0] : undefined;
  const call = options.key === undefined ? only : pause.calls.find(({ key }) => key === options.key);
  if (call === undefined) {
    throw new ToolgateError(
      'decision-unknown-key',
      `Name the call with --key. Waiting in ${id}: ${waiting.map(({ key }) => key).join(', ') || 'none'}.`,
      {
        data: { key: options.key ?? '', known: waiting.map(({ key }) => key) },
      },
    );
  }
  const decision = denies
    ? { type: 'deny', ...(typeof options.deny === 'string' ? { message: options.deny } : {}) }
    : { type: 'approve', ...(options.arguments === undefined ? {} : { arguments: parse(options.arguments) }) };
  const { answers, confirmation } = (await client.request(
    'approver',
    'POST',
    `/api/confirmations/${encodeURIComponent(id)}/decisions`,
    {
      decisions: { [call.key]: { ...decision, expected: call.digest } },
    },
  )) as { answers: DecisionAnswer[]; confirmation: PauseView };
  if (options.json === true) io.stdout(`${JSON.stringify({ answers, confirmation }, null, 2)}\n`);
  else io.stdout(answers.map((answer) => answerText(answer, confirmation)).join(''));
  return answers.every(({ answer }) => answer === 'accepted') ? exitCodes.ok : exitCodes.no;
}

function answerText(answer: DecisionAnswer, pause: PauseView): string {
  const state = pause.calls.find(({ key }) => key === answer.key)?.state ?? '';
  if (answer.answer === 'accepted') return `${answer.key}: accepted, now ${state}\n`;
  if (answer.answer === 'already-decided')
    return `${answer.key}: already decided by ${safeLine(answer.by?.principal.id ?? 'somebody')}, now ${state}\n`;
  return `${answer.key}: ${answer.answer}, ${safeLine(answer.message)}\n`;
}

async function read(client: GatewayClient, id: string): Promise<PauseView> {
  return (await client.request('approver', 'GET', `/api/confirmations/${encodeURIComponent(id)}`)) as PauseView;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ToolgateError('invalid-option', '--arguments is not JSON.', { data: { option: 'arguments' } });
  }
}
