/**
 * `src/schema` takes Standard Schemas and JSON Schemas in, checks and repairs them, and validates arguments within limits.
 * It imports core only; no schema library, since Standard Schemas are used through their `~standard` property.
 */

/** The part of Standard Schema (standardschema.dev) and Standard JSON Schema that is used here. Zod 4, Valibot and ArkType have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: {
      readonly input: (options: {
        readonly target: string;
        readonly libraryOptions?: Record<string, unknown> | undefined;
      }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a Standard Schema answers. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One fault as a Standard Schema reports it. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type that a Standard Schema gives after validation. */
export type StandardOutput<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : unknown;

/** True for anything with a `~standard` property, also for the callable schemas of ArkType. */
export function hasStandardProperty(value: unknown): value is { readonly '~standard': unknown } {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value;
}
