import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import { digestJson } from '../core/digest.ts';
import type { Digest } from '../core/digest.ts';
import { errorMessage } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Principal } from '../core/principal.ts';

/** Whether a principal may use a tool. */
export type Allow = (tool: RegisteredTool, principal: Principal | undefined) => boolean | Promise<boolean>;

/** Made lately; more than this many different rights at once are made anew, which costs time and nothing else. */
const mostKept = 64;

/**
 * The parts of catalogues that principals may use. The same part is the same object, whoever it belongs to, so that what is built
 * on a catalogue (indexes, questions, lists) is built once and not for each call of the model.
 */
export class AllowedCatalogues {
  readonly #made = new WeakMap<Catalogue, Map<Digest, Catalogue>>();

  /** What it may not use looks as if it did not exist. A throw counts as no. */
  async of(
    catalogue: Catalogue,
    allow: Allow | undefined,
    principal: Principal | undefined,
    logger: Logger,
  ): Promise<Catalogue> {
    if (allow === undefined) return catalogue;
    const verdicts = await Promise.all(
      catalogue.tools.map(async (tool) => {
        try {
          return (await allow(tool, principal)) === true;
        } catch (error) {
          logger.error('allow failed, so the tool is not allowed', { tool: tool.name, error: errorMessage(error) });
          return false;
        }
      }),
    );
    const tools = catalogue.tools.filter((_, position) => verdicts[position]);
    if (tools.length === catalogue.tools.length) return catalogue;
    const made = this.#made.get(catalogue) ?? new Map<Digest, Catalogue>();
    this.#made.set(catalogue, made);
    const fingerprint = digestJson([
      'toolgate-allowed-1',
      catalogue.fingerprint,
      verdicts.map((verdict) => (verdict ? '1' : '0')).join(''),
    ]);
    const part = made.get(fingerprint) ?? partOf(catalogue, tools, fingerprint);
    made.delete(fingerprint);
    made.set(fingerprint, part);
    const oldest = made.keys().next();
    if (made.size > mostKept && oldest.done !== true) made.delete(oldest.value);
    return part;
  }
}

function partOf(catalogue: Catalogue, tools: readonly RegisteredTool[], fingerprint: Digest): Catalogue {
  const allowed = new Set(tools.map(({ name }) => name));
  return {
    tools,
    fingerprint,
    problems: [],
    get: (name) => (allowed.has(name) ? catalogue.get(name) : undefined),
    resolve(name) {
      const found = catalogue.resolve(name);
      if (found !== undefined && allowed.has(found.name)) return found;
      // What is ambiguous, or somebody else's, among all may be clear among the allowed ones.
      const loose = name.toLowerCase();
      const matches = tools.filter(
        (tool) => tool.name.toLowerCase() === loose || tool.tool.name.toLowerCase() === loose,
      );
      return matches.length === 1 ? matches[0] : undefined;
    },
  };
}
