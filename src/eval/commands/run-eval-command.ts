import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolgateError, errorMessage, isToolgateError } from '../../core/errors.ts';
import { compareRuns, readRun } from '../compare-runs.ts';
import type { RunComparison } from '../compare-runs.ts';
import { loadEvaluationSet } from '../load-evaluation-set.ts';
import { comparisonReport } from '../report/comparison-report.ts';
import { htmlReport } from '../report/html-report.ts';
import { missesReport } from '../report/misses-report.ts';
import { terminalReport } from '../report/terminal-report.ts';
import { resolveScorer } from '../resolve-scorer.ts';
import { runEvaluation } from '../run-evaluation.ts';
import type { EvaluationSet } from '../types.ts';
import type { CommandIo } from './command-io.ts';
import { parseEvalOptions } from './eval-options.ts';
import type { EvalCommandOptions } from './eval-options.ts';
import { progressLine } from './progress-line.ts';

/**
 * `toolgate eval`: measures sets, prints tables or JSON, and writes what was asked for. Never throws.
 * @returns exit code: 0 done; 1 the scorer failed or a file could not be written; 2 wrong options or data; 3 with
 * `failOnRegression`, something is significantly worse than in the older run; 130 interrupted
 */
export async function runEvalCommand(options: EvalCommandOptions, io: CommandIo): Promise<number> {
  try {
    return await evaluate(options, io);
  } catch (error) {
    if (options.signal?.aborted === true) return 130;
    const wrongInput = isToolgateError(error) && (error.code === 'invalid-option' || error.code === 'dataset-invalid');
    io.stderr(`${wrongInput ? '' : 'The evaluation failed: '}${errorMessage(error)}\n`);
    return wrongInput ? 2 : 1;
  }
}

async function evaluate(options: EvalCommandOptions, io: CommandIo): Promise<number> {
  const directory = options.directory ?? '.';
  const parsed = parseEvalOptions(options);
  const createScorer = await resolveScorer(parsed.scorer, directory);
  const older = options.against === undefined ? undefined : await readRun(resolve(directory, options.against));
  const sets: EvaluationSet[] = [];
  for (const { name, path } of parsed.sets) {
    const set = await loadEvaluationSet(resolve(directory, path), name);
    if (sets.some((other) => other.name === set.name)) {
      throw new ToolgateError(
        'invalid-option',
        `Two sets are named ${set.name}. Give each its own name: --set NAME=DIR.`,
        {
          data: { option: 'set' },
        },
      );
    }
    sets.push(set);
  }
  const progress = progressLine(io);
  const { run, misses } = await runEvaluation({
    sets,
    createScorer,
    window: parsed.window,
    sample: parsed.sample,
    seed: parsed.seed,
    perCase: options.perCase !== false,
    rule: parsed.rule,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    onProgress: progress.update,
  }).finally(progress.end);
  for (const set of run.sets) {
    if (set.cases < set.cases_available)
      io.stderr(
        `${set.name}: ${set.cases} of ${set.cases_available} cases, drawn with seed ${run.seed} (--sample all takes every case).\n`,
      );
  }
  const comparison = older === undefined ? undefined : compareRuns(older, run);
  if (options.json === true) {
    io.stdout(`${JSON.stringify(comparison === undefined ? run : { ...run, comparison })}\n`);
  } else {
    io.stdout(`${terminalReport(run)}\n`);
    if (comparison !== undefined) io.stdout(`${comparisonReport(comparison)}\n`);
  }
  if (parsed.misses !== undefined) {
    // With --json standard output holds the JSON alone.
    const list = missesReport(misses, parsed.misses);
    if (options.json === true) io.stderr(list);
    else io.stdout(list);
  }
  if (options.out !== undefined) await write(resolve(directory, options.out), `${JSON.stringify(run)}\n`, io);
  if (options.html !== undefined)
    await write(resolve(directory, options.html), htmlReport(run, { misses, comparison }), io);
  return options.failOnRegression === true && isWorse(comparison) ? 3 : 0;
}

async function write(file: string, text: string, io: CommandIo): Promise<void> {
  await writeFile(file, text);
  io.stderr(`Written: ${file}\n`);
}

function isWorse(comparison: RunComparison | undefined): boolean {
  return comparison?.mean.changes.some((change) => change.verdict === 'worse') ?? false;
}
