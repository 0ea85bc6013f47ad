import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { createToolIndex } from './tool-index.ts';

const plain = { builtInSynonyms: false, nearMisses: false } as const;

function tool(name: string, description?: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { name, description, inputSchema: { type: 'object', properties: {} }, ...more };
}

const names = (hits: readonly { readonly name: string }[]): string[] => hits.map((hit) => hit.name);

describe('createToolIndex', () => {
  it('scores as computed by hand', () => {
    const index = createToolIndex(plain);
    index.set([tool('alpha', 'red green'), tool('beta', 'red'), tool('gamma', 'blue blue blue')]);
    // "red" is in 2 of 3 tools: idf = ln(1 + 1.5 / 2.5). Descriptions have 2, 1 and 3 terms, 2 on average. In beta its
    // frequency is 1 / (0.25 + 0.75 * 1 / 2) = 1.6, saturated 1.6 * 2.2 / (1.6 + 1.2); in alpha 1, saturated 2.2 / 2.2.
    const idf = Math.log(1 + 1.5 / 2.5);
    const hits = index.search('red');
    expect(names(hits)).toEqual(['beta', 'alpha']);
    expect(hits[0]?.score).toBeCloseTo((idf * 1.6 * 2.2) / 2.8, 6);
    expect(hits[1]?.score).toBeCloseTo(idf, 6);
    expect([...index.scores('red')]).toEqual([hits[1]?.score, hits[0]?.score, 0]);
    expect(index.idf('red')).toBeCloseTo(idf, 12);
    expect(index.documentFrequency('red')).toBe(2);
    expect(index.documentFrequency('nothing')).toBe(0);
  });

  it('lets repetition count less each time, and pairs of words and a covered name count beside the words', () => {
    const index = createToolIndex(plain);
    index.set([tool('zeta', 'blue blue green'), tool('red_car', 'x y w'), tool('omega', 'q r v')]);
    // All descriptions have 3 terms. "blue" is in one of three: idf = ln(1 + 2.5 / 1.5); frequency 1 + 1 / sqrt(2).
    const idf = Math.log(1 + 2.5 / 1.5);
    const saturated = (frequency: number): number => (frequency * 2.2) / (frequency + 1.2);
    expect(index.search('blue')[0]?.score).toBeCloseTo(idf * saturated(1 + Math.SQRT1_2), 6);
    // Names have 4 / 3 terms on average: "red" and "car" get 2 / (0.25 + 0.75 * 1.5) each. The pair is one of 7 in 3 tools: name fields have
    // 1 / 3 pairs on average, so it gets 2 / (0.25 + 0.75 * 3). The name is covered wholly.
    const words = 2 * idf * saturated(2 / 1.375);
    const pair = 0.3 * idf * saturated(2 / 2.5);
    expect(index.search('red car')[0]?.score).toBeCloseTo(words + pair + 0.05 * 2 * idf, 6);
    expect(index.search('car red')[0]?.score).toBeCloseTo(words + 0.05 * 2 * idf, 6);
  });

  it('gives each field its own score', () => {
    const index = createToolIndex(plain);
    index.set([
      tool('send_mail', 'Sends it', {
        inputSchema: { type: 'object', properties: { mail: { type: 'string', description: 'the mail' } } },
      }),
      tool('other', 'mail'),
    ]);
    const all = index.fieldScores('mail');
    expect(all.name[0]).toBeGreaterThan(0);
    expect(all.name[1]).toBe(0);
    expect(all.parameterNames[0]).toBeGreaterThan(0);
    expect(all.parameterDescriptions[0]).toBeGreaterThan(0);
    expect(all.description[0]).toBe(0);
    expect(all.description[1]).toBeGreaterThan(0);
    const one = index.fieldScores('mail', [1]);
    expect(one.description).toEqual(Float64Array.of(all.description[1] as number));
  });

  it('reads every part of a tool', () => {
    const index = createToolIndex(plain);
    index.set([
      tool('t', 'describe', {
        title: 'headline',
        aliases: ['nickname'],
        server: { name: 'harbour', identity: 'x', description: 'ships' },
        inputSchema: {
          type: 'object',
          properties: {
            colour: { enum: ['crimson', 'teal'], description: 'paint' },
            list: { type: 'array', items: { properties: { deep: {} } } },
          },
        },
      }),
      tool('u', 'nothing of it'),
    ]);
    for (const word of [
      't',
      'describe',
      'headline',
      'nickname',
      'harbour',
      'ships',
      'colour',
      'crimson',
      'paint',
      'deep',
    ]) {
      expect(names(index.search(word)), word).toEqual(['t']);
    }
  });

  it('keeps the catalogue order among equals', () => {
    const index = createToolIndex();
    index.set(['c', 'a', 'b'].map((name) => tool(`${name}_file`, 'same')));
    expect(names(index.search('file'))).toEqual(['c_file', 'a_file', 'b_file']);
  });

  it('gives after any changes what a fresh index gives', () => {
    const first = [
      tool('read_file', 'Reads a file'),
      tool('write_file', 'Writes a file'),
      tool('get_weather', 'Forecast'),
    ];
    const index = createToolIndex();
    index.set(first);
    index.search('file');
    index.add(tool('delete_file', 'Deletes a file'));
    index.add(tool('write_file', 'Stores a document'));
    expect(index.remove('get_weather')).toBe(true);
    expect(index.remove('get_weather')).toBe(false);
    const fresh = createToolIndex();
    fresh.set([
      first[0] as ToolDefinition,
      tool('write_file', 'Stores a document'),
      tool('delete_file', 'Deletes a file'),
    ]);
    for (const query of ['file', 'store document', 'weather forecast', 'delete'])
      expect(index.search(query)).toEqual(fresh.search(query));
    expect(index.ordinalOf('delete_file')).toBe(2);
    expect(index.size).toBe(3);
  });

  it('lets filters limit the candidates and not their scores', () => {
    const index = createToolIndex();
    index.set([
      tool('a_file', 'x', { server: { name: 's1', identity: '1' }, annotations: { readOnlyHint: true } }),
      tool('b_file', 'x', { server: { name: 's2', identity: '2' } }),
      tool('c_file', 'x'),
    ]);
    const all = index.search('file');
    expect(index.search('file', { server: 's2' })).toEqual(all.filter((hit) => hit.name === 'b_file'));
    expect(index.search('file', { annotations: { readOnlyHint: true } })).toEqual(
      all.filter((hit) => hit.name === 'a_file'),
    );
    expect(index.search('file', { filter: (one) => one.name > 'b' })).toEqual(all.slice(1));
    expect(index.search('file', { limit: 2 })).toEqual(all.slice(0, 2));
    expect(index.search('file')).toEqual(all);
  });

  it('takes weighted terms in place of a text', () => {
    const index = createToolIndex();
    index.set([tool('red', ''), tool('blue', '')]);
    const hits = index.search(
      new Map([
        ['red', 0.5],
        ['blue', 1],
        ['unknown', 9],
        ['none', -1],
      ]),
    );
    expect(names(hits)).toEqual(['blue', 'red']);
    expect(hits[0]?.score).toBeCloseTo(2 * (hits[1]?.score ?? 0), 6);
    expect(index.queryTerms('red red and blue')).toEqual(
      new Map([
        ['red', Math.SQRT2],
        ['blue', 1],
      ]),
    );
  });

  it('does not let a number in the question match a number in a description', () => {
    const index = createToolIndex();
    index.set([tool('area', 'Area, for example of 10 by 5'), tool('find_item_10', 'An item')]);
    expect(names(index.search('10'))).toEqual(['find_item_10']);
  });

  it('takes tool names that are properties of every object', () => {
    const index = createToolIndex();
    index.set([tool('constructor', 'constructor'), tool('__proto__', 'hasOwnProperty'), tool('toString', '')]);
    expect(names(index.search('constructor'))).toEqual(['constructor']);
    expect(index.ordinalOf('__proto__')).toBe(1);
    expect(index.ordinalOf('valueOf')).toBeUndefined();
    expect(index.analyse('constructor __proto__ toString').length).toBeGreaterThan(0);
  });
});

describe('what is meant but not written', () => {
  const index = createToolIndex({ synonyms: [['acme', 'invoice']] });
  index.set([
    tool('get_weather', 'Current conditions of a city'),
    tool('delete_issue', 'Closes for ever'),
    tool('get_issue', 'One of the tracker'),
    tool('database_backup', 'Copies all data'),
    tool('create_invoice', 'Bills a customer'),
    tool('list_repositories', 'All of an owner'),
  ]);

  it.each([
    ['wether', 'get_weather'],
    ['getweather', 'get_weather'],
    ['data base', 'database_backup'],
    ['remove issue', 'delete_issue'],
    ['show the issue', 'get_issue'],
    ['repos', 'list_repositories'],
    ['db copy', 'database_backup'],
    ['acme', 'create_invoice'],
    ['repositor', 'list_repositories'],
  ])('%s finds %s first', (query, name) => {
    expect(index.search(query)[0]?.name).toBe(name);
  });

  it('finds nothing for words that are near to nothing', () => {
    expect(index.search('xylophone zzzz')).toEqual([]);
    expect(index.search('')).toEqual([]);
    expect(index.search('the of and')).toEqual([]);
  });

  it('lets the parts of a known whole say little, and those of an unknown one all', () => {
    const known = createToolIndex();
    known.set([tool('github_issues'), tool('git_log'), tool('hub_port')]);
    expect(known.queryTerms('GitHub')).toEqual(
      new Map([
        ['git', 0.4],
        ['hub', 0.4],
        ['github', 1],
      ]),
    );
    expect(known.queryTerms('GitHub mailBox').get('mail')).toBe(1);
    expect(known.search('GitHub')[0]?.name).toBe('github_issues');
  });

  it('says what it derived, and from what', () => {
    expect(index.analyse('wether')).toEqual([
      { term: 'wether', weight: 1, origin: 'written' },
      { term: 'weather', weight: 0.6, origin: 'near-miss', of: 'wether' },
    ]);
  });

  it('reads a query anew when the catalogue has changed', () => {
    const changing = createToolIndex();
    changing.set([tool('send_email')]);
    expect(changing.analyse('wether')).toEqual([{ term: 'wether', weight: 1, origin: 'written' }]);
    changing.add(tool('get_weather'));
    expect(changing.analyse('wether').map((one) => one.term)).toEqual(['wether', 'weather']);
    changing.remove('get_weather');
    expect(changing.analyse('wether').map((one) => one.term)).toEqual(['wether']);
  });
});

describe('stored indexes', () => {
  const tools = [
    tool('read_file', 'Reads a file'),
    tool('sucheDaten', '料理のレシピ'),
    tool('get_weather', 'Forecast'),
  ];
  const saved = createToolIndex();
  saved.set(tools);
  const bytes = saved.save();

  it('give the same results without reading a text again', () => {
    const loaded = createToolIndex();
    expect(loaded.load(bytes, tools)).toBe(3);
    for (const query of ['file', 'レシピ', 'forecast', 'suche'])
      expect(loaded.search(query)).toEqual(saved.search(query));
    expect(loaded.save()).toEqual(bytes);
  });

  it('are used only for tools whose texts are the same', () => {
    const loaded = createToolIndex({ builtInSynonyms: false });
    expect(loaded.load(bytes, [tools[0] as ToolDefinition, tool('get_weather', 'Changed'), tool('new_one', 'x')])).toBe(
      1,
    );
    expect(names(loaded.search('changed'))).toEqual(['get_weather']);
    expect(loaded.search('forecast')).toEqual([]);
  });

  it('are ignored when broken anywhere, older, or of another tokenizer', () => {
    for (let place = 0; place < bytes.length; place += 7) {
      const broken = bytes.slice();
      broken[place] = (broken[place] as number) ^ 0x55;
      const loaded = createToolIndex();
      expect(loaded.load(broken, tools)).toBe(0);
      expect(loaded.search('file')).toEqual(saved.search('file'));
    }
    for (const length of [0, 3, 15, 16, 40, bytes.length - 1])
      expect(createToolIndex().load(bytes.slice(0, length), tools)).toBe(0);
  });
});
