import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import { ToolgateError } from '../core/errors.ts';
import type { Tool, ToolContext, ToolDefinition } from '../core/tool.ts';
import type { SearchContext, SearchService } from '../search/search-service.ts';
import { resultWithFound } from './found-in-messages.ts';

/** Registered search tools without their search, by the definitions they came from: checked and described once. */
const templates = new WeakMap<readonly ToolDefinition[], Catalogue>();

/**
 * The search tools as tools of the registry's kind, so that a search runs through the same place as any other call. What may
 * be found is asked for at each search. The service reads the arguments itself: whatever a model gives, it answers with words.
 */
export function searchToolsFor(
  definitions: readonly ToolDefinition[],
  service: SearchService,
  context: () => SearchContext,
): readonly RegisteredTool[] {
  const known = templates.get(definitions) ?? catalogueOf(definitions.map(template));
  templates.set(definitions, known);
  return known.tools.map((tool) => searching(tool, service, context));
}

function template(definition: ToolDefinition): Tool {
  return {
    ...definition,
    annotations: { readOnlyHint: true, openWorldHint: false, ...definition.annotations },
    visibility: 'always',
    parse: (input) => ({ ok: true, value: input }),
    execute: () => Promise.reject(new ToolgateError('internal', 'A search tool was run that nothing was given to.')),
  };
}

function searching(known: RegisteredTool, service: SearchService, context: () => SearchContext): RegisteredTool {
  return {
    name: known.name,
    provider: known.provider,
    direct: known.direct,
    parse: (input) => known.parse(input),
    get definition() {
      return known.definition;
    },
    get fingerprint() {
      return known.fingerprint;
    },
    get tokens() {
      return known.tokens;
    },
    tool: {
      ...known.tool,
      async execute(input: unknown, { signal }: ToolContext) {
        const outcome = await service.searchCall(input, { ...context(), signal });
        return resultWithFound(
          outcome.text,
          outcome.found.map(({ name }) => name),
        );
      },
    },
  };
}
