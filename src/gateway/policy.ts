import type { RegisteredTool } from '../catalog/types.ts';
import { defaultVerdict } from '../confirm/default-policy.ts';
import { matchesPattern } from './name-pattern.ts';
import type { PolicyRules } from '../confirm/types.ts';
import type { PolicyRule } from '../config/types.ts';

/** The rules of the configuration file in the form the manager takes. A refusal names the rule, so that a person can find it. */
export function policyRules(rules: Readonly<Record<string, PolicyRule>>): PolicyRules {
  return Object.fromEntries(
    Object.entries(rules).map(([pattern, rule]) => {
      if (rule !== 'deny') return [pattern, rule];
      return [pattern, { deny: `The configuration forbids it (rule ${JSON.stringify(pattern)}).` }];
    }),
  );
}

/** Whether a call of the tool may wait: a rule says so, or no rule says anything and the default does. The most restrictive rule counts. */
export function mayWait(tool: RegisteredTool, rules: Readonly<Record<string, PolicyRule>>): boolean {
  const matching = Object.entries(rules)
    .filter(([pattern]) => matchesPattern(tool.name, pattern))
    .map(([, rule]) => rule);
  if (matching.some((rule) => rule === 'deny' || typeof rule === 'object')) return false;
  if (matching.length > 0) return matching.includes('confirm');
  return defaultVerdict(tool.tool) !== 'allow';
}
