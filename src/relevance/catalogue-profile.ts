import type { ToolDefinition } from '../core/tool.ts';
import { createToolIndex } from '../index/tool-index.ts';
import type { ToolIndex } from '../index/tool-index.ts';
import type { WordEmbedder } from './word-embedder.ts';
import { findFamilies } from './families.ts';
import { createGramScores } from './gram-scores.ts';
import type { GramScores } from './gram-scores.ts';
import { createVectorIndex } from './vector-index.ts';
import type { VectorIndex } from './vector-index.ts';

/** What the lexical features need of one tool. */
export interface ToolProfile {
  readonly name: ReadonlySet<string>;
  readonly description: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** The words of the name with single spaces, lower case. */
  readonly spokenName: string;
}

/** Everything that is computed once for a catalogue. */
export interface CatalogueProfile {
  readonly tools: readonly ToolDefinition[];
  readonly index: ToolIndex;
  /** Place of a tool, by identity. */
  place(tool: ToolDefinition): number | undefined;
  profile(ordinal: number): ToolProfile;
  /** The group of each tool, or -1: tools of one server, or, for tools without one, of one rare first word (`calendar_add`, `calendar_list`). */
  readonly families: Int32Array;
  /** The catalogue's character n-grams, made when first asked for. */
  grams(): GramScores;
  /** The catalogue's word vectors, made when first asked for. */
  vectors(embedder: WordEmbedder): VectorIndex;
}

const remembered = new WeakMap<readonly ToolDefinition[], CatalogueProfile>();
/** The latest few, for callers that make a new array of the same tools for every turn. */
let latest: readonly CatalogueProfile[] = [];
const maximumLatest = 4;

/** The profile of a catalogue. Kept for its array and for other arrays of the same tools, so a later turn costs one query only. */
export function catalogueProfile(tools: readonly ToolDefinition[]): CatalogueProfile {
  const known = remembered.get(tools);
  // The array is the caller's: it may have been changed in place.
  if (known !== undefined && holds(known, tools)) return known;
  const profile = latest.find((one) => holds(one, tools)) ?? createCatalogueProfile([...tools]);
  remembered.set(tools, profile);
  if (tools.length > 1) latest = [profile, ...latest.filter((one) => one !== profile)].slice(0, maximumLatest);
  return profile;
}

function holds(profile: CatalogueProfile, tools: readonly ToolDefinition[]): boolean {
  return profile.tools.length === tools.length && profile.tools.every((tool, place) => tool === tools[place]);
}

function createCatalogueProfile(tools: readonly ToolDefinition[]): CatalogueProfile {
  const index = createToolIndex();
  index.set(withDistinctNames(tools));
  const places = new Map<ToolDefinition, number>();
  for (const [place, tool] of tools.entries()) if (!places.has(tool)) places.set(tool, place);
  const profiles: (ToolProfile | undefined)[] = [];
  let gramScores: GramScores | undefined;
  let vectorOwner: WordEmbedder | undefined;
  let vectorIndex: VectorIndex | undefined;
  return {
    tools,
    index,
    place: (tool) => places.get(tool),
    families: findFamilies(tools, index),
    profile: (ordinal) => (profiles[ordinal] ??= readProfile(index, ordinal)),
    grams: () => (gramScores ??= createGramScores(tools, index.tokenizer)),
    vectors(embedder) {
      if (vectorIndex === undefined || vectorOwner !== embedder) {
        vectorIndex = createVectorIndex(index, embedder);
        vectorOwner = embedder;
      }
      return vectorIndex;
    },
  };
}

/** The index knows tools by name; two of one name (possible before names are exposed) are told apart by spaces, which it does not read. */
function withDistinctNames(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const seen = new Set<string>();
  return tools.map((tool) => {
    let name = tool.name;
    while (seen.has(name)) name += ' ';
    seen.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}

function readProfile(index: ToolIndex, ordinal: number): ToolProfile {
  const set = (...fields: readonly Parameters<ToolIndex['terms']>[1][]): Set<string> =>
    new Set(fields.flatMap((field) => index.terms(ordinal, field)));
  const name = set('name', 'aliases');
  const description = set('description');
  const tokens = index.tokenizer.tokenize(index.texts(ordinal).name);
  return {
    name,
    description,
    parameters: set('parameterNames', 'parameterDescriptions', 'values'),
    spokenName: tokens
      .filter((token) => token.kind !== 'joined')
      .map((token) => token.word)
      .join(' '),
  };
}
