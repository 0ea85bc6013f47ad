import { ToolgateError } from '../core/errors.ts';
import type { ToolGateOptions } from './options.ts';

/** Checks what no part below checks itself. Throws `invalid-option`, which names the option and what it must be. */
export function checkGateOptions(options: ToolGateOptions): void {
  if (typeof options !== 'object' || options === null) throw wrong('options', 'an object', options);
  for (const name of ['tools', 'providers'] as const)
    if (options[name] !== undefined && !Array.isArray(options[name])) throw wrong(name, 'a list', options[name]);
  options.providers?.forEach((provider, index) => {
    if (typeof provider?.provideTools !== 'function')
      throw wrong(`providers[${index}]`, 'an object with provideTools', provider);
  });
  for (const name of ['allow', 'onSelection', 'onLabels'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw wrong(name, 'a function', options[name]);
  const { search, selection } = options;
  if (search !== undefined && search !== false && typeof search?.getToolSearchTools !== 'function')
    throw wrong('search', 'a search strategy or false', search);
  checkWhole('maxConversations', options.maxConversations, 1);
  if (selection === undefined || selection === false) return;
  if (typeof selection !== 'object' || selection === null)
    throw wrong('selection', 'an object or false', selection as unknown);
  checkWhole('selection.minTools', selection.minTools, 0);
  checkWhole('selection.minTokens', selection.minTokens, 0);
  checkWhole('selection.tokenBudget', selection.tokenBudget, 0);
  if (selection.sticky !== undefined && typeof selection.sticky !== 'boolean')
    throw wrong('selection.sticky', 'true or false', selection.sticky);
}

function checkWhole(option: string, value: unknown, least: number): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) >= least))
    return;
  throw wrong(option, `a whole number of at least ${least}`, value);
}

function wrong(option: string, expected: string, value: unknown): ToolgateError {
  const given = value === null ? 'null' : typeof value === 'number' ? String(value) : typeof value;
  return new ToolgateError('invalid-option', `The gate's option ${option} must be ${expected}, not ${given}.`, {
    data: { option },
  });
}
