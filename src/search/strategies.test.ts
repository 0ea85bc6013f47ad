import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import type { DecisionModel, DecisionRequest } from '../decision/port.ts';
import { searchStrategyContract } from '../testing/search-contract.ts';
import { Bm25ToolSearchStrategy } from './bm25-strategy.ts';
import { DecisionModelToolSearchStrategy } from './decision-model-strategy.ts';
import { fileEmbeddingCache } from './embedding-cache-file.ts';
import { EmbeddingToolSearchStrategy } from './embedding-strategy.ts';
import { HybridToolSearchStrategy } from './hybrid-strategy.ts';
import { NgramToolSearchStrategy } from './ngram-strategy.ts';
import { RegexToolSearchStrategy } from './regex-strategy.ts';
import type { RankingToolSearchStrategy } from './text-query-strategy.ts';

const runner = { describe, it };
const invocation = { id: 'test', attributes: {} };

/** Counts letters: texts that share letters are near. */
function letterVector(text: string): number[] {
  const counts = Array.from({ length: 27 }, () => 0);
  for (const letter of text.toLowerCase()) {
    const place = letter.charCodeAt(0) - 97;
    const slot = place >= 0 && place < 26 ? place : 26;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return counts;
}

/** Says yes to tools whose text has a word of the input. */
const wordModel: DecisionModel = {
  provider: 'test',
  modelId: 'words',
  decide({ input, questions }: DecisionRequest) {
    const words = JSON.stringify(input).slice(1, -1).toLowerCase().split(/\s+/u);
    const answers = Object.entries(questions).map(([id, { text }]) => {
      const hits = words.filter((word) => word !== '' && text.toLowerCase().includes(word)).length;
      return [id, { type: 'yes-no', probability: hits > 0 ? 0.9 : 0.1 }] as const;
    });
    return Promise.resolve({ answers: Object.fromEntries(answers) });
  },
};

searchStrategyContract(runner, 'Bm25ToolSearchStrategy', { create: (options) => new Bm25ToolSearchStrategy(options) });
searchStrategyContract(runner, 'NgramToolSearchStrategy', {
  create: (options) => new NgramToolSearchStrategy(options),
});
searchStrategyContract(runner, 'HybridToolSearchStrategy', {
  create: (options) => new HybridToolSearchStrategy(options),
});
searchStrategyContract(runner, 'RegexToolSearchStrategy', {
  create: (options) => new RegexToolSearchStrategy(options),
});
searchStrategyContract(runner, 'EmbeddingToolSearchStrategy', {
  create: (options) => new EmbeddingToolSearchStrategy({ ...options, model: (texts) => texts.map(letterVector) }),
});
searchStrategyContract(runner, 'DecisionModelToolSearchStrategy', {
  create: (options) => new DecisionModelToolSearchStrategy({ ...options, decisionModel: wordModel }),
});

function tool(name: string, description?: string): ToolDefinition {
  return { name, description, inputSchema: { type: 'object', properties: {} } };
}

async function namesFor(
  strategy: RankingToolSearchStrategy,
  query: string,
  tools: readonly ToolDefinition[],
): Promise<string[]> {
  return (await strategy.rank({ query, tools })).map((found) => found.name);
}

describe('RegexToolSearchStrategy', () => {
  const tools = [tool('list_issues', 'All of them'), tool('create_issue'), tool('read_file', 'No issue here')];

  it('puts a match in the name first', async () => {
    expect(await namesFor(new RegexToolSearchStrategy(), '(create|list)_issue', tools)).toEqual([
      'list_issues',
      'create_issue',
    ]);
    expect(await namesFor(new RegexToolSearchStrategy(), 'issue', tools)).toEqual([
      'list_issues',
      'create_issue',
      'read_file',
    ]);
  });

  it('says where a pattern cannot be used, and never hands it to the platform', async () => {
    await expect(new RegexToolSearchStrategy().rank({ query: 'a(?=b)', tools })).rejects.toMatchObject({
      code: 'search-arguments',
      message: expect.stringContaining('position 2') as unknown,
    });
  });

  it('gives up on patterns that are too much work for the catalogue', async () => {
    const many = Array.from({ length: 50 }, (_unused, place) => tool(`t${place}`, 'a'.repeat(5_000)));
    const pattern = `(${Array.from({ length: 99 }, () => 'a*').join('')}){20}b`;
    await expect(new RegexToolSearchStrategy().rank({ query: pattern, tools: many })).rejects.toMatchObject({
      code: 'search-arguments',
    });
  });
});

describe('HybridToolSearchStrategy by words and pieces of words', () => {
  const strategy = new HybridToolSearchStrategy();
  const tools = [
    tool('get_weather', 'Weather of a city'),
    tool('call_telephone', 'Calls a telephone number'),
    tool('create_reservation', 'Makes a reservation of a room'),
    tool('send_mail', 'Sends a message to a person'),
  ];

  it.each([
    ['wether', 'get_weather'],
    ['weathre', 'get_weather'],
    ['telphone', 'call_telephone'],
    ['telefone', 'call_telephone'],
    ['reservaton', 'create_reservation'],
    ['resrvatoin', 'create_reservation'],
    ['sendmail', 'send_mail'],
    ['mailbox', 'send_mail'],
  ])('finds for %s first %s', async (query, name) => {
    expect((await namesFor(strategy, query, tools))[0]).toBe(name);
  });

  it.each(['xylophone', 'oxidation', 'embassage', 'qwertyuiop', 'zeugma', 'blorptastic'])(
    'finds nothing for %s, whatever letters it shares',
    async (query) => {
      expect(await namesFor(strategy, query, tools)).toEqual([]);
    },
  );

  it('refuses a share that is none', () => {
    expect(() => new NgramToolSearchStrategy({ minCoverage: 1.5 })).toThrow(/from 0 to 1/u);
  });
});

describe('HybridToolSearchStrategy', () => {
  const tools = [tool('a'), tool('b'), tool('c')];
  const fixed = (scores: Record<string, number>): RankingToolSearchStrategy => ({
    getToolSearchTools: () => [],
    search: () => Promise.reject(new Error('not used')),
    rank: () => Promise.resolve(Object.entries(scores).map(([name, score]) => ({ name, score }))),
  });
  const failing: RankingToolSearchStrategy = { ...fixed({}), rank: () => Promise.reject(new Error('out of order')) };

  it('adds standardised scores by weight', async () => {
    const strategy = new HybridToolSearchStrategy({
      strategies: [
        { name: 'one', strategy: fixed({ a: 2, b: 1 }) },
        { name: 'two', strategy: fixed({ b: 6, c: 6, a: 3 }), weight: 2 },
      ],
    });
    // one: 2, 1, 0: deviation sqrt(2/3). two: 3, 6, 6: deviation sqrt(2). Both are counted from 0.
    const found = await strategy.rank({ query: 'x', tools });
    expect(found.map((one) => one.name)).toEqual(['b', 'c', 'a']);
    expect(found[0]?.score).toBeCloseTo(1 / Math.sqrt(2 / 3) + 12 / Math.SQRT2, 9);
    expect(found[1]?.score).toBeCloseTo(12 / Math.SQRT2, 9);
    expect(found[2]?.score).toBeCloseTo(2 / Math.sqrt(2 / 3) + 6 / Math.SQRT2, 9);
    expect(Object.keys(found[0]?.parts ?? {})).toEqual(['one', 'two']);
    expect(found[0]?.parts?.['two']).toBeCloseTo(12 / Math.SQRT2, 9);
  });

  it('counts from the lowest score where a strategy gives some below 0', async () => {
    const strategy = new HybridToolSearchStrategy({
      strategies: [{ name: 'one', strategy: fixed({ a: 1, b: -1 }) }],
    });
    // Counted from -1: a 2, b 0, c (not found) 0: deviation sqrt(8/9).
    const found = await strategy.rank({ query: 'x', tools });
    expect(found).toEqual([
      { name: 'a', score: 2 / Math.sqrt(8 / 9), parts: { one: 2 / Math.sqrt(8 / 9) } },
      { name: 'b', score: 0, parts: { one: 0 } },
    ]);
  });

  it('does without a strategy that fails, and fails when all do', async () => {
    const half = new HybridToolSearchStrategy({
      strategies: [
        { name: 'broken', strategy: failing },
        { name: 'one', strategy: fixed({ b: 1 }) },
      ],
    });
    expect(await namesFor(half, 'x', tools)).toEqual(['b']);
    const none = new HybridToolSearchStrategy({ strategies: [{ name: 'broken', strategy: failing }] });
    await expect(none.rank({ query: 'x', tools })).rejects.toMatchObject({ code: 'search-failed' });
  });

  it('refuses parts without a name of their own or with a weight of 0', () => {
    const strategy = fixed({});
    expect(() => new HybridToolSearchStrategy({ strategies: [] })).toThrow(/at least one/u);
    expect(
      () =>
        new HybridToolSearchStrategy({
          strategies: [
            { name: 'a', strategy },
            { name: 'a', strategy },
          ],
        }),
    ).toThrow(/name of its own/u);
    expect(() => new HybridToolSearchStrategy({ strategies: [{ name: 'a', strategy, weight: 0 }] })).toThrow(
      /above 0/u,
    );
  });
});

describe('EmbeddingToolSearchStrategy', () => {
  const tools = [tool('abc', 'xyz'), tool('mail'), tool('zzz', 'q')];

  it('embeds each tool once, the query each time, in batches', async () => {
    const calls: string[][] = [];
    const strategy = new EmbeddingToolSearchStrategy({
      batchSize: 2,
      model: (texts) => {
        calls.push([...texts]);
        return texts.map(letterVector);
      },
    });
    expect((await namesFor(strategy, 'liam', tools))[0]).toBe('mail');
    await strategy.rank({ query: 'other', tools });
    expect(calls).toEqual([['liam', 'abc: xyz'], ['mail', 'zzz: q'], ['other']]);
    await strategy.clearEmbeddingsCache();
    await strategy.rank({ query: 'other', tools: tools.slice(1, 2) });
    expect(calls.at(-1)).toEqual(['other', 'mail']);
  });

  it('keeps the embedding of a tool whose text equals the query', async () => {
    const calls: string[][] = [];
    const strategy = new EmbeddingToolSearchStrategy({
      model: (texts) => {
        calls.push([...texts]);
        return texts.map(letterVector);
      },
    });
    const first = await strategy.rank({ query: 'mail', tools });
    expect(first[0]).toMatchObject({ name: 'mail' });
    expect(first[0]?.score).toBeCloseTo(1, 9);
    await strategy.rank({ query: 'mail', tools });
    expect(calls).toEqual([['mail', 'abc: xyz', 'zzz: q'], ['mail']]);
  });

  it('takes a model of the AI SDK, and keeps to its batch size', async () => {
    const sizes: number[] = [];
    const model = {
      specificationVersion: 'v4',
      provider: 'test',
      modelId: 'letters',
      maxEmbeddingsPerCall: Promise.resolve(3),
      doEmbed({ values }: { values: string[] }) {
        sizes.push(values.length);
        return Promise.resolve({ embeddings: values.map(letterVector), warnings: [] });
      },
    };
    expect((await namesFor(new EmbeddingToolSearchStrategy({ model }), 'liam', tools))[0]).toBe('mail');
    expect(sizes).toEqual([3, 1]);
  });

  it('refuses embeddings that cannot be', async () => {
    for (const bad of [[], [[1]], [[1], [1], [1], [Number.NaN]], [[1], [1], [1], [1, 2]], 'x']) {
      const strategy = new EmbeddingToolSearchStrategy({ model: () => bad as number[][] });
      await expect(strategy.rank({ query: 'q', tools }), JSON.stringify(bad)).rejects.toMatchObject({
        code: 'search-failed',
      });
    }
  });

  it('embeds again what a store kept for another model', async () => {
    const store = {
      get: (texts: readonly string[]) => Promise.resolve(texts.map(() => [1, 2])),
      set: () => Promise.resolve(),
      clear: () => Promise.resolve(),
    };
    const strategy = new EmbeddingToolSearchStrategy({ model: (texts) => texts.map(letterVector), cache: store });
    expect((await namesFor(strategy, 'liam', tools))[0]).toBe('mail');
  });

  it('does without a store that fails', async () => {
    const store = {
      get: () => Promise.reject(new Error('disk')),
      set: () => Promise.reject(new Error('disk')),
      clear: () => Promise.resolve(),
    };
    const strategy = new EmbeddingToolSearchStrategy({ model: (texts) => texts.map(letterVector), cache: store });
    expect((await namesFor(strategy, 'liam', tools))[0]).toBe('mail');
  });
});

describe('fileEmbeddingCache', () => {
  const made: string[] = [];
  const directory = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'toolgate-embeddings-'));
    made.push(path);
    return path;
  };
  afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true, force: true }))));

  it('keeps embeddings over a restart, by model', async () => {
    const path = await directory();
    await fileEmbeddingCache({ directory: path, model: 'm1' }).set([
      ['a text', [1, 2]],
      ['other', [3, 4]],
    ]);
    expect(await fileEmbeddingCache({ directory: path, model: 'm1' }).get(['other', 'none', 'a text'])).toEqual([
      [3, 4],
      undefined,
      [1, 2],
    ]);
    expect(await fileEmbeddingCache({ directory: path, model: 'm2' }).get(['a text'])).toEqual([undefined]);
  });

  it('is empty when its file is broken, and mends it', async () => {
    const path = await directory();
    const cache = fileEmbeddingCache({ directory: path, model: 'm' });
    await Promise.all([cache.set([['a', [1]]]), cache.set([['b', [2]]])]);
    const [file] = await readdir(path);
    await writeFile(join(path, file ?? ''), '{"magic":"toolgate-emb');
    const again = fileEmbeddingCache({ directory: path, model: 'm' });
    expect(await again.get(['a'])).toEqual([undefined]);
    await again.set([['a', [5]]]);
    expect(await fileEmbeddingCache({ directory: path, model: 'm' }).get(['a', 'b'])).toEqual([[5], undefined]);
    await again.clear();
    expect(await readdir(path)).toEqual([]);
  });
});

describe('DecisionModelToolSearchStrategy', () => {
  const tools = [tool('get_weather', 'Weather'), tool('__proto__', 'mail'), tool('send_mail', 'mail')];

  it('asks about each tool by position, with the query as the input', async () => {
    const requests: DecisionRequest[] = [];
    const decisionModel: DecisionModel = {
      ...wordModel,
      decide(request, options) {
        requests.push(request);
        return wordModel.decide(request, options);
      },
    };
    const strategy = new DecisionModelToolSearchStrategy({
      decisionModel,
      maxToolsPerDecisionRequest: 2,
      maxParallelRequests: 1,
    });
    expect(await namesFor(strategy, 'mail', tools)).toEqual(['__proto__', 'send_mail']);
    expect(requests.map((request) => Object.keys(request.questions))).toEqual([['tool0', 'tool1'], ['tool0']]);
    expect(requests[0]?.input).toBe('mail');
  });

  it('keeps tools at the limit, most probable first', async () => {
    const decisionModel: DecisionModel = {
      ...wordModel,
      recommended: { minProbability: 0.4 },
      decide: () =>
        Promise.resolve({
          answers: {
            tool0: { type: 'yes-no', probability: 0.4 },
            tool1: { type: 'refusal' },
            tool2: { type: 'yes-no', probability: 0.8 },
          },
        }),
    };
    const found = await new DecisionModelToolSearchStrategy({ decisionModel }).rank({ query: 'x', tools });
    expect(found).toEqual([
      { name: 'send_mail', score: 0.8 },
      { name: 'get_weather', score: 0.4 },
    ]);
  });

  it("throws the model's error when nothing was answered", async () => {
    const decisionModel: DecisionModel = { ...wordModel, decide: () => Promise.reject(new Error('down')) };
    const strategy = new DecisionModelToolSearchStrategy({ decisionModel });
    await expect(strategy.rank({ query: 'x', tools })).rejects.toMatchObject({ code: 'decision-model-failed' });
    expect(strategy.getToolSearchTools(invocation)[0]?.inputSchema['required']).toEqual(['query']);
  });

  it('refuses options out of range', () => {
    expect(() => new DecisionModelToolSearchStrategy({ decisionModel: wordModel, minProbability: 1.1 })).toThrow(
      /from 0 to 1/u,
    );
    expect(() => new DecisionModelToolSearchStrategy({ decisionModel: wordModel, maxResults: 0 })).toThrow(
      /maxResults/u,
    );
    expect(
      () => new DecisionModelToolSearchStrategy({ decisionModel: wordModel, questionTemplate: 'no name' }),
    ).toThrow(/\{\{name\}\}/u);
  });
});
