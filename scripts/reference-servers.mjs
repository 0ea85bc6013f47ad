// Four real MCP servers that npm brings with the development tools, for trying toolgate out and for its tests.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

function program(name) {
  return join(dirname(require.resolve(`${name}/package.json`)), 'dist', 'index.js');
}

/** An `mcpServers` block in front of the four; files go into `scratch`, run by `node`. Their word on what only reads is believed. */
export function referenceServers(node, scratch) {
  const servers = {
    everything: {
      command: node,
      args: [program('@modelcontextprotocol/server-everything')],
      description: 'samples of every kind of tool',
    },
    filesystem: {
      command: node,
      args: [program('@modelcontextprotocol/server-filesystem'), scratch],
      cwd: scratch,
      description: 'files in a scratch folder',
    },
    memory: {
      command: node,
      args: [program('@modelcontextprotocol/server-memory')],
      env: { MEMORY_FILE_PATH: join(scratch, 'memory.jsonl') },
      description: 'a knowledge graph that is kept',
    },
    thinking: {
      command: node,
      args: [program('@modelcontextprotocol/server-sequential-thinking')],
      description: 'thinking step by step',
    },
  };
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, { ...server, trust: 'annotations' }]),
  );
}
