import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Digest } from '../core/digest.ts';
import { matchTools } from './match-tools.ts';
import type { Catalogue, CatalogueProblem, RegisteredTool } from './types.ts';

/** A catalogue of tools whose exposed names differ. */
export function createCatalogue(list: readonly RegisteredTool[], problems: readonly CatalogueProblem[]): Catalogue {
  const tools = Object.freeze([...list]);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let fingerprint: Digest | undefined;
  return {
    tools,
    problems: Object.freeze([...problems]),
    get fingerprint(): Digest {
      fingerprint ??= digestText(
        canonicalJson([
          'toolgate-catalogue-1',
          tools.map((tool) => [tool.name, tool.fingerprint, tool.provider, tool.direct]),
        ]),
      );
      return fingerprint;
    },
    get: (name) => byName.get(name),
    resolve: (name) => {
      const exact = byName.get(name);
      if (exact !== undefined) return exact;
      const found = matchTools(tools, name);
      return found.length === 1 ? found[0] : undefined;
    },
  };
}
