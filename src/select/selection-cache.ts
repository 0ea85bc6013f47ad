import { canonicalJson } from '../core/canonical-json.ts';
import { digestText } from '../core/digest.ts';
import type { Digest } from '../core/digest.ts';
import { fingerprintTool } from '../core/fingerprint.ts';
import type { JsonValue } from '../core/json.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolDefinition } from '../core/tool.ts';

/** What is kept of a selection: the probabilities, by position among the tools asked about (null: none), and who gave them. */
export interface CachedDecision {
  readonly probabilities: readonly (number | null)[];
  /** For a choice: the order, best first, as positions. */
  readonly order?: readonly number[] | undefined;
  readonly modelId?: string | undefined;
}

/** Keeps decisions. A cache that fails is as good as none. */
export interface SelectionCache {
  get(key: Digest): CachedDecision | undefined | Promise<CachedDecision | undefined>;
  set(key: Digest, decision: CachedDecision): void | Promise<void>;
}

/** What a decision depends on. Change any of it, and the cache does not know the answer. */
export interface CacheKeyParts {
  readonly principal: Principal | undefined;
  readonly input: JsonValue;
  readonly tools: Digest;
  /** Positions of the tools asked about, in order. */
  readonly asked: readonly number[];
  readonly model: { readonly provider: string; readonly modelId: string };
  readonly template: string;
  readonly ranking: string;
}

/** The key of a decision. Principals come first in it: what one is told is never told to another. */
export function selectionCacheKey(parts: CacheKeyParts): Digest {
  const { principal, input, tools, asked, model, template, ranking } = parts;
  const who = principal === undefined ? null : [principal.tenant ?? '', principal.id];
  return digestText(
    canonicalJson(
      ['toolgate-selection-1', who, input, tools, asked, model.provider, model.modelId, template, ranking],
      {
        mode: 'lenient',
      },
    ),
  );
}

const fingerprints = new WeakMap<ToolDefinition, Digest>();

/** One digest of all tools in their order; the part of each tool is computed once for each tool object. */
export function fingerprintTools(tools: readonly ToolDefinition[]): Digest {
  const parts = tools.map((tool) => {
    const before = fingerprints.get(tool);
    if (before !== undefined) return before;
    const made = fingerprintTool(tool);
    fingerprints.set(tool, made);
    return made;
  });
  return digestText(parts.join('\n'));
}

/** Keeps the last `maxEntries` decisions (default 1,000) in this process, least recently used out first. */
export function memorySelectionCache(options?: { readonly maxEntries?: number }): SelectionCache {
  const maxEntries = options?.maxEntries ?? 1000;
  const entries = new Map<Digest, CachedDecision>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key, decision) {
      entries.delete(key);
      entries.set(key, decision);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break;
        entries.delete(oldest);
      }
    },
  };
}
