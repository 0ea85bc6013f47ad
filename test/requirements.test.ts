import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { requirements } from './requirements.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : testFiles(path);
    return /\.(?:test|test-d)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const cited = new Set<string>();
for (const path of [...testFiles(join(root, 'src')), ...testFiles(join(root, 'test'))]) {
  for (const match of readFileSync(path, 'utf8').matchAll(/\[([a-z]+(?:\.[a-z0-9-]+)+)\]/g))
    cited.add(match[1] as string);
}

describe('the requirements', () => {
  it('are each cited by at least one test', () => {
    expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([]);
  });

  it('hold every id that a test cites', () => {
    const areas = new Set(Object.keys(requirements).map((id) => id.split('.')[0]));
    expect(
      [...cited].filter((id) => areas.has(id.split('.')[0] as string) && !Object.hasOwn(requirements, id)),
    ).toEqual([]);
  });
});
