import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

it('the guide to search shows code that stands word for word in the example that is run', () => {
  const example = squeeze(readFileSync(join(root, 'examples/search/main.ts'), 'utf8'));
  const guide = readFileSync(join(root, 'docs/guide/search.md'), 'utf8');
  const pieces = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)]
    .flatMap((match) => (match[1] as string).split('\n\n'))
    .map(squeeze);
  expect(pieces.length).toBeGreaterThan(8);
  expect(pieces.filter((piece) => !example.includes(piece))).toEqual([]);
});
