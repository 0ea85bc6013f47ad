import type { JsonObject } from '../core/json.ts';
import type { JsonSchema } from '../core/tool.ts';
import type { KeyInverse } from './adapt-arguments.ts';
import { repairForGemini } from './repair-gemini.ts';
import { renameKeys } from './repair-keys.ts';
import { repairNodes } from './repair-nodes.ts';
import { inlineReferences } from './repair-references.ts';
import { flattenRoot } from './repair-root.ts';

/**
 * Whose rules a shown schema follows. `common`: what the strict providers have in common, changing as little as possible.
 * `gemini`: also no references, no lists of types, only texts in enums, no `const`.
 */
export type SchemaDialect = 'common' | 'gemini';

/** What a model is shown, and how its arguments come back to the original schema. */
export interface RepairedSchema {
  /** The same object as the original when nothing had to change. */
  readonly schema: JsonSchema;
  readonly notes: readonly string[];
  /** For {@link adaptArguments}; empty when no property was renamed. */
  readonly inverse: KeyInverse;
}

/**
 * Makes a checked schema acceptable to strict providers. The original stays what arguments are validated against, so a
 * repair may show less than the original demands, and never decides anything. Values that a provider forces into texts
 * come back through {@link adaptArguments}.
 */
export function repairSchema(schema: JsonSchema, dialect: SchemaDialect = 'common'): RepairedSchema {
  const notes = new Set<string>();
  const note = (text: string): void => {
    notes.add(text);
  };
  let current: JsonObject = flattenRoot(schema, note);
  current = inlineReferences(current, dialect === 'gemini', note);
  current = repairNodes(current, note);
  if (dialect === 'gemini') current = repairForGemini(current, note);
  const renamed = renameKeys(current, note);
  return { schema: renamed.schema, notes: [...notes], inverse: renamed.inverse };
}
