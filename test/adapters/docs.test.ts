import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

function region(path: string, name: string): string {
  const lines = read(path).split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const inside = lines.slice(
    start + 1,
    lines.findIndex((line, index) => index > start && line.trim() === '// #endregion'),
  );
  const indent = Math.min(...inside.filter((line) => line !== '').map((line) => line.length - line.trimStart().length));
  return inside.map((line) => line.slice(indent)).join('\n');
}

describe('the guides', () => {
  it.each(['docs/guide/ai-sdk.md', 'docs/guide/openai-agents.md'])('%s shows code that is run', (page) => {
    const blocks = [...read(page).matchAll(/<!-- code: (\S+)#(\S+) -->\n+```(?:ts|js)\n([\s\S]*?)\n```/g)];
    expect(blocks).toHaveLength(3);
    for (const [, path, name, code] of blocks) expect(code).toBe(region(path ?? '', name ?? ''));
  });

  it('the table says what the stored results say', async () => {
    const script = fileURLToPath(new URL('write-table.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--check']);
    expect(stdout).toMatch(/ 0 failed, table up to date/);
  });
});
