import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const marked = /<!-- code: (\S+)#(\S+) -->\n```\w+\n([\s\S]*?)\n```/g;

function region(file: string, name: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  return (new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n// #endregion`).exec(text)?.[1] ?? `no ${name}`).trim();
}

const snippets = readdirSync(join(root, 'docs', 'guide')).flatMap((page) =>
  [...readFileSync(join(root, 'docs', 'guide', page), 'utf8').matchAll(marked)].map(
    ([, file = '', name = '', code = '']) => ({ page, file, name, code }),
  ),
);

describe('guides', () => {
  it.each(snippets)('$page shows $file#$name as it is run', ({ file, name, code }) => {
    expect(code).toBe(region(file, name));
  });

  it('have such snippets for LangChain and Mastra', () => {
    expect(snippets.filter(({ page }) => page === 'langchain.md')).toHaveLength(3);
    expect(snippets.filter(({ page }) => page === 'mastra.md')).toHaveLength(3);
  });
});
