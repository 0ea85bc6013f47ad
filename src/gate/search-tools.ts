import { catalogueOf } from '../catalog/catalogue-of.ts';
import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import { ToolgateError } from '../core/errors.ts';
import type { Tool, ToolContext, ToolDefinition } from '../core/tool.ts';
import type { SearchContext, SearchService } from '../search/search-service.ts';
import { resultWithFound } from './found-in-messages.ts';

/** Registered search tools without their search: checked and described once for all conversations in which they read the same. */
export class SearchToolTemplates {
  readonly #byText = new Map<string, Catalogue>();

  of(definitions: readonly ToolDefinition[]): Catalogue {
    const text = JSON.stringify(definitions);
    const known = this.#byText.get(text) ?? catalogueOf(definitions.map(template));
    this.#byText.delete(text);
    this.#byText.set(text, known);
    const oldest = this.#byText.keys().next();
    if (this.#byText.size > mostTemplates && oldest.done !== true) this.#byText.delete(oldest.value);
    return known;
  }
}

/** What a search tool says of itself depends on the tools that a principal may use. */
const mostTemplates = 64;

/**
 * The search tools as tools of the registry's kind, so that a search runs through the same place as any other call. What may
 * be found is asked for at each search. The service reads the arguments itself: whatever a model gives, it answers with words.
 */
export function searchToolsFor(
  templates: Catalogue,
  service: SearchService,
  context: () => SearchContext,
): readonly RegisteredTool[] {
  return templates.tools.map((tool) => searching(tool, service, context));
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
