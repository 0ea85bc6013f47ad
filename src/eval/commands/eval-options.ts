import { ToolgateError } from '../../core/errors.ts';
import type { SelectionRule } from '../../decision/port.ts';
import { DEFAULT_SAMPLE } from '../run-evaluation.ts';

/** Options of `toolgate eval`, as the command line gives them. */
export interface EvalCommandOptions {
  /** `NAME=DIR` or `DIR`, once for each set; at least one. */
  readonly set?: readonly string[] | undefined;
  /** `local` (default), `bm25`, `simple`, `hybrid`, or the path of a module that exports `createScorer`. */
  readonly scorer?: string | undefined;
  /** `conversation` (default) or `last`. */
  readonly window?: string | undefined;
  /** At most so many cases of each set, or `all`. Default 2,000. */
  readonly sample?: string | number | undefined;
  /** Default 1. */
  readonly seed?: string | number | undefined;
  /** Selection by threshold, 0 to 1. */
  readonly minProbability?: string | number | undefined;
  /** Selection by share of what is expected, above 0 to 1. Not with `minProbability`. */
  readonly expectedRecall?: string | number | undefined;
  /** With `expectedRecall`: at most so many tools. */
  readonly maxTools?: string | number | undefined;
  /** Prints the run as JSON. */
  readonly json?: boolean | undefined;
  /** Also writes the run as JSON to this file. */
  readonly out?: string | undefined;
  /** Writes the report to this file. */
  readonly html?: string | undefined;
  /** Lists cases in which something needed ranks low: `true` for 20 of each set, or how many. */
  readonly misses?: boolean | string | number | undefined;
  /** An older run's JSON to compare with. */
  readonly against?: string | undefined;
  /** Exit code 3 when the mean of any metric is significantly worse than in the older run. */
  readonly failOnRegression?: boolean | undefined;
  /** False: the JSON holds no values of single cases; smaller, and later runs compare by intervals alone. */
  readonly perCase?: boolean | undefined;
  /** What relative paths start from. Default: the current directory. */
  readonly directory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The options, checked. */
export interface ParsedEvalOptions {
  readonly sets: readonly { readonly name: string | undefined; readonly path: string }[];
  readonly scorer: string;
  readonly window: 'conversation' | 'last';
  readonly sample: number | null;
  readonly seed: number;
  readonly rule: SelectionRule | undefined;
  /** How many misses of each set are listed; absent: none. */
  readonly misses: number | undefined;
}

/** Checks the options. Throws `invalid-option`, which names the option and what it takes. */
export function parseEvalOptions(options: EvalCommandOptions): ParsedEvalOptions {
  const sets = (options.set ?? []).map(parseSet);
  if (sets.length === 0)
    throw wrong('set', 'Name at least one set: --set NAME=DIR, where DIR holds tools.jsonl and cases.jsonl.');
  const window = options.window ?? 'conversation';
  if (window !== 'conversation' && window !== 'last')
    throw wrong('window', `--window takes conversation or last, not ${window}.`);
  if (options.failOnRegression === true && options.against === undefined)
    throw wrong('failOnRegression', '--fail-on-regression needs --against with an older run.');
  const { misses } = options;
  return {
    sets,
    scorer: options.scorer ?? 'local',
    window,
    sample: options.sample === 'all' ? null : wholeNumber('sample', options.sample ?? DEFAULT_SAMPLE, 1),
    seed: wholeNumber('seed', options.seed ?? 1, 0),
    rule: parseRule(options),
    misses:
      misses === undefined || misses === false ? undefined : misses === true ? 20 : wholeNumber('misses', misses, 1),
  };
}

function parseSet(text: string): { readonly name: string | undefined; readonly path: string } {
  const at = text.indexOf('=');
  const name = at < 0 ? undefined : text.slice(0, at).trim();
  const path = text.slice(at + 1);
  if (path === '' || name === '') throw wrong('set', `--set takes NAME=DIR, not ${text}.`);
  return { name, path };
}

function parseRule(options: EvalCommandOptions): SelectionRule | undefined {
  const { minProbability, expectedRecall, maxTools } = options;
  if (minProbability !== undefined && expectedRecall !== undefined)
    throw wrong('minProbability', 'Give either --min-probability or --expected-recall.');
  if (maxTools !== undefined && expectedRecall === undefined)
    throw wrong('maxTools', '--max-tools belongs to --expected-recall.');
  if (minProbability !== undefined) return { minProbability: share('minProbability', minProbability) };
  if (expectedRecall === undefined) return undefined;
  const recall = share('expectedRecall', expectedRecall);
  if (recall === 0) throw wrong('expectedRecall', '--expected-recall must be above 0.');
  return {
    keep: {
      expectedRecall: recall,
      ...(maxTools === undefined ? {} : { maxTools: wholeNumber('maxTools', maxTools, 1) }),
    },
  };
}

function wholeNumber(option: string, value: unknown, least: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < least)
    throw wrong(option, `${flag(option)} takes a whole number of ${least} or more, not ${String(value)}.`);
  return number;
}

function share(option: string, value: string | number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= 0 && number <= 1))
    throw wrong(option, `${flag(option)} takes a number from 0 to 1, not ${value}.`);
  return number;
}

function flag(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function wrong(option: string, message: string): ToolgateError {
  return new ToolgateError('invalid-option', message, { data: { option } });
}
