import type { ToolDefinition } from '../core/tool.ts';

/** A tool as the SDK hands it to a model. */
export interface SerializedTool {
  readonly type: string;
  readonly name: string;
  readonly deferLoading?: boolean;
}

/** Of an agent's requests the tools that are shown. */
export class ShownTools {
  /** Whether deferred tools are only copies, for the runner. */
  readonly #skipsDeferred: boolean;
  #shown: readonly ToolDefinition[] = [];
  #names: readonly string[] = [];
  /** Where each shown tool stood in the last request: it is the same place in the next one, unless the agent's tools changed. */
  #places: readonly number[] = [];

  constructor(skipsDeferred: boolean) {
    this.#skipsDeferred = skipsDeferred;
  }

  /** Those that are shown, in the order in which they are shown; then what is no function tool, as it was. */
  of<TOOL extends SerializedTool>(shown: readonly ToolDefinition[], given: readonly TOOL[]): readonly TOOL[] {
    const tools = this.#again(shown, given) ?? this.#find(shown, given);
    for (let place = 0; place < given.length; place += 1) {
      const tool = given[place] as TOOL;
      if (tool.type !== 'function') tools.push(tool);
    }
    return tools;
  }

  #again<TOOL extends SerializedTool>(shown: readonly ToolDefinition[], given: readonly TOOL[]): TOOL[] | undefined {
    if (this.#shown !== shown) return undefined;
    const tools: TOOL[] = [];
    for (let position = 0; position < this.#places.length; position += 1) {
      const tool = given[this.#places[position] as number];
      if (tool === undefined || tool.name !== this.#names[position] || !this.#canBeShown(tool)) return undefined;
      tools.push(tool);
    }
    return tools;
  }

  #find<TOOL extends SerializedTool>(shown: readonly ToolDefinition[], given: readonly TOOL[]): TOOL[] {
    const placeOf = new Map<string, number>();
    for (const [place, tool] of given.entries()) if (this.#canBeShown(tool)) placeOf.set(tool.name, place);
    const found = shown.filter(({ name }) => placeOf.has(name));
    this.#shown = shown;
    this.#names = found.map(({ name }) => name);
    this.#places = this.#names.map((name) => placeOf.get(name) as number);
    return this.#places.map((place) => given[place] as TOOL);
  }

  #canBeShown({ type, deferLoading }: SerializedTool): boolean {
    return type === 'function' && !(this.#skipsDeferred && deferLoading === true);
  }
}
