import { readFileSync, readdirSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const documents = ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...below('docs')].filter((file) =>
  existsSync(join(root, file)),
);

function below(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? below(join(folder, entry.name))
      : entry.name.endsWith('.md')
        ? [join(folder, entry.name)]
        : [],
  );
}

describe('the documentation', () => {
  it('shows code in the README that stands word for word in examples that are run', () => {
    const examples = readdirSync(join(root, 'examples'))
      .map((name) => join(root, 'examples', name, 'main.ts'))
      .filter((file) => existsSync(file))
      .map((file) => squeeze(readFileSync(file, 'utf8').replaceAll(/\/\/ #(?:end)?region[^\n]*/g, '')));
    const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map((match) =>
      squeeze(match[1] as string),
    );
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.filter((block) => !examples.some((example) => example.includes(block)))).toEqual([]);
  });

  it('has no link to a file that is not there', () => {
    const broken = documents.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1] as string)
        .filter((target) => !existsSync(resolve(root, dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
