import { ToolgateError } from '../core/errors.ts';
import type { RankingToolSearchStrategy } from '../search/text-query-strategy.ts';
import type { Shortlist } from './shortlist.ts';

/**
 * A shortlist by a search strategy that can rank: by words (`Bm25ToolSearchStrategy`), or by words and pieces of words (`HybridToolSearchStrategy`).
 * Throws `invalid-option` for a size below 1.
 */
export function strategyShortlist(
  strategy: Pick<RankingToolSearchStrategy, 'rank'>,
  options: { readonly size?: number | undefined } = {},
): Shortlist {
  const { size } = options;
  if (size !== undefined && !(Number.isInteger(size) && size >= 1)) {
    throw new ToolgateError('invalid-option', 'The size of a shortlist must be a whole number of at least 1.', {
      data: { option: 'size' },
    });
  }
  return {
    size,
    async rank(tools, query, { signal }) {
      const positions = new Map(tools.map((tool, position) => [tool.name, position]));
      const ranked = await strategy.rank({ query, tools, signal });
      return ranked.flatMap(({ name }) => positions.get(name) ?? []);
    },
  };
}
