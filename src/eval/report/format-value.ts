/** A share as per cent with one digit; a dash where there is no value. */
export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : (value * 100).toFixed(1);
}

/** A number with fixed digits; a dash where there is no value. */
export function fixed(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

/** A difference of shares in points, with its sign. */
export function points(value: number): string {
  const text = (value * 100).toFixed(1);
  return value > 0 && text !== '0.0' ? `+${text}` : text === '-0.0' ? '0.0' : text;
}

/** A selection rule in words. */
export function ruleInWords(
  rule:
    | { readonly minProbability: number }
    | {
        readonly keep: {
          readonly expectedRecall: number;
          readonly maxTools?: number | undefined;
          readonly minProbability?: number | undefined;
        };
      }
    | null,
): string {
  if (rule === null) return 'the first 10 found (the scorer gives no probabilities)';
  if ('minProbability' in rule) return `probability at least ${rule.minProbability}`;
  const { expectedRecall, maxTools, minProbability } = rule.keep;
  const most = maxTools === undefined ? '' : `, at most ${maxTools}`;
  const least = minProbability === undefined ? '' : `, none below ${minProbability}`;
  return `the most probable until they hold ${expectedRecall} of the expected useful tools${most}${least}`;
}
