import type { Command } from 'commander';
import { ToolgateError } from '../../core/errors.ts';
import type { Message } from '../../core/message.ts';
import type { SelectionRule } from '../../decision/port.ts';
import { createToolSelector } from '../../select/select-tools.ts';
import type { SelectionReport } from '../../select/types.ts';
import { decisionModelNames, decisionModelOf } from '../decision-models.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { countOption, shareOption } from '../option-values.ts';
import { parseMessages, readMessages } from '../read-messages.ts';
import { bar, table } from '../table.ts';
import { addToolSourceOptions, readTools } from '../tool-sources.ts';
import type { ToolSourceOptions } from '../tool-sources.ts';

interface SelectOptions extends ToolSourceOptions {
  readonly messages?: string;
  readonly message?: string;
  readonly model: string;
  readonly minProbability?: number;
  readonly expectedRecall?: number;
  readonly maxTools?: number;
  readonly show: number;
  readonly json?: boolean;
}

/** `toolgate select`: which tools would the model see? */
export function addSelectCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  addToolSourceOptions(program.command('select'))
    .description('Show which tools a conversation needs: probability, reason and tokens of each.')
    .option('--messages <file>', 'the conversation: a JSON array of messages, or one a line')
    .option('--message <text>', 'a single user message; without either, standard input is read')
    .option('--model <name>', `the decision model: ${decisionModelNames.join(', ')}`, 'local')
    .option(
      '--min-probability <share>',
      'keep tools of at least this probability, 0 to 1 (default: what the model recommends)',
      shareOption,
    )
    .option(
      '--expected-recall <share>',
      'keep the most probable tools until they hold this share of the useful ones',
      shareOption,
    )
    .option('--max-tools <count>', 'keep at most this many', countOption)
    .option('--show <count>', 'how many of the tools that are left out to list', countOption, 5)
    .option('--json', 'the whole report as JSON')
    .action(async (options: SelectOptions) => end(await select(options, io)));
}

async function select(options: SelectOptions, io: CommandIo): Promise<number> {
  const messages = await readConversation(options, io);
  const tools = await readTools(options, io);
  const userMessage = messages.findLast(({ role }) => role === 'user') ?? (messages.at(-1) as Message);
  const rule: SelectionRule | undefined =
    options.expectedRecall === undefined
      ? undefined
      : {
          keep: {
            expectedRecall: options.expectedRecall,
            ...(options.maxTools === undefined ? {} : { maxTools: options.maxTools }),
          },
        };
  const selector = createToolSelector({
    decisionModel: await decisionModelOf(options.model, io),
    ...(rule === undefined ? {} : { rule }),
    ...(options.minProbability === undefined ? {} : { minProbability: options.minProbability }),
    ...(options.maxTools === undefined ? {} : { maxTools: options.maxTools }),
    logger: { debug() {}, info() {}, warn: (text) => io.stderr(`${text}\n`), error: (text) => io.stderr(`${text}\n`) },
  });
  const { report } = await selector.select(tools, { messages, userMessage, signal: io.signal });
  if (options.json === true) io.stdout(`${JSON.stringify(report, null, 2)}\n`);
  else io.stdout(selectionText(report, options.show, io.columns));
  return report.entries.some(({ kept }) => kept) ? exitCodes.ok : exitCodes.no;
}

async function readConversation(options: SelectOptions, io: CommandIo): Promise<Message[]> {
  if (options.messages !== undefined && options.message !== undefined) {
    throw new ToolgateError('invalid-option', 'Give --messages or --message, not both.', {
      data: { option: 'message' },
    });
  }
  if (options.messages !== undefined) return readMessages(options.messages);
  if (options.message !== undefined) return [{ role: 'user', content: options.message }];
  const text = await io.readStdin();
  if (text === null)
    throw new ToolgateError('invalid-option', 'There is no conversation: give --message, --messages, or pipe one in.', {
      data: { option: 'message' },
    });
  return parseMessages(text, 'standard input');
}

/** The report as people read it: kept tools and the best of the others, then one line of totals. */
export function selectionText(report: SelectionReport, show: number, columns: number): string {
  const byProbability = report.entries.toSorted((a, b) => (b.probability ?? -1) - (a.probability ?? -1));
  const kept = byProbability.filter((entry) => entry.kept);
  const left = byProbability.filter((entry) => !entry.kept).slice(0, show);
  const row = (entry: (typeof kept)[number]): string[] => [
    entry.kept ? '✓' : '·',
    entry.name,
    entry.probability === undefined ? '' : bar(entry.probability, 12),
    entry.probability === undefined ? '–' : entry.probability.toFixed(3),
    entry.reason,
    String(entry.tokens),
  ];
  const text = table(
    [
      { title: '' },
      { title: 'tool', maximum: Math.max(16, columns - 52) },
      { title: 'probability' },
      { title: '', align: 'right' },
      { title: 'reason' },
      { title: 'tokens', align: 'right' },
    ],
    [...kept, ...left].map(row),
  );
  const hidden = report.entries.length - kept.length - left.length;
  return [
    text.trimEnd(),
    ...(hidden > 0 ? [`  … and ${hidden.toLocaleString('en')} more that are left out`] : []),
    '',
    `${report.entries.length.toLocaleString('en')} → ${kept.length.toLocaleString('en')} tools, ` +
      `${report.tokens.all.toLocaleString('en')} → ${report.tokens.shown.toLocaleString('en')} tokens, ${Math.max(0, Math.round(report.durationMs))} ms` +
      (report.model === undefined ? '' : ` (${report.model.provider} ${report.model.modelId})`),
    ...report.notes,
    '',
  ].join('\n');
}
