import type { DecisionUsage } from './port.ts';

/** The sum of two counts of tokens; what neither counts stays out. */
export function addUsage(
  first: DecisionUsage | undefined,
  second: DecisionUsage | undefined,
): DecisionUsage | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { ...sum('inputTokens', first, second), ...sum('outputTokens', first, second) };
}

function sum(name: keyof DecisionUsage, first: DecisionUsage, second: DecisionUsage): DecisionUsage {
  const a = first[name];
  const b = second[name];
  return a === undefined && b === undefined ? {} : { [name]: (a ?? 0) + (b ?? 0) };
}
