import { createToolIndex } from '../../src/index/tool-index.ts';
import { createDecisionModelScorer } from '../../src/eval/scorers/decision-model-scorer.ts';
import { rankPositions } from '../../src/eval/judge-case.ts';
import { localDecisionModel } from '../../src/relevance/local-decision-model.ts';
import { HybridToolSearchStrategy } from '../../src/search/hybrid-strategy.ts';
import { SimpleToolSearchStrategy } from '../../src/search/simple-strategy.ts';
import type { RankingToolSearchStrategy } from '../../src/search/text-query-strategy.ts';
import type { Peer } from './peer.ts';

function strategyPeer(name: string, setup: string, make: () => RankingToolSearchStrategy): Peer {
  return {
    name,
    setup,
    async create(tools) {
      const strategy = make();
      const positions = new Map(tools.map((tool, position) => [tool.name, position]));
      await strategy.rank({ query: tools[0]?.name ?? '', tools });
      return async (query, limit) => {
        const found = await strategy.rank({ query, tools });
        return { positions: found.slice(0, limit).map((tool) => positions.get(tool.name) as number) };
      };
    },
  };
}

export const ownPeers: readonly Peer[] = [
  strategyPeer(
    'seed scoring',
    'SimpleToolSearchStrategy: the scoring of LangChain4j, every word a term',
    () => new SimpleToolSearchStrategy(),
  ),
  {
    name: 'toolgate BM25',
    setup: 'the index with its defaults, best ten',
    create(tools) {
      const index = createToolIndex();
      index.set(tools);
      index.search(tools[0]?.name ?? '');
      return (query, limit) => ({ positions: index.search(query, { limit }).map((hit) => hit.ordinal) });
    },
  },
  strategyPeer('toolgate hybrid', 'words and pieces of words, with its defaults', () => new HybridToolSearchStrategy()),
  {
    name: 'toolgate local model',
    setup: 'localDecisionModel(), every tool asked about',
    async create(tools) {
      const { signal } = new AbortController();
      const scorer = createDecisionModelScorer('local', localDecisionModel(), tools);
      const all = [...tools.keys()];
      const score = async (query: string): Promise<readonly number[]> => {
        const { scores } = await scorer.score({ messages: [{ role: 'user', content: query }], signal });
        return rankPositions(all, scores);
      };
      await score(tools[0]?.name ?? 'tool');
      return async (query, limit) => ({ positions: (await score(query)).slice(0, limit) });
    },
  },
];
