import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { createToolIndex } from '../index/tool-index.ts';
import { maximumQueryTerms } from '../index/query.ts';
import { Bm25ToolSearchStrategy } from './bm25-strategy.ts';
import { RegexToolSearchStrategy } from './regex-strategy.ts';
import { createSearchService } from './search-service.ts';
import { SimpleToolSearchStrategy } from './simple-strategy.ts';

/** The first code point of every block of Unicode's list that holds letters, symbols or nothing at all, by plane. */
const blockStarts: readonly number[] = [
  ...Array.from({ length: 64 }, (_unused, place) => place * 0x4_00),
  ...Array.from({ length: 16 }, (_unused, place) => 0x1_00_00 + place * 0x4_00),
  0x1_d4_00,
  0x1_f6_00,
  0x2_00_00,
  0x2_f8_00,
  0x3_00_00,
  0xe_00_00,
  0xf_00_00,
  0x10_00_00,
];

const scripts = blockStarts.map((start) =>
  Array.from({ length: 40 }, (_unused, place) => String.fromCodePoint(start + place)).join(''),
);

const bombs = [
  '(a+)+$',
  '(a|aa)+$',
  '(.*)*b',
  '([a-z]+)*=',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  'a{1,1000}'.repeat(5),
  '('.repeat(500),
  '['.repeat(500),
  '(?=(a+))a*b\\1',
  '\\',
  '(?<n>a)\\k<n>',
  '*',
  '+',
  '?',
  '{1,2}',
  'a**',
  '|'.repeat(500),
  '.*'.repeat(200),
  '(a?){50}a{50}',
  '[^]',
  '\\u{110000}',
  '$^',
  '(?i)(?-i)',
];

const injections = [
  "'; DROP TABLE tools; --",
  "' OR '1'='1",
  '" OR ""="',
  '1; SELECT pg_sleep(10)',
  'UNION SELECT * FROM secrets',
  'name:(a OR b)~2^4',
  'title:"x" AND NOT y',
  'a:b:c^d~e',
  '<script>alert(1)</script>',
  '{{name}} ${7*7} #{7*7}',
  '../../etc/passwd',
  '%00%0a%0d',
  '$(reboot) `id`',
  '{"$gt":""}',
  '__proto__',
  'constructor.prototype',
  'toString valueOf hasOwnProperty',
  'select:',
  'select:,,,',
  'select:__proto__',
  '*',
  '**',
  'null',
  'undefined',
  'NaN',
  'true',
  '-0',
  '[object Object]',
];

const controls = [
  '',
  ' ',
  '\n\t\r',
  '\u0000',
  '\u0000'.repeat(1_000),
  '\u001b[31mred\u001b[0m',
  '\u0007\u0008\u007f',
  '\u202eevil\u202c',
  '\u2066a\u2069',
  '\ufeffget_file',
  '\u200b\u200c\u200d',
  'a\u0300'.repeat(500),
  'Z' + '\u0335'.repeat(2_000),
  '\ud800',
  '\udc00',
  '\ud800\ud800',
  'get\udfff_file',
  '\udbff'.repeat(500),
  'ﷺ'.repeat(500),
  '👩‍👩‍👧‍👦'.repeat(200),
  '\u{e0001}\u{e0041}',
  'İıſK',
  '\u1160'.repeat(300),
];

const long = [
  'a'.repeat(100_000),
  'get_file '.repeat(11_000),
  Array.from({ length: 20_000 }, (_unused, place) => `w${place}x`).join(' '),
  'あ'.repeat(100_000),
  '漢字仮名'.repeat(25_000),
  'สวัสดี'.repeat(16_000),
  'aB'.repeat(50_000),
  '_'.repeat(100_000),
  'x.'.repeat(50_000),
  Array.from({ length: 3_000 }, (_unused, place) => String.fromCharCode(97 + (place % 26)).repeat(30) + place).join(
    ' ',
  ),
  'QUJD'.repeat(25_000),
  '\u0000'.repeat(100_000),
  '\ud800'.repeat(100_000),
  '(a+)+'.repeat(20_000),
  '"'.repeat(100_000),
  '\\'.repeat(100_000),
  'é'.repeat(100_000),
  '1 '.repeat(50_000),
];

const queries = [...new Set([...scripts, ...bombs, ...injections, ...controls, ...long])];
while (queries.length < 200)
  queries.push(`${queries[queries.length % 88] ?? ''} ${bombs[queries.length % bombs.length] ?? ''} ${queries.length}`);

const pool: readonly ToolDefinition[] = [
  ...Array.from({ length: 100 }, (_unused, place) => ({
    name: `tool_${place}_read`,
    description: `Reads the ${String.fromCharCode(97 + (place % 26)).repeat(5)} of a file, aaaaaaaaaaaaaaaaaaaaaa! 漢字 สวัสดี`,
    inputSchema: { type: 'object', properties: {} },
  })),
  { name: 'get_file', description: 'Gets a file', inputSchema: { type: 'object', properties: {} } },
];

describe('200 hostile queries', () => {
  it('are at least 200, different from each other', () => {
    expect(new Set(queries).size).toBeGreaterThanOrEqual(200);
  });

  it.each([
    ['words', new Bm25ToolSearchStrategy()],
    ['words and pieces', undefined],
    ['regular expressions', new RegexToolSearchStrategy()],
    ['the simple strategy', new SimpleToolSearchStrategy()],
  ])('are answered by %s, as a text and as arguments of a call', async (_name, strategy) => {
    const service = createSearchService({ strategy });
    const known = new Set(pool.map((tool) => tool.name));
    for (const query of queries) {
      for (const outcome of [
        await service.search(query, { pool }),
        await service.searchCall(JSON.stringify({ query, pattern: query, terms: [query] }), { pool }),
      ]) {
        expect(outcome.text).not.toBe('');
        expect(outcome.text.length).toBeLessThan(5_000);
        expect(outcome.found.every((tool) => known.has(tool.name))).toBe(true);
      }
    }
    const after = await service.search('get_file', { pool });
    expect(after.found[0]?.name ?? '').toBe('get_file');
  });

  it('become a bounded number of terms, whatever their length', () => {
    const index = createToolIndex();
    index.set(pool);
    for (const query of queries) {
      // Derived terms come from a table and from at most twelve unknown words; the rest is written.
      const terms = index.analyse(query);
      expect(terms.filter((term) => term.origin === 'written').length).toBeLessThanOrEqual(maximumQueryTerms);
      expect(terms.length).toBeLessThanOrEqual(maximumQueryTerms * 2);
    }
  });

  it('may stand in any argument of a call', async () => {
    const service = createSearchService({ strategy: new Bm25ToolSearchStrategy() });
    for (const query of queries) {
      const outcome = await service.searchCall({ query: 'file', server: query, limit: query, offset: query }, { pool });
      expect(outcome.text.length).toBeLessThan(5_000);
    }
  });
});
