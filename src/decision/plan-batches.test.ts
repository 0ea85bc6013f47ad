import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planBatches, usable } from './plan-batches.ts';

const plan = (
  count: number,
  limits: Parameters<typeof planBatches>[0]['limits'],
  sizes: readonly number[] = [],
): readonly string[] =>
  planBatches({ count, limits, fixedBytes: 10, bytesOf: (position) => sizes[position] ?? 1 }).map(
    ({ from, to }) => `${from}-${to}`,
  );

describe('planBatches', () => {
  it('makes no request for no question, and one without limits', () => {
    expect(plan(0, {})).toEqual([]);
    expect(plan(1000, {})).toEqual(['0-1000']);
  });

  it('cuts by the number of questions, as evenly as possible', () => {
    expect(plan(4, { maxQuestions: 4 })).toEqual(['0-4']);
    expect(plan(5, { maxQuestions: 4 })).toEqual(['0-3', '3-5']);
    expect(plan(9, { maxQuestions: 4 })).toEqual(['0-3', '3-6', '6-9']);
  });

  it('cuts by bytes, what stands in every request included', () => {
    expect(plan(4, { maxRequestBytes: 12 })).toEqual(['0-2', '2-4']);
    expect(plan(3, { maxRequestBytes: 16 }, [3, 3, 3])).toEqual(['0-2', '2-3']);
    expect(plan(3, { maxRequestBytes: 19 }, [3, 3, 3])).toEqual(['0-3']);
  });

  it('gives a question that is too large alone a request of its own', () => {
    expect(plan(3, { maxRequestBytes: 15 }, [1, 100, 1])).toEqual(['0-1', '1-2', '2-3']);
  });

  it('covers every question once, in order, whatever the limits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { maxLength: 60 }),
        fc.option(fc.integer({ min: -2, max: 20 })),
        fc.option(fc.nat(120)),
        (sizes, maxQuestions, maxRequestBytes) => {
          const batches = planBatches({
            count: sizes.length,
            limits: { maxQuestions: maxQuestions ?? undefined, maxRequestBytes: maxRequestBytes ?? undefined },
            fixedBytes: 10,
            bytesOf: (position) => sizes[position] as number,
          });
          expect(batches.flatMap(({ from, to }) => sizes.map((_, index) => index).slice(from, to))).toEqual(
            sizes.map((_, index) => index),
          );
          for (const { from, to } of batches) {
            if (usable(maxQuestions ?? undefined) !== undefined)
              expect(to - from).toBeLessThanOrEqual(maxQuestions as number);
            const bytes = sizes.slice(from, to).reduce((sum, size) => sum + size, 10);
            if (usable(maxRequestBytes ?? undefined) !== undefined && to - from > 1)
              expect(bytes).toBeLessThanOrEqual(maxRequestBytes as number);
          }
        },
      ),
    );
  });
});

describe('usable', () => {
  it('takes numbers of at least 1 and reads everything else as no limit', () => {
    expect([1, 2.9, 0, -1, Number.NaN, Infinity, undefined].map(usable)).toEqual([
      1,
      2,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
