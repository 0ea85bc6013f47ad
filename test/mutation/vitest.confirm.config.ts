import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

/** The tests of the core and of confirmation that need no server and no other process. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/core/**/*.test.ts', 'src/confirm/**/*.test.ts', 'test/confirm/**/*.test.ts'],
    // These two take most of the time and kill little that the others do not.
    exclude: ['**/node_modules/**', '**/durable-cases.test.ts', '**/tampering.test.ts'],
    testTimeout: 20_000,
    maxWorkers: 1,
  },
});

export default config;
