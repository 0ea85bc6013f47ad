import { describe, expect, it } from 'vitest';
import { builtInSynonyms, createSynonyms } from './synonyms.ts';
import { createTokenizer } from './tokenizer.ts';

const tokenizer = createTokenizer();

describe('createSynonyms', () => {
  it('gives the other members of a group, each with what it stands for', () => {
    const synonyms = createSynonyms(
      [
        ['db', 'database', 'Databases'],
        ['pr', 'pull request'],
      ],
      tokenizer,
    );
    const database = tokenizer.stem('database');
    expect(synonyms.expand(['db'])).toContainEqual({ term: database, of: 'db' });
    expect(synonyms.expand([database])).toContainEqual({ term: 'db', of: database });
    expect(synonyms.expand(['pr']).map((one) => one.term)).toEqual(['pull', 'request']);
  });

  it('takes a phrase for itself only when all of it is there', () => {
    const synonyms = createSynonyms([['pr', 'pull request']], tokenizer);
    expect(synonyms.expand(['pull'])).toEqual([]);
    expect(synonyms.expand(['pull', 'request'])).toEqual([{ term: 'pr', of: 'pull' }]);
  });

  it('gives nothing that is written already, and nothing for words without a group', () => {
    const synonyms = createSynonyms([['a1', 'b1']], tokenizer);
    expect(synonyms.expand(['a1', 'b1', 'c1', '__proto__', 'constructor'])).toEqual([]);
  });

  it('prepares a table once for a tokenizer', () => {
    expect(createSynonyms(builtInSynonyms, tokenizer)).toBe(createSynonyms(builtInSynonyms, tokenizer));
  });
});
