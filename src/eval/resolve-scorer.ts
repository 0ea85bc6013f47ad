import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import { localDecisionModel } from '../relevance/local-decision-model.ts';
import { createBm25Scorer } from './scorers/bm25-scorer.ts';
import { createDecisionModelScorer } from './scorers/decision-model-scorer.ts';
import type { CreateScorer } from './scorers/scorer.ts';
import { createHybridScorer, createSimpleScorer } from './scorers/strategy-scorer.ts';

const builtIn: ReadonlyMap<string, CreateScorer> = new Map<string, CreateScorer>([
  ['local', (tools) => createDecisionModelScorer('local', localDecisionModel(), tools)],
  ['bm25', createBm25Scorer],
  ['simple', createSimpleScorer],
  ['hybrid', createHybridScorer],
]);

/** The names that {@link resolveScorer} knows without a module. */
export const SCORER_NAMES: readonly string[] = [...builtIn.keys()];

/**
 * The scorer of a name, or what a module exports as `createScorer`. The module's code is run: name only files you trust.
 * Throws `invalid-option` when there is neither.
 * @param name `local`, `bm25`, `simple`, `hybrid`, or a path to a module, relative to `directory`
 */
export async function resolveScorer(name: string, directory: string): Promise<CreateScorer> {
  const known = builtIn.get(name);
  if (known !== undefined) return known;
  if (!/[./\\]/.test(name)) {
    throw new ToolgateError(
      'invalid-option',
      `There is no scorer ${name}. Use one of ${SCORER_NAMES.join(', ')}, or the path of a module that exports createScorer.`,
      { data: { option: 'scorer' } },
    );
  }
  const file = resolve(directory, name);
  let loaded: { readonly createScorer?: unknown };
  try {
    loaded = (await import(pathToFileURL(file).href)) as { readonly createScorer?: unknown };
  } catch (error) {
    throw new ToolgateError('invalid-option', `The scorer module ${file} cannot be loaded: ${errorMessage(error)}`, {
      data: { option: 'scorer' },
      cause: error,
    });
  }
  if (typeof loaded.createScorer !== 'function') {
    throw new ToolgateError(
      'invalid-option',
      `${file} exports no function createScorer. It is called with the tools and gives { name, score }.`,
      { data: { option: 'scorer' } },
    );
  }
  return loaded.createScorer as CreateScorer;
}
