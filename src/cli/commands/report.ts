import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { SelectionRule } from '../../decision/port.ts';
import { recommendedRule } from '../../relevance/recommended.ts';
import { tuneSelection } from '../../relevance/tune.ts';
import type { TuneFigures, TuneResult } from '../../relevance/tune.ts';
import { applySelectionRule } from '../../select/selection-rule.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { readLabels } from '../read-labels.ts';
import type { LabelledMessage } from '../read-labels.ts';
import { table } from '../table.ts';

/** `toolgate report`: what shadow mode has seen. */
export function addReportCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('report <labels...>')
    .description(
      "Say what a selection would have missed and saved on your own traffic, and which rule fits it best. Reads what a gate's onLabels gave, one JSON object a line.",
    )
    .option('--json', 'as JSON')
    .action((files: string[], options: { readonly json?: boolean }) => end(report(files, options, io)));
}

function report(files: readonly string[], options: { readonly json?: boolean }, io: CommandIo): number {
  const messages = readLabels(files.map((file) => resolve(io.directory, file)));
  const figures = figuresOf(messages);
  const tuned = tuneLabels(messages, recommendedRule);
  if (options.json === true) {
    io.stdout(
      `${JSON.stringify({ ...figures, best: { rule: tuned.rule, calibration: tuned.calibration, before: tuned.before, after: tuned.after, changed: tuned.changed } }, null, 2)}\n`,
    );
    return exitCodes.ok;
  }
  const share = figures.tokens.all === 0 ? 0 : 1 - figures.tokens.selected / figures.tokens.all;
  io.stdout(
    `${figures.messages} user messages, ${figures.called} tools called.\n` +
      `The selection would have kept ${figures.kept} of them (${percent(figures.called === 0 ? 1 : figures.kept / figures.called)}) and saved ${percent(share)} of the tokens of tools.\n`,
  );
  if (figures.missed.length > 0) {
    io.stdout('\nMissed most often:\n');
    io.stdout(
      table(
        [
          { title: 'tool', maximum: 40 },
          { title: 'missed', align: 'right' },
          { title: 'called', align: 'right' },
        ],
        figures.missed.slice(0, 20).map(({ name, missed, called }) => [safeLine(name), String(missed), String(called)]),
      ),
    );
  }
  io.stdout(`\n${tunedText(tuned)}`);
  return exitCodes.ok;
}

/** Totals over labelled messages. */
export function figuresOf(messages: readonly LabelledMessage[]): {
  readonly messages: number;
  readonly called: number;
  readonly kept: number;
  readonly missed: readonly { readonly name: string; readonly missed: number; readonly called: number }[];
  readonly tokens: { readonly all: number; readonly selected: number };
} {
  const byName = new Map<string, { missed: number; called: number }>();
  const tokens = { all: 0, selected: 0 };
  for (const message of messages) {
    for (const { name, selected, called, tokens: size } of message) {
      tokens.all += size;
      if (selected) tokens.selected += size;
      if (!called) continue;
      const entry = byName.get(name) ?? { missed: 0, called: 0 };
      byName.set(name, entry);
      entry.called += 1;
      if (!selected) entry.missed += 1;
    }
  }
  const all = [...byName].map(([name, entry]) => ({ name, ...entry }));
  const called = all.reduce((sum, entry) => sum + entry.called, 0);
  const missed = all.reduce((sum, entry) => sum + entry.missed, 0);
  return {
    messages: messages.length,
    called,
    kept: called - missed,
    missed: all
      .filter((entry) => entry.missed > 0)
      .toSorted((a, b) => b.missed - a.missed || (a.name < b.name ? -1 : 1)),
    tokens,
  };
}

/** Calibration and rule for labelled messages. */
export function tuneLabels(
  messages: readonly LabelledMessage[],
  rule: SelectionRule,
  targetRecall?: number,
): TuneResult {
  return tuneSelection(
    messages.map((message) => message.map(({ probability, called }) => ({ probability, useful: called }))),
    {
      rule,
      ...(targetRecall === undefined ? {} : { targetRecall }),
      applyRule: (candidate, probabilities) => applySelectionRule(candidate, probabilities),
    },
  );
}

/** What tuning found, for people. */
export function tunedText({ before, after, rule, calibration, changed }: TuneResult): string {
  const row = (name: string, figures: TuneFigures): string[] => [
    name,
    percent(figures.recall),
    figures.shown.toFixed(1),
    figures.calibrationError.toFixed(3),
    figures.brier.toFixed(3),
  ];
  const right = 'right' as const;
  return (
    table(
      [
        { title: 'rule' },
        { title: 'recall', align: right },
        { title: 'shown', align: right },
        { title: 'calibration error', align: right },
        { title: 'Brier', align: right },
      ],
      [row('now', before), row('tuned', after)],
    ) +
    (changed
      ? `Best for this traffic: ${JSON.stringify({ rule, calibration })}\n`
      : 'The rule in use is the best that can be said from this; nothing to change.\n')
  );
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${(share * 100).toFixed(1)} %`;
}
