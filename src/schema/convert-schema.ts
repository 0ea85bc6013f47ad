import { ToolgateError, errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonSchema } from '../core/tool.ts';
import { omitKeys } from './own.ts';
import type { StandardSchema } from './standard-schema.ts';

const notesBySchema = new WeakMap<object, readonly string[]>();

/** What had to be left out when a Standard Schema was written as a JSON Schema. */
export function conversionNotes(schema: unknown): readonly string[] {
  return typeof schema === 'object' && schema !== null ? (notesBySchema.get(schema) ?? []) : [];
}

/** A written schema, and whether dates stand in it as texts. */
export interface ConvertedSchema {
  readonly schema: JsonSchema;
  readonly hasDates: boolean;
}

/**
 * The JSON Schema of what a Standard Schema takes (its input side: before defaults and transforms). Dates become
 * date-time texts; a part that JSON Schema cannot express accepts anything. A schema library that refuses the whole
 * conversion gives an object of anything, with a note, and validation still follows the Standard Schema. Throws
 * `invalid-schema` only when the library cannot write JSON Schemas at all.
 */
export function convertStandardSchema(schema: StandardSchema, toolName: string): ConvertedSchema {
  const standard = schema['~standard'] as Partial<StandardSchema['~standard']>;
  if (typeof standard.validate !== 'function' || typeof standard.jsonSchema?.input !== 'function') {
    throw new ToolgateError(
      'invalid-schema',
      `The input of tool "${toolName}" is a Standard Schema of ${standard.vendor ?? 'an unknown library'} without "~standard.jsonSchema". ` +
        'Use a version of the library that has it (zod 4.2 or newer), or give a JSON Schema.',
      { data: { tool: toolName, path: '' } },
    );
  }
  const found = { dates: false, unknown: 0 };
  const libraryOptions = { unrepresentable: 'any', override: (context: unknown): void => describeDate(context, found) };
  const attempts = [{ target: 'draft-2020-12', libraryOptions }, { target: 'draft-2020-12' }, { target: 'draft-07' }];
  let reason = '';
  for (const attempt of attempts) {
    try {
      const written: unknown = standard.jsonSchema.input(attempt);
      if (!isPlainObject(written)) continue;
      const result = omitKeys(written, ['$schema', '~standard']) as JsonSchema;
      if (found.unknown > 0)
        notesBySchema.set(result, [
          `${found.unknown} part(s) of the schema cannot be written as JSON Schema and accept anything`,
        ]);
      return { schema: result, hasDates: found.dates };
    } catch (error) {
      reason = errorMessage(error);
    }
  }
  const anything: JsonSchema = { type: 'object', properties: {} };
  notesBySchema.set(anything, [
    `the schema cannot be written as JSON Schema (${reason.slice(0, 160)}); an object of anything is shown`,
  ]);
  return { schema: anything, hasDates: found.dates };
}

/** Zod calls this for every part it writes. */
function describeDate(context: unknown, found: { dates: boolean; unknown: number }): void {
  if (!isPlainObject(context)) return;
  const written = context['jsonSchema'];
  const type = (context['zodSchema'] as { _zod?: { def?: { type?: unknown } } } | undefined)?._zod?.def?.type;
  if (!isPlainObject(written)) return;
  if (type === 'date') {
    written['type'] = 'string';
    written['format'] = 'date-time';
    found.dates = true;
  } else if (
    typeof type === 'string' &&
    ['bigint', 'symbol', 'map', 'set', 'custom', 'function', 'nan'].includes(type)
  ) {
    found.unknown += 1;
  }
}
