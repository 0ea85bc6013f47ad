import { defineConfig } from 'vitest/config';

/** The fast tests of the mutated files. The property test of 10,000 runs is left out: it would take most of the time and kills little that these do not. */
export default defineConfig({
  test: {
    include: ['src/select/**/*.test.ts', 'src/decision/**/*.test.ts'],
    exclude: ['**/*.property.test.ts', '**/node_modules/**'],
    maxWorkers: 1,
  },
});
