import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareSchema } from './prepare-schema.ts';

const data = process.env['TOOLGATE_DATA'] ?? resolve(import.meta.dirname, '../../../shared/data');
const folder = join(data, 'mcp-catalogue');

interface Listed {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

function listedTools(): readonly Listed[] {
  const tools: Listed[] = [];
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.json') || file === 'index.json') continue;
    const server = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { tools?: readonly Listed[] };
    tools.push(...(server.tools ?? []));
  }
  return tools;
}

describe.skipIf(!existsSync(folder))(
  'schemas of real servers (skipped without the data folder: set TOOLGATE_DATA)',
  () => {
    it('are all usable, mostly untouched, and never lose a required property of their own', () => {
      const tools = listedTools();
      let untouched = 0;
      for (const { name, inputSchema } of tools) {
        const preparation = prepareSchema(inputSchema);
        expect(preparation.ok, `${name}: ${preparation.ok ? '' : preparation.message}`).toBe(true);
        if (!preparation.ok) continue;
        const { shown } = preparation.prepared;
        if (shown === inputSchema) untouched += 1;
        expect((shown['required'] as readonly string[] | undefined)?.length ?? 0).toBeGreaterThanOrEqual(
          (inputSchema['required'] as readonly string[] | undefined)?.length ?? 0,
        );
        for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref']) expect(Object.hasOwn(shown, keyword)).toBe(false);
      }
      expect(tools.length).toBeGreaterThan(500);
      expect(untouched / tools.length).toBeGreaterThan(0.8);
    });

    it('refuse empty arguments by naming what is missing, and take them where nothing is', async () => {
      for (const { name, inputSchema } of listedTools()) {
        const preparation = prepareSchema(inputSchema);
        if (!preparation.ok) continue;
        const parsed = await preparation.prepared.parse({});
        const properties = (inputSchema['properties'] ?? {}) as Readonly<
          Record<string, { readonly default?: unknown }>
        >;
        const required = ((inputSchema['required'] as readonly string[] | undefined) ?? []).filter(
          (key) => properties[key]?.default === undefined,
        );
        const found = parsed.ok ? [] : parsed.issues.map((issue) => issue.message);
        expect(found, name).toEqual(required.slice(0, 20).map((key) => `Required property "${key}" is missing.`));
      }
    });
  },
);
