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

/** What happens to a call of the tool: the most restrictive rule counts, and where no rule says anything, the default. */
export function verdictOf(
  tool: RegisteredTool,
  rules: Readonly<Record<string, PolicyRule>>,
): 'allow' | 'confirm' | 'deny' {
  const matching = Object.entries(rules)
    .filter(([pattern]) => matchesPattern(tool.name, pattern))
    .map(([, rule]) => rule);
  if (matching.some((rule) => rule === 'deny' || typeof rule === 'object')) return 'deny';
  if (matching.length > 0) return matching.includes('confirm') ? 'confirm' : 'allow';
  return defaultVerdict(tool.tool) === 'allow' ? 'allow' : 'confirm';
}
