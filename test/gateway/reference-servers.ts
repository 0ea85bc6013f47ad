import { createRequire } from 'node:module';
import { execPath } from 'node:process';

/** How the servers that the package manager brings are started. `npx` would look for newer ones. */
export function referenceServer(
  name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking',
  ...args: string[]
): { command: string; args: string[] } {
  const script = createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  return { command: execPath, args: [script, ...args] };
}
