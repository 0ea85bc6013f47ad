import { seedOf, seededRandom } from './seeded-random.ts';

/**
 * At most `limit` items, drawn without replacement and kept in their order. The same list, limit and seed give the same sample.
 * @param label Whose items they are, so that two sets of one size are not drawn alike.
 */
export function sampleCases<Item>(items: readonly Item[], limit: number, label: string, seed: number): readonly Item[] {
  if (items.length <= limit) return items;
  const random = seededRandom(seedOf(label, seed));
  const order = items.map((_, index) => index);
  for (let index = 0; index < limit; index++) {
    const other = index + random.below(order.length - index);
    const moved = order[index] as number;
    order[index] = order[other] as number;
    order[other] = moved;
  }
  return order
    .slice(0, limit)
    .toSorted((left, right) => left - right)
    .map((index) => items[index] as Item);
}
