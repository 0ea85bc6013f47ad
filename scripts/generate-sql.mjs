// Puts the numbered SQL files into src/generated/sql.ts, so that stores need no file system to find them.
// With --check it only says whether the module is fresh, and fails when it is not.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync, mkdirSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'src/generated/sql.ts');

function migrations(dialect) {
  const folder = join(root, 'sql', dialect);
  return readdirSync(folder)
    .filter((name) => /^\d{6}\.sql$/.test(name))
    .sort()
    .map((name, index) => {
      const version = Number(name.slice(0, 6));
      if (version !== index + 1) throw new Error(`sql/${dialect} has a gap before ${name}.`);
      return { version, sql: readFileSync(join(folder, name), 'utf8') };
    });
}

const parts = { sqliteMigrations: migrations('sqlite'), postgresMigrations: migrations('postgres') };
const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
const text = [
  '// Made by scripts/generate-sql.mjs from sql/. Do not edit.',
  `// Source: sha256:${hash}`,
  '',
  'export interface Migration {',
  '  readonly version: number;',
  '  readonly sql: string;',
  '}',
  '',
  ...Object.entries(parts).map(
    ([name, list]) => `export const ${name}: readonly Migration[] = ${JSON.stringify(list, null, 2)};\n`,
  ),
].join('\n');

if (process.argv.includes('--check')) {
  const fresh = existsSync(target) && readFileSync(target, 'utf8') === text;
  if (!fresh) {
    console.error('src/generated/sql.ts is not what sql/ gives. Run: node scripts/generate-sql.mjs');
    process.exit(1);
  }
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
