/**
 * The one file outside the command line and the configuration that reads the environment: the keys and addresses that vendors' own
 * clients read, under the vendors' own names, so that a key that is already there need not be passed on by hand.
 */

/** A variable's value; undefined when it is not set, blank, or there is no environment. */
export function readEnvironment(name: VendorVariable): string | undefined {
  const value = typeof process === 'undefined' ? undefined : process.env[name];
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** The variables that are read, and nothing else is. */
export type VendorVariable =
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'OPENROUTER_API_KEY'
  | 'TYPESAFE_API_KEY'
  | 'TYPESAFE_AI_API_KEY'
  | 'TYPESAFE_BASE_URL'
  | 'OLLAMA_HOST';
