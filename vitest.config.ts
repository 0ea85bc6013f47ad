import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/adapters/**', '**/.stryker-tmp*/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    dangerouslyIgnoreUnhandledErrors: false,
    typecheck: {
      enabled: true,
      include: ['src/**/*.test-d.ts', 'test/**/*.test-d.ts'],
      exclude: ['**/node_modules/**', 'test/adapters/**'],
      checker: 'tsc',
    },
  },
});
