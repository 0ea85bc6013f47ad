import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { Catalogue } from '../catalog/types.ts';
import type { Tool, ToolContext, ToolDefinition } from '../core/tool.ts';
import type { SearchContext, SearchService } from '../search/search-service.ts';
import { resultWithFound } from './found-in-messages.ts';

/**
 * The search tools as tools of the registry's kind, so that a search runs through the same place as any other call. What may
 * be found is asked for at each search. The service reads the arguments itself: whatever a model gives, it answers with words.
 */
export function searchToolsFor(
  definitions: readonly ToolDefinition[],
  service: SearchService,
  context: () => SearchContext,
): Catalogue {
  return catalogueOf(definitions.map((definition) => searchTool(definition, service, context)));
}

function searchTool(definition: ToolDefinition, service: SearchService, context: () => SearchContext): Tool {
  return {
    ...definition,
    annotations: { readOnlyHint: true, openWorldHint: false, ...definition.annotations },
    visibility: 'always',
    parse: (input) => ({ ok: true, value: input }),
    async execute(input: unknown, { signal }: ToolContext) {
      const outcome = await service.searchCall(input, { ...context(), signal });
      return resultWithFound(
        outcome.text,
        outcome.found.map(({ name }) => name),
      );
    },
  };
}
