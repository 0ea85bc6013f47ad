import type { ArgumentIssue, ParsedArguments } from '../core/tool.ts';
import { appendPointer } from './pointer.ts';
import { copyJson } from './read-arguments.ts';
import type { StandardIssue, StandardSchema } from './standard-schema.ts';

const dateTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const mostIssues = 20;

/**
 * A parser for a tool whose input is a Standard Schema. A text that stands where the schema wants a `Date` is turned into
 * one, since JSON has no dates and the published schema asks for a text there. Never throws.
 */
export function parserFor(schema: StandardSchema, hasDates: boolean): (input: unknown) => Promise<ParsedArguments> {
  return async (input) => {
    try {
      let result = await schema['~standard'].validate(input);
      if (result.issues !== undefined && hasDates) {
        const dated = withDates(input, result.issues);
        if (dated !== undefined) result = await schema['~standard'].validate(dated);
      }
      if (result.issues === undefined) return { ok: true, value: result.value };
      return { ok: false, issues: result.issues.slice(0, mostIssues).map(toIssue) };
    } catch {
      return {
        ok: false,
        issues: [{ path: '', message: 'The arguments could not be checked. Correct them to fit the input schema.' }],
      };
    }
  };
}

function toIssue(issue: StandardIssue): ArgumentIssue {
  return {
    path: keysOf(issue).reduce((pointer: string, key) => appendPointer(pointer, key), ''),
    message: issue.message,
  };
}

function keysOf(issue: StandardIssue): readonly string[] {
  return (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));
}

/** A copy of the input with dates where an issue points to a text that is one; undefined when there is none. */
function withDates(input: unknown, issues: readonly StandardIssue[]): unknown {
  const copy: unknown = copyJson(input);
  let changed = false;
  for (const issue of issues.slice(0, 1_000)) {
    const keys = keysOf(issue);
    const last = keys.at(-1);
    if (last === undefined) continue;
    const parent = keys
      .slice(0, -1)
      .reduce<unknown>(
        (value, key) => (isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined),
        copy,
      );
    if (!isContainer(parent) || !Object.hasOwn(parent, last)) continue;
    const text = parent[last];
    if (typeof text !== 'string' || !dateTime.test(text)) continue;
    const date = new Date(text);
    if (Number.isNaN(date.getTime())) continue;
    parent[last] = date;
    changed = true;
  }
  return changed ? copy : undefined;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
