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
