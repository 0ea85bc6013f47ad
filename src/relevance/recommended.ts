import { ToolgateError } from '../core/errors.ts';
import type { SelectionRule } from '../decision/port.ts';
import type { Calibration } from './scorer.ts';

/**
 * What measures best for this model (see the model card). A plain threshold of 0.5 is wrong for it: about half of the needed tools are below,
 * because tools that are alike share the probability.
 */
export const recommendedRule: SelectionRule = { keep: { expectedRecall: 0.92, maxTools: 20, minProbability: 0.01 } };

/** Fills in and checks a calibration. Throws `invalid-option`. */
export function readCalibration(calibration: Calibration | undefined): Calibration {
  if (calibration === undefined) return { slope: 1, offset: 0 };
  const { slope, offset } = calibration;
  if (!(slope > 0) || !Number.isFinite(slope) || !Number.isFinite(offset)) {
    throw new ToolgateError(
      'invalid-option',
      `A calibration needs a slope above 0 and a finite offset; got slope ${slope} and offset ${offset}.`,
      {
        data: { option: 'calibration' },
      },
    );
  }
  return calibration;
}
