import type { Clock } from '../core/clock.ts';
import { ToolgateError, errorMessage } from '../core/errors.ts';
import { silentLogger } from '../core/logger.ts';
import type { ToolProviderRequest } from '../core/provider.ts';
import type { Principal } from '../core/principal.ts';
import type { Tool } from '../core/tool.ts';
import { askProvider } from './ask-provider.ts';
import type { ProviderAnswer } from './ask-provider.ts';
import { CatalogueBuilder } from './build-catalogue.ts';
import { duplicateTool, ownNameOf } from './catalogue-of.ts';
import { KnownNames } from './known-names.ts';
import { Names } from './names.ts';
import { checkTool } from './registered-tool.ts';
import type { Catalogue, NameStore, Registry, RegistryOptions } from './types.ts';

const defaultTimeoutMs = 10_000;

/**
 * The registry of a gate. Throws `duplicate-tool` or `invalid-tool` for the host's own tools, and `invalid-option` for a
 * wrong time limit; whatever comes from providers never throws, but becomes a problem of the catalogue.
 * Tools are taken as immutable: a provider that changes one gives a new object.
 */
export function createRegistry(options: RegistryOptions): Registry {
  const direct = checkDirectTools(options.tools ?? [], options);
  const providers = (options.providers ?? []).map((provider, index) => ({
    provider,
    id: provider.id ?? `provider-${index + 1}`,
  }));
  const timeoutMs = options.providerTimeoutMs ?? defaultTimeoutMs;
  if (!(timeoutMs > 0)) {
    throw new ToolgateError('invalid-option', `providerTimeoutMs must be above 0, got ${timeoutMs}.`, {
      data: { option: 'providerTimeoutMs' },
    });
  }
  const limits = { timeoutMs, clock: options.clock ?? systemTimers };
  const logger = options.logger ?? silentLogger;
  const names = new Names({
    prefix: options.prefix ?? 'on-collision',
    reserved: options.reservedNames ?? [],
    store: guardStore(options.names, logger),
  });
  const builder = new CatalogueBuilder({ names, dialect: options.schemas ?? 'common', logger });
  const known = new KnownNames();
  const answersOf = new WeakMap<Catalogue, readonly ProviderAnswer[]>();

  const build = (answers: readonly ProviderAnswer[], principal: Principal | undefined): Catalogue => {
    const catalogue = builder.build([direct, ...answers]);
    answersOf.set(catalogue, answers);
    known.note(catalogue, principal);
    return catalogue;
  };
  const ask = async (request: ToolProviderRequest, kept: readonly ProviderAnswer[] | undefined): Promise<Catalogue> => {
    const answers = await Promise.all(
      providers.map(async ({ provider, id }, index) => {
        const earlier = provider.dynamic === true ? undefined : kept?.[index];
        return earlier ?? (await askProvider(provider, id, request, limits));
      }),
    );
    return build(answers, request.principal);
  };

  return {
    catalogue: async (request) => ask(request, undefined),
    refresh: async (previous, request) => ask(request, answersOf.get(previous)),
    wasKnown: (name, principal) => (principal === undefined ? names.has(name) : known.has(name, principal)),
  };
}

function checkDirectTools(tools: readonly Tool[], options: RegistryOptions): ProviderAnswer {
  const seen = new Set<string>();
  for (const tool of tools) {
    const check = checkTool(tool, options.schemas ?? 'common');
    if (!check.ok) throw new ToolgateError('invalid-tool', check.message, { data: { tool: ownNameOf(tool) } });
    if (seen.has(tool.name)) throw duplicateTool(tool.name);
    seen.add(tool.name);
  }
  return { provider: 'tools', direct: true, tools: [...tools] };
}

/** A name store that cannot take the catalogue down. */
function guardStore(
  store: NameStore | undefined,
  logger: NonNullable<RegistryOptions['logger']>,
): NameStore | undefined {
  if (store === undefined) return undefined;
  return {
    load: () => {
      try {
        return store.load();
      } catch (error) {
        logger.warn('The names given earlier could not be read; names are given anew.', {
          reason: errorMessage(error),
        });
        return [];
      }
    },
    save: (entries) => {
      try {
        store.save(entries);
      } catch (error) {
        logger.warn('The given names could not be kept; they hold for this process only.', {
          reason: errorMessage(error),
        });
      }
    },
  };
}

const systemTimers: Clock = {
  now: () => Date.now(),
  schedule: (milliseconds, callback) => {
    const timer: unknown = setTimeout(callback, Math.min(milliseconds, 0x7fffffff));
    if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref();
    return () => clearTimeout(timer as number);
  },
};
