import type { OutputUnit } from '@cfworker/json-schema';
import type { ArgumentIssue } from '../core/tool.ts';
import { isPlainObject } from '../core/json.ts';
import { jsonTypeOf } from './accepts.ts';
import { appendPointer, resolveReference } from './pointer.ts';

const mostIssues = 20;
/** These only say that something further inside is wrong. */
const wrappers: ReadonlySet<string> = new Set([
  '$ref',
  '$recursiveRef',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'allOf',
  'if',
  'dependentSchemas',
  'propertyNames',
]);

/** A validator's errors as issues that a model can act on: where, what was expected, what came. */
export function describeIssues(errors: readonly OutputUnit[], value: unknown): readonly ArgumentIssue[] {
  const issues = new Map<string, ArgumentIssue>();
  for (let index = 0; index < errors.length && issues.size < mostIssues; index += 1) {
    const error = errors[index];
    if (error === undefined || wrappers.has(error.keyword)) continue;
    if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
      // The interesting error follows, unless the key is simply not allowed.
      const following = errors[index + 1];
      if (following?.keyword !== 'false') continue;
      index += 1;
      add(
        issues,
        following.instanceLocation.slice(1),
        'This property is not known. Leave it out, or correct its name.',
      );
      continue;
    }
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const inside = branchErrors(errors, index);
      const reasons = [
        ...new Set(
          inside
            .slice(0, 40)
            .filter((one) => !wrappers.has(one.keyword) && one.keyword !== 'anyOf' && one.keyword !== 'oneOf')
            .map((one) => reason(one, value)),
        ),
      ];
      const text =
        reasons.length === 0 ? error.error : `None of the allowed forms fits: ${reasons.slice(0, 6).join('; or ')}`;
      add(
        issues,
        error.instanceLocation.slice(1),
        error.error.includes('exactly one') && inside.length === 0
          ? 'More than one of the allowed forms fits; exactly one must.'
          : text,
      );
      index += inside.length;
      continue;
    }
    const path = error.keyword === 'required' ? missingPath(error) : error.instanceLocation.slice(1);
    add(issues, path, sentence(error, value));
  }
  if (issues.size === 0) add(issues, '', 'The arguments do not fit the schema.');
  return [...issues.values()];
}

function add(issues: Map<string, ArgumentIssue>, path: string, message: string): void {
  const key = `${path} ${message}`;
  if (!issues.has(key)) issues.set(key, { path, message });
}

/** The errors that belong to the alternatives of the error at `index`. */
function branchErrors(errors: readonly OutputUnit[], index: number): readonly OutputUnit[] {
  const location = errors[index]?.keywordLocation ?? '';
  let end = index + 1;
  while (end < errors.length && (errors[end]?.keywordLocation ?? '').startsWith(`${location}/`)) end += 1;
  return errors.slice(index + 1, end);
}

function missingKey(error: OutputUnit): string {
  return /required property "(.*)"\.$/s.exec(error.error)?.[1] ?? '';
}

function missingPath(error: OutputUnit): string {
  return appendPointer(error.instanceLocation.slice(1), missingKey(error));
}

function reason(error: OutputUnit, value: unknown): string {
  const path = error.instanceLocation.slice(1);
  const text = sentence(error, value).replace(/\.$/, '');
  return path === '' || error.keyword === 'required' ? text : `${path}: ${text}`;
}

function sentence(error: OutputUnit, value: unknown): string {
  switch (error.keyword) {
    case 'required':
      return `Required property "${missingKey(error)}" is missing.`;
    case 'type': {
      const expected = [...error.error.slice(error.error.indexOf('Expected')).matchAll(/"([a-z]+)"/g)]
        .map((found) => found[1])
        .join(' or ');
      return `Expected ${expected}, got ${gotText(value, error)}.`;
    }
    case 'enum':
      return `Expected one of ${clip(/any of (.*)\.$/s.exec(error.error)?.[1] ?? '')}, got ${gotText(value, error)}.`;
    case 'const':
      return `Expected ${clip(/match (.*)\.$/s.exec(error.error)?.[1] ?? '')}, got ${gotText(value, error)}.`;
    case 'false':
      return 'No value is allowed here.';
    default:
      return clip(error.error.replace(/^Instance does not/, 'Does not').replace(/^Instance /, 'The value '));
  }
}

function gotText(value: unknown, error: OutputUnit): string {
  const found = resolveReference(value, error.instanceLocation);
  const type = jsonTypeOf(found);
  if (found === null || typeof found === 'boolean' || typeof found === 'number') return JSON.stringify(found);
  if (typeof found === 'string')
    return found.length > 60 ? `a string of ${found.length} characters` : `the string ${JSON.stringify(found)}`;
  return isPlainObject(found) || type === 'object' ? 'an object' : 'an array';
}

function clip(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
