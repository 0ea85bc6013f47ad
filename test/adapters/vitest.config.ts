import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/**
 * The packed package is tested, as `node scripts/link-package.mjs` puts it here. `TOOLGATE_FROM_SOURCE=1` takes the sources
 * instead, for quick work on an adapter.
 */
const fromSource =
  process.env['TOOLGATE_FROM_SOURCE'] === '1'
    ? [
        { find: /^toolgate\/(ai-sdk|openai-agents|langchain|mastra|mcp)$/, replacement: `${source('adapters')}/$1.ts` },
        { find: /^toolgate\/(sqlite|postgres)$/, replacement: `${source('stores')}/$1/index.ts` },
        { find: /^toolgate\/([a-z-]+)$/, replacement: `${source('.')}/$1/index.ts` },
        { find: /^toolgate$/, replacement: source('index.ts') },
      ]
    : [];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { alias: fromSource },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**'],
    testTimeout: 20_000,
    setupFiles: ['./support/quiet.ts'],
  },
});
