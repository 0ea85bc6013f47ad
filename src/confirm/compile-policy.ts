import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import { errorMessage, ToolgateError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { ToolCallContext } from '../core/tool.ts';
import { defaultVerdict } from './default-policy.ts';
import type { PolicyCall, PolicyRules, PolicyVerdict, ToolCallConfirmationPolicy } from './types.ts';
import { readVerdict, stricterVerdict } from './verdict.ts';

/** What can be given as a policy. In a list the most restrictive verdict counts. */
export type PolicyInput =
  | ToolCallConfirmationPolicy
  | PolicyRules
  | readonly (ToolCallConfirmationPolicy | PolicyRules)[];

/** A policy in its one inner form. */
export interface CompiledPolicy {
  /** Part of what an approval is bound to. */
  readonly version: string;
  /**
   * The most restrictive of the tool's mark and the policies; where neither has an opinion, the default. A policy that
   * says `allow` replaces the default and never the mark. `failed`: a mark or policy threw, which counts as confirm.
   */
  judge(
    call: PolicyCall,
    context: ToolCallContext,
  ): Promise<{ readonly verdict: PolicyVerdict; readonly failed: boolean }>;
}

export function compilePolicy(input: PolicyInput | undefined, logger: Logger): CompiledPolicy {
  const parts = (
    input === undefined ? [] : Array.isArray(input) ? (input as readonly Single[]) : [input as Single]
  ).map((part, index) => compileOne(part, index));
  return {
    version: digestText(canonicalJson(['toolgate-policy-1', ...parts.map((part) => part.version)])).slice(7, 23),
    async judge(call, context) {
      let failed = false;
      const ask = async (what: string, question: () => unknown): Promise<PolicyVerdict | undefined> => {
        try {
          return readVerdict(await question());
        } catch (error) {
          failed = true;
          logger.warn(`${what} failed, so the call waits for a person.`, {
            tool: call.toolName,
            key: call.key,
            error: errorMessage(error),
          });
          return { confirm: { reason: `${what} failed.` } };
        }
      };
      const mark = await ask('The mark of the tool', () => judgeMark(call, context));
      const [only] = parts;
      const verdicts =
        parts.length > 1
          ? await Promise.all(parts.map((part) => ask('The policy', () => part.judge(call, context))))
          : only === undefined
            ? []
            : [await ask('The policy', () => only.judge(call, context))];
      const opinion = verdicts.reduce(stricterVerdict, undefined);
      const verdict = stricterVerdict(
        mark,
        opinion ?? (mark === undefined ? defaultVerdict(call.tool.tool) : undefined),
      );
      return { verdict: verdict ?? 'allow', failed };
    },
  };
}

type Single = ToolCallConfirmationPolicy | PolicyRules;

interface Part {
  readonly version: string;
  readonly judge: (call: PolicyCall, context: ToolCallContext) => unknown;
}

async function judgeMark(call: PolicyCall, context: ToolCallContext): Promise<PolicyVerdict | undefined> {
  const mark = call.tool.tool.requiresConfirmation;
  const marked = typeof mark === 'function' ? await mark(call.arguments as never, context) : mark;
  if (!marked) return undefined;
  return { confirm: { reason: 'The tool is marked as needing confirmation.' } };
}

function compileOne(part: Single, index: number): Part {
  if (typeof part === 'function')
    return { version: part.version ?? 'unversioned', judge: (call, context) => part(call, context) };
  if (typeof part !== 'object' || part === null) {
    throw new ToolgateError('invalid-option', `Policy ${index + 1} is neither a function nor a table of rules.`, {
      data: { option: 'policy' },
    });
  }
  const rules = Object.entries(part).map(([pattern, rule]) => ({ pattern, matches: matcher(pattern), rule }));
  for (const { pattern, rule } of rules) checkRule(pattern, rule);
  const version = canonicalJson(
    rules.map(({ pattern, rule }) => [pattern, typeof rule === 'function' ? 'function' : rule]),
  );
  return {
    version,
    async judge(call, context) {
      let verdict: PolicyVerdict | undefined;
      for (const { matches, rule } of rules) {
        if (!matches(call.toolName)) continue;
        const value = typeof rule === 'function' ? await rule(call.arguments as never, context) : rule;
        verdict = stricterVerdict(
          verdict,
          typeof value === 'boolean' ? (value ? 'confirm' : 'allow') : (readVerdict(value) ?? 'confirm'),
        );
      }
      return verdict;
    },
  };
}

function checkRule(pattern: string, rule: unknown): void {
  const known =
    typeof rule === 'boolean' ||
    typeof rule === 'function' ||
    rule === 'allow' ||
    rule === 'confirm' ||
    (typeof rule === 'object' && rule !== null && ('deny' in rule || 'confirm' in rule));
  if (known) return;
  throw new ToolgateError(
    'invalid-option',
    `The policy rule for ${JSON.stringify(pattern)} must be true, false, 'allow', 'confirm', { deny }, { confirm } or a function.`,
    { data: { option: `policy.${pattern}` } },
  );
}

/** `*` stands for any characters; everything else for itself. Not a regular expression, so that no pattern can be slow. */
function matcher(pattern: string): (name: string) => boolean {
  const pieces = pattern.split('*');
  if (pieces.length === 1) return (name) => name === pattern;
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '');
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const piece of middle) {
      const found = name.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= name.length - last.length;
  };
}
