import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config/load-config.ts';
import { parseJsonWithPositions } from '../../config/json-with-positions.ts';
import { ToolgateError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/json.ts';
import { loadEvaluationSet } from '../../eval/load-evaluation-set.ts';
import { sampleCases } from '../../eval/sample-cases.ts';
import { createDecisionModelScorer } from '../../eval/scorers/decision-model-scorer.ts';
import { localDecisionModel } from '../../relevance/local-decision-model.ts';
import { recommendedRule } from '../../relevance/recommended.ts';
import { fewestTuneCases, tuneSelection } from '../../relevance/tune.ts';
import type { TuneCase } from '../../relevance/tune.ts';
import { applySelectionRule } from '../../select/selection-rule.ts';
import { defaultConfigFile } from '../config-file.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { countOption, shareOption } from '../option-values.ts';
import { readLabels } from '../read-labels.ts';
import { tunedText } from './report.ts';

interface TuneCommandOptions {
  readonly set: readonly string[];
  readonly labels: readonly string[];
  readonly config?: string;
  readonly targetRecall?: number;
  readonly maxTools?: number;
  readonly sample: number;
  readonly write?: boolean;
  readonly json?: boolean;
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** `toolgate tune`: fits the embedded model to one's own cases or traffic. */
export function addTuneCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('tune')
    .description(
      'Fit the embedded decision model to your own cases or to what shadow mode recorded: two numbers and a rule. Shows before and after.',
    )
    .option(
      '--set <name=directory>',
      'labelled cases: a folder with tools.jsonl and cases.jsonl; may be repeated',
      collect,
      [],
    )
    .option('--labels <file>', "what a gate's onLabels gave, one JSON object a line; may be repeated", collect, [])
    .option('--config <file>', `the configuration to start from and to write into (default ${defaultConfigFile})`)
    .option('--target-recall <share>', 'how many of the useful tools the rule must keep (default 0.9)', shareOption)
    .option('--max-tools <count>', 'cap on the tools kept (default 20)', countOption)
    .option('--sample <count>', 'at most so many cases of each set', countOption, 1000)
    .option('--write', 'write what was found into the configuration')
    .option('--json', 'as JSON')
    .action(async (options: TuneCommandOptions) => end(await tune(options, io)));
}

async function tune(options: TuneCommandOptions, io: CommandIo): Promise<number> {
  if (options.set.length === 0 && options.labels.length === 0) {
    throw new ToolgateError('invalid-option', 'Give cases with --set, or labels with --labels.', {
      data: { option: 'set' },
    });
  }
  const file = resolve(io.directory, options.config ?? defaultConfigFile);
  const selection =
    options.config === undefined && options.write !== true
      ? {}
      : (await loadConfig(file, { environment: io.environment })).config.selection;
  const cases = [...labelledTraffic(options.labels, io), ...(await labelledCases(options, selection.calibration, io))];
  const result = tuneSelection(cases, {
    rule: selection.rule ?? recommendedRule,
    applyRule: (rule, probabilities) => applySelectionRule(rule, probabilities),
    ...(selection.calibration === undefined ? {} : { calibration: selection.calibration }),
    ...(options.targetRecall === undefined ? {} : { targetRecall: options.targetRecall }),
    ...(options.maxTools === undefined ? {} : { maxTools: options.maxTools }),
  });
  if (options.json === true) io.stdout(`${JSON.stringify({ cases: cases.length, ...result }, null, 2)}\n`);
  else
    io.stdout(
      `${cases.length} cases.${cases.length < fewestTuneCases ? ` Fewer than ${fewestTuneCases} say nothing.` : ''}\n${tunedText(result)}`,
    );
  if (!result.changed) return exitCodes.no;
  if (options.write === true) {
    writeInto(file, { calibration: result.calibration, rule: result.rule });
    io.stderr(`Wrote "selection" into ${file}.\n`);
  }
  return exitCodes.ok;
}

function labelledTraffic(files: readonly string[], io: CommandIo): TuneCase[] {
  return readLabels(files.map((file) => resolve(io.directory, file))).map((message) =>
    message.map(({ probability, called }) => ({ probability, useful: called })),
  );
}

async function labelledCases(
  options: TuneCommandOptions,
  calibration: { readonly slope: number; readonly offset: number } | undefined,
  io: CommandIo,
): Promise<TuneCase[]> {
  const model = localDecisionModel({ calibration });
  const cases: TuneCase[] = [];
  for (const entry of options.set) {
    const at = entry.indexOf('=');
    const name = at < 0 ? entry : entry.slice(0, at);
    const set = await loadEvaluationSet(resolve(io.directory, at < 0 ? entry : entry.slice(at + 1)), name);
    const tools = set.tools.map(({ definition }) => definition);
    const scorer = createDecisionModelScorer('local', model, tools);
    const chosen = sampleCases(set.cases, options.sample, set.name, 1);
    for (const [done, one] of chosen.entries()) {
      io.signal.throwIfAborted();
      if (io.isErrorTty && done % 50 === 0) io.stderr(`\r${set.name}: ${done} of ${chosen.length} cases`);
      const { probabilities } = await scorer.score({ messages: one.messages, signal: io.signal });
      const useful = new Set(one.relevant);
      cases.push(
        set.tools.map(({ id }, position) => ({ probability: probabilities?.[position] ?? 0, useful: useful.has(id) })),
      );
    }
    if (io.isErrorTty) io.stderr(`\r${set.name}: ${chosen.length} cases          \n`);
  }
  return cases;
}

/** Replaces the configuration's `selection`; everything else stays. A file with comments is left alone, since they would be lost. */
function writeInto(file: string, selection: object): void {
  const text = readFileSync(file, 'utf8');
  const { value } = parseJsonWithPositions(text);
  let plain = true;
  try {
    JSON.parse(text);
  } catch {
    plain = false;
  }
  if (!isPlainObject(value) || !plain) {
    throw new ToolgateError(
      'config-invalid',
      `${file} is not plain JSON, so nothing was written. Put this into it: "selection": ${JSON.stringify(selection)}`,
      { data: { file } },
    );
  }
  writeFileSync(file, `${JSON.stringify({ ...value, selection }, null, 2)}\n`);
}
