import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import { digestJson } from '../core/digest.ts';
import { errorMessage } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Principal } from '../core/principal.ts';

/** Whether a principal may use a tool. */
export type Allow = (tool: RegisteredTool, principal: Principal | undefined) => boolean | Promise<boolean>;

/** The part of a catalogue that this principal may use; what it may not use looks as if it did not exist. A throw counts as no. */
export async function allowedCatalogue(
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
  const allowed = new Set(tools.map(({ name }) => name));
  return {
    tools,
    fingerprint: digestJson(['toolgate-allowed-1', catalogue.fingerprint, [...allowed]]),
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
