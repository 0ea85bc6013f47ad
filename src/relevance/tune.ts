import { ToolgateError } from '../core/errors.ts';
import type { SelectionRule } from '../decision/port.ts';
import type { Calibration } from './scorer.ts';

/** One tool of a labelled case: what the model said of it, and whether it was useful. */
export interface TuneObservation {
  /** 0 to 1, as the model gave it. */
  readonly probability: number;
  readonly useful: boolean;
}

/** A case: every tool that was asked about. A case in which nothing was useful teaches too. */
export type TuneCase = readonly TuneObservation[];

/** How {@link tuneSelection} works. */
export interface TuneOptions {
  /** Share of the useful tools that the rule must keep, above 0 to 1. Default 0.9. */
  readonly targetRecall?: number | undefined;
  /** Cap on the tools kept. Default 20. */
  readonly maxTools?: number | undefined;
  /** The calibration that the probabilities were given with; the result replaces it. Default none. */
  readonly calibration?: Calibration | undefined;
  /** The rule in use, for the comparison and as the fallback. */
  readonly rule: SelectionRule;
  /** Keeps tools by a rule: `applySelectionRule` of the selection. */
  readonly applyRule: (rule: SelectionRule, probabilities: readonly number[]) => readonly boolean[];
}

/** What a rule does on cases. */
export interface TuneFigures {
  /** Share of the useful tools kept, mean over the cases that have some. */
  readonly recall: number;
  /** Tools kept, mean over all cases. */
  readonly shown: number;
  /** Expected calibration error over the ten most probable tools of each case, ten equal bins. */
  readonly calibrationError: number;
  /** Mean squared error of the probabilities, over the same tools. */
  readonly brier: number;
}

/** What tuning found. */
export interface TuneResult {
  readonly calibration: Calibration;
  readonly rule: SelectionRule;
  readonly before: TuneFigures;
  /** Measured on halves that the numbers were not fitted on, so that a few cases cannot flatter themselves. */
  readonly after: TuneFigures;
  /** False: too few cases, or no rule does better; calibration and rule are the ones in use. */
  readonly changed: boolean;
}

/** Fewer cases say nothing; below it the numbers in use are kept. */
export const fewestTuneCases = 20;

const observedPerCase = 10;
/** The pull towards the calibration in use, in cases' worth. */
const priorCases = 5;
const recallGrid = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 1];
const floorGrid = [0, 0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3];

/**
 * Fits a model to a deployment from labelled cases or from what shadow mode recorded: two parameters for the probabilities (Platt
 * 1999, with a pull towards no change), and the rule that keeps `targetRecall` of the useful tools with the fewest tools shown.
 * Throws `invalid-option` for options out of range or probabilities outside 0 to 1.
 */
export function tuneSelection(cases: readonly TuneCase[], options: TuneOptions): TuneResult {
  const target = options.targetRecall ?? 0.9;
  const maxTools = options.maxTools ?? 20;
  check(target > 0 && target <= 1, 'targetRecall', 'above 0 and at most 1', target);
  check(Number.isInteger(maxTools) && maxTools >= 1, 'maxTools', 'a whole number of at least 1', maxTools);
  for (const one of cases)
    for (const { probability } of one)
      check(probability >= 0 && probability <= 1, 'cases', 'probabilities from 0 to 1', probability);
  const inUse = options.calibration ?? unchanged;
  const before = measure(cases, unchanged, options.rule, options);
  const needing = cases.filter((one) => one.some((observation) => observation.useful));
  if (needing.length < fewestTuneCases)
    return { calibration: inUse, rule: options.rule, before, after: before, changed: false };

  const halves = [cases.filter((_, place) => place % 2 === 0), cases.filter((_, place) => place % 2 === 1)] as const;
  const measured = halves.map((half, place) => {
    const other = halves[place === 0 ? 1 : 0];
    const calibration = fitCalibration(other);
    return {
      size: half.length,
      needing: half.filter(isNeeding).length,
      figures: measure(half, calibration, findRule(other, calibration, target, maxTools, options), options),
    };
  });
  const over = (
    weight: (one: (typeof measured)[number]) => number,
    value: (figures: TuneFigures) => number,
  ): number => {
    const total = measured.reduce((sum, one) => sum + weight(one), 0) || 1;
    return (
      measured.reduce(
        (sum, one) => sum + weight(one) * (Number.isNaN(value(one.figures)) ? 0 : value(one.figures)),
        0,
      ) / total
    );
  };
  const after: TuneFigures = {
    recall: over(
      (one) => one.needing,
      (figures) => figures.recall,
    ),
    shown: over(
      (one) => one.size,
      (figures) => figures.shown,
    ),
    calibrationError: over(
      (one) => one.size,
      (figures) => figures.calibrationError,
    ),
    brier: over(
      (one) => one.size,
      (figures) => figures.brier,
    ),
  };
  const better =
    after.brier < before.brier - 1e-9 ||
    (after.recall >= Math.min(target, before.recall) && after.shown < before.shown) ||
    (before.recall < target && after.recall > before.recall);
  if (!better) return { calibration: inUse, rule: options.rule, before, after: before, changed: false };
  const fitted = fitCalibration(cases);
  return {
    // The probabilities already carry the calibration in use: one follows the other.
    calibration: { slope: fitted.slope * inUse.slope, offset: fitted.slope * inUse.offset + fitted.offset },
    rule: findRule(cases, fitted, target, maxTools, options),
    before,
    after,
    changed: true,
  };
}

const unchanged: Calibration = { slope: 1, offset: 0 };

/** Applies a calibration to a probability. */
export function recalibrate(probability: number, calibration: Calibration): number {
  return 1 / (1 + Math.exp(-(calibration.slope * logit(probability) + calibration.offset)));
}

function isNeeding(one: TuneCase): boolean {
  return one.some((observation) => observation.useful);
}

function topOf(one: TuneCase): TuneCase {
  return one.toSorted((a, b) => b.probability - a.probability).slice(0, observedPerCase);
}

/** Newton's method on slope and offset, each case weighing the same. */
function fitCalibration(cases: readonly TuneCase[]): Calibration {
  let slope = 1;
  let offset = 0;
  const points = cases.flatMap((one) => {
    const top = topOf(one);
    return top.map((observation) => ({
      x: logit(observation.probability),
      y: observation.useful ? 1 : 0,
      weight: 1 / top.length,
    }));
  });
  for (let round = 0; round < 30; round += 1) {
    let a = priorCases * (slope - 1);
    let b = priorCases * 0.2 * offset;
    let aa = priorCases;
    let ab = 0;
    let bb = priorCases * 0.2;
    for (const { x, y, weight } of points) {
      const p = 1 / (1 + Math.exp(-(slope * x + offset)));
      const error = weight * (p - y);
      const curve = weight * p * (1 - p);
      a += error * x;
      b += error;
      aa += curve * x * x;
      ab += curve * x;
      bb += curve;
    }
    const determinant = aa * bb - ab * ab;
    const stepSlope = limit((bb * a - ab * b) / determinant);
    const stepOffset = limit((aa * b - ab * a) / determinant);
    slope = Math.max(0.05, slope - stepSlope);
    offset -= stepOffset;
    if (Math.abs(stepSlope) + Math.abs(stepOffset) < 1e-9) break;
  }
  return { slope, offset };
}

/** The rule with the fewest tools among those that reach the target; if none does, the one that comes nearest. */
function findRule(
  cases: readonly TuneCase[],
  calibration: Calibration,
  target: number,
  maxTools: number,
  options: TuneOptions,
): SelectionRule {
  let best: { readonly rule: SelectionRule; readonly recall: number; readonly shown: number } | undefined;
  for (const expectedRecall of recallGrid) {
    for (const minProbability of floorGrid) {
      const rule: SelectionRule = { keep: { expectedRecall, maxTools, minProbability } };
      const { recall, shown } = measure(cases, calibration, rule, options);
      const reaches = recall >= target;
      const bestReaches = best !== undefined && best.recall >= target;
      if (
        best === undefined ||
        (reaches && (!bestReaches || shown < best.shown)) ||
        (!reaches && !bestReaches && recall > best.recall)
      )
        best = { rule, recall, shown };
    }
  }
  return best?.rule ?? options.rule;
}

function measure(
  cases: readonly TuneCase[],
  calibration: Calibration,
  rule: SelectionRule,
  options: TuneOptions,
): TuneFigures {
  let recall = 0;
  let needing = 0;
  let shown = 0;
  let brier = 0;
  let counted = 0;
  const said = new Float64Array(10);
  const was = new Float64Array(10);
  for (const one of cases) {
    const probabilities = one.map((observation) => recalibrate(observation.probability, calibration));
    const kept = options.applyRule(rule, probabilities);
    const useful = one.filter((observation) => observation.useful).length;
    let found = 0;
    for (const [place, observation] of one.entries()) {
      if (kept[place] !== true) continue;
      shown += 1;
      if (observation.useful) found += 1;
    }
    if (useful > 0) {
      needing += 1;
      recall += found / useful;
    }
    for (const observation of topOf(one)) {
      const probability = recalibrate(observation.probability, calibration);
      const outcome = observation.useful ? 1 : 0;
      const bin = Math.min(9, Math.floor(probability * 10));
      said[bin] = (said[bin] as number) + probability;
      was[bin] = (was[bin] as number) + outcome;
      brier += (probability - outcome) ** 2;
      counted += 1;
    }
  }
  const calibrationError =
    said.reduce((sum, value, bin) => sum + Math.abs(value - (was[bin] as number)), 0) / (counted || 1);
  return {
    recall: needing === 0 ? Number.NaN : recall / needing,
    shown: shown / (cases.length || 1),
    calibrationError,
    brier: brier / (counted || 1),
  };
}

function logit(probability: number): number {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, probability));
  return Math.log(bounded / (1 - bounded));
}

function limit(step: number): number {
  return Math.max(-1, Math.min(1, step));
}

function check(holds: boolean, option: string, expected: string, found: number): void {
  if (!holds)
    throw new ToolgateError('invalid-option', `Tuning: ${option} must be ${expected}; found ${found}.`, {
      data: { option },
    });
}
