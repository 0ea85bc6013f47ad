import type { ToolDefinition } from '../core/tool.ts';

/** A tool as the SDK hands it to a model. */
export interface SerializedTool {
  readonly type: string;
  readonly name: string;
}

/** Of an agent's requests the tools that are shown. */
export class ShownTools {
  #shown: readonly ToolDefinition[] = [];
  /** Where each shown tool stood in the last request: it is the same place in the next one, unless the agent's tools changed. */
  #places: readonly number[] = [];

  /** Those that are shown, in the order in which they are shown; then what is no function tool, as it was. */
  of<TOOL extends SerializedTool>(shown: readonly ToolDefinition[], given: readonly TOOL[]): readonly TOOL[] {
    const tools = this.#again(shown, given) ?? this.#find(shown, given);
    for (const tool of given) if (tool.type !== 'function') tools.push(tool);
    return tools;
  }

  #again<TOOL extends SerializedTool>(shown: readonly ToolDefinition[], given: readonly TOOL[]): TOOL[] | undefined {
    if (this.#shown !== shown) return undefined;
    const tools: TOOL[] = [];
    for (let position = 0; position < shown.length; position += 1) {
      const tool = given[this.#places[position] ?? -1];
      if (tool?.type !== 'function' || tool.name !== shown[position]?.name) return undefined;
      tools.push(tool);
    }
    return tools;
  }

  #find<TOOL extends SerializedTool>(shown: readonly ToolDefinition[], given: readonly TOOL[]): TOOL[] {
    const placeOf = new Map<string, number>();
    for (const [place, { type, name }] of given.entries()) if (type === 'function') placeOf.set(name, place);
    const places = shown.map(({ name }) => placeOf.get(name)).filter((place) => place !== undefined);
    this.#shown = shown;
    this.#places = places;
    return places.map((place) => given[place] as TOOL);
  }
}
