import type { ToolDefinition } from '../../src/core/tool.ts';

/** A way of finding tools, made anew for each catalogue. */
export interface Peer {
  readonly name: string;
  /** What it is and how it was set up, for the table's notes. */
  readonly setup: string;
  /** Builds what searching needs; the time and memory this takes are measured. */
  create(tools: readonly ToolDefinition[]): Promise<PeerSearch> | PeerSearch;
}

/** Gives the positions of at most `limit` tools, best first. `milliseconds`: where the peer can only be timed from inside. */
export type PeerSearch = (query: string, limit: number) => Promise<PeerResult> | PeerResult;

export interface PeerResult {
  readonly positions: readonly number[];
  readonly milliseconds?: number;
}

/** The texts that toolgate's own index reads, for peers that are given the same. */
export function documentOf(
  tool: ToolDefinition,
  id: number,
): { id: number; name: string; description: string; parameters: string; server: string } {
  const properties = tool.inputSchema['properties'];
  const parameters: string[] = [];
  if (typeof properties === 'object' && properties !== null && !Array.isArray(properties)) {
    for (const [name, value] of Object.entries(properties)) {
      parameters.push(name);
      const description: unknown = (value as { description?: unknown } | null)?.description;
      if (typeof description === 'string') parameters.push(description);
    }
  }
  return {
    id,
    name: tool.name,
    description: tool.description ?? '',
    parameters: parameters.join(' '),
    server: `${tool.server?.name ?? ''} ${tool.server?.description ?? ''}`.trim(),
  };
}
