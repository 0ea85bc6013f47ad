import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ArgumentIssue, JsonSchema, ParsedArguments, Tool } from '../core/tool.ts';
import { adaptArguments } from './adapt-arguments.ts';
import { checkSchema } from './check-schema.ts';
import { applyDefaults } from './defaults.ts';
import { conversionNotes } from './convert-schema.ts';
import { pointerSegments, appendPointer } from './pointer.ts';
import { readArguments } from './read-arguments.ts';
import { repairSchema } from './repair.ts';
import type { SchemaDialect } from './repair.ts';
import { createValidator } from './validate.ts';

/** A tool's schema ready for use. */
export interface PreparedSchema {
  /** What arguments are validated against. */
  readonly original: JsonSchema;
  /** What a model is shown; the same object as the tool's own schema when nothing had to change. */
  readonly shown: JsonSchema;
  readonly notes: readonly string[];
  /** A call's input as the model gave it, ready to run or with what is wrong. `own` is the tool's own parser. Never throws. */
  readonly parse: (input: unknown, own?: Tool['parse']) => Promise<ParsedArguments>;
}

/** A prepared schema, or why there is none. */
export type SchemaPreparation =
  | { readonly ok: true; readonly prepared: PreparedSchema }
  | { readonly ok: false; readonly path: string; readonly message: string };

const cache = new WeakMap<object, Map<SchemaDialect, SchemaPreparation>>();

/** Checks and repairs a schema, once for each schema object and dialect. Schemas are taken as immutable. */
export function prepareSchema(schema: unknown, dialect: SchemaDialect = 'common'): SchemaPreparation {
  const key = typeof schema === 'object' && schema !== null ? schema : undefined;
  const known = key === undefined ? undefined : cache.get(key)?.get(dialect);
  if (known !== undefined) return known;
  const preparation = prepare(schema, dialect);
  if (key !== undefined) {
    const byDialect = cache.get(key) ?? new Map<SchemaDialect, SchemaPreparation>();
    byDialect.set(dialect, preparation);
    cache.set(key, byDialect);
  }
  return preparation;
}

function prepare(schema: unknown, dialect: SchemaDialect): SchemaPreparation {
  const checked = checkSchema(schema);
  if (!checked.ok) return checked;
  const original = checked.schema;
  const repaired = repairSchema(original, dialect);
  const validate = createValidator(original);
  const shownNames = new Map([...repaired.inverse].map(([shown, name]) => [name, shown]));

  const parse = async (input: unknown, own?: Tool['parse']): Promise<ParsedArguments> => {
    try {
      const read = readArguments(input);
      if (!read.ok) return read;
      const adapted = adaptArguments(read.value, original as JsonObject, repaired.inverse);
      const parsed = own === undefined ? validateAndDefault(adapted, original, validate) : await own(adapted);
      return parsed.ok || shownNames.size === 0
        ? parsed
        : { ok: false, issues: parsed.issues.map((issue) => showIssue(issue, shownNames)) };
    } catch {
      // The text of what was thrown may hold internals or the arguments themselves.
      return {
        ok: false,
        issues: [{ path: '', message: 'The arguments could not be read. Correct them to fit the input schema.' }],
      };
    }
  };
  return {
    ok: true,
    prepared: {
      original,
      shown: repaired.schema,
      notes: [...conversionNotes(schema), ...checked.notes, ...repaired.notes],
      parse,
    },
  };
}

function validateAndDefault(
  value: JsonValue,
  schema: JsonSchema,
  validate: (value: JsonValue) => readonly ArgumentIssue[],
): ParsedArguments {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      ok: false,
      issues: [
        {
          path: '',
          message: `Expected a JSON object with the tool's arguments, got ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}.`,
        },
      ],
    };
  }
  applyDefaults(value, schema);
  const issues = validate(value);
  return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
}

/** Speaks to the model in the names it was shown. */
function showIssue(issue: ArgumentIssue, shownNames: ReadonlyMap<string, string>): ArgumentIssue {
  const path = (pointerSegments(issue.path) ?? []).reduce(
    (pointer, segment) => appendPointer(pointer, shownNames.get(segment) ?? segment),
    '',
  );
  let message = issue.message;
  for (const [name, shown] of shownNames)
    message = message.replaceAll(JSON.stringify(name), JSON.stringify(shown)).replaceAll(`"${name}"`, `"${shown}"`);
  return { path, message };
}
