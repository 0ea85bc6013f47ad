import { Validator } from '@cfworker/json-schema';
import type { OutputUnit, Schema, SchemaDraft } from '@cfworker/json-schema';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ArgumentIssue, JsonSchema } from '../core/tool.ts';
import { describeIssues } from './describe-issues.ts';
import { compileForValidation } from './compile-schema.ts';

/** How many schema visits one validation may take; beyond it the arguments are refused. A few hundred milliseconds. */
const visitBudget = 150_000;
/** Comparing the items of an array with each other is quadratic. */
const longestUniqueArray = 2_000;

/** Checks arguments against a schema. Gives the issues; empty when they fit. Never throws. */
export type ArgumentsValidator = (value: JsonValue) => readonly ArgumentIssue[];

/**
 * A validator for a schema that {@link checkSchema} has let through, for draft-07 and 2020-12. Bounded in time: visits are
 * counted, patterns and formats are matched only on short texts, and nothing is ever fetched. What exceeds a bound is refused,
 * with an issue that says so. Compiled at the first use.
 */
export function createValidator(schema: JsonSchema): ArgumentsValidator {
  let compiled: ((value: JsonValue) => readonly OutputUnit[]) | undefined;
  return (value) => {
    try {
      compiled ??= compile(schema);
      const errors = compiled(value);
      return errors.length === 0 ? [] : describeIssues(errors, value);
    } catch (error) {
      if (error instanceof BudgetSpent) return [{ path: '', message: error.message }];
      return [
        {
          path: '',
          message: 'The arguments could not be checked against the schema within its limits. Send simpler arguments.',
        },
      ];
    }
  };
}

class BudgetSpent extends Error {}

function compile(schema: JsonSchema): (value: JsonValue) => readonly OutputUnit[] {
  let left = visitBudget;
  const spend = (): undefined => {
    left -= 1;
    if (left < 0) throw new BudgetSpent('Checking the arguments takes too long. Send fewer or simpler values.');
    return undefined;
  };
  const compiled = compileForValidation(schema, spend);
  const validator = new Validator(compiled.schema as Schema, draftOf(schema), false);
  return (value) => {
    if (compiled.comparesItems && longestArray(value) > longestUniqueArray) {
      throw new BudgetSpent(
        `Arrays of more than ${longestUniqueArray} items cannot be checked for unique items. Send fewer.`,
      );
    }
    left = visitBudget;
    const result = validator.validate(value);
    return result.valid ? [] : result.errors;
  };
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const declared: unknown = schema['$schema'];
  if (typeof declared !== 'string') return '2020-12';
  if (declared.includes('draft-04')) return '4';
  return declared.includes('draft-06') || declared.includes('draft-07') ? '7' : '2020-12';
}

function longestArray(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce((longest: number, item) => Math.max(longest, longestArray(item)), value.length);
  if (!isPlainObject(value)) return 0;
  let longest = 0;
  for (const member of Object.values(value as JsonObject)) longest = Math.max(longest, longestArray(member));
  return longest;
}
