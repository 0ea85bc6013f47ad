import { describe, expect, it } from 'vitest';
import { makeTool } from '../../test/support/sample-tools.ts';
import { catalogueOf } from './catalogue-of.ts';

describe('catalogueOf', () => {
  it('exposes tools under their own names, and gives the same list the same catalogue', () => {
    const tools = [makeTool('b'), makeTool('a.b')];
    const catalogue = catalogueOf(tools);
    expect(catalogue.tools.map((tool) => tool.name)).toEqual(['b', 'a.b']);
    expect(catalogue.get('a.b')?.tool).toBe(tools[1]);
    expect(catalogueOf(tools)).toBe(catalogue);
    tools.push(makeTool('c'));
    expect(catalogueOf(tools).get('c')?.name).toBe('c');
    expect(catalogue.get('c')).toBeUndefined();
  });

  it('refuses two tools with one name and a tool that cannot be used', () => {
    expect(() => catalogueOf([makeTool('a'), makeTool('a')])).toThrow(
      expect.objectContaining({ code: 'duplicate-tool', data: { tool: 'a' } }),
    );
    expect(() => catalogueOf([null as never])).toThrow(expect.objectContaining({ code: 'invalid-tool' }));
    expect(() => catalogueOf([makeTool('bad', { inputSchema: [] as never })])).toThrow('"bad"');
  });

  it('parses for the tool: defaults, validation, and the tool’s own parser with its own this', async () => {
    const plain = makeTool('plain', {
      inputSchema: { type: 'object', properties: { n: { type: 'integer', default: 3 } } },
    });
    const own = {
      ...makeTool('own'),
      extra: 5,
      parse(this: { extra: number }, input: unknown) {
        return { ok: true as const, value: [this.extra, input] };
      },
    };
    const catalogue = catalogueOf([plain, own]);
    expect(await catalogue.get('plain')?.parse('')).toEqual({ ok: true, value: { n: 3 } });
    expect(await catalogue.get('plain')?.parse({ n: 'x' })).toMatchObject({ ok: false, issues: [{ path: '/n' }] });
    expect(await catalogue.get('own')?.parse('{"a":1}')).toEqual({ ok: true, value: [5, { a: 1 }] });
  });
});
