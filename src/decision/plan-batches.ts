import type { DecisionModelLimits } from './port.ts';

/** From and up to but without, as positions in the list of questions. */
export interface Batch {
  readonly from: number;
  readonly to: number;
}

/** What a plan must keep to. */
export interface BatchPlan {
  /** How many questions there are. */
  readonly count: number;
  readonly limits: DecisionModelLimits;
  /** UTF-8 bytes of the body without any question. */
  readonly fixedBytes: number;
  /** UTF-8 bytes of one question in the body, with its id. Only asked when there is a limit of bytes. */
  bytesOf(position: number): number;
}

/**
 * Cuts questions into requests that keep to the limits, in order and without gaps. A question that is too large alone gets a
 * request of its own: whether the model takes it is for the model to say. Batches are as even as the number of questions
 * lets them be, so that no last request is nearly empty.
 */
export function planBatches(plan: BatchPlan): readonly Batch[] {
  const { count } = plan;
  const maxQuestions = usable(plan.limits.maxQuestions) ?? count;
  const maxBytes = usable(plan.limits.maxRequestBytes);
  if (count === 0) return [];
  const size = Math.ceil(count / Math.ceil(count / maxQuestions));
  const batches: Batch[] = [];
  let from = 0;
  while (from < count) {
    let to = Math.min(count, from + size);
    if (maxBytes !== undefined) to = fit(plan, from, to, maxBytes);
    batches.push({ from, to });
    from = to;
  }
  return batches;
}

/** A limit that is a whole number of at least 1; undefined for anything else, which is no limit. */
export function usable(limit: number | undefined): number | undefined {
  return typeof limit === 'number' && limit >= 1 && Number.isFinite(limit) ? Math.floor(limit) : undefined;
}

function fit(plan: BatchPlan, from: number, to: number, maxBytes: number): number {
  let bytes = plan.fixedBytes;
  for (let position = from; position < to; position += 1) {
    bytes += plan.bytesOf(position);
    if (bytes > maxBytes && position > from) return position;
  }
  return to;
}
