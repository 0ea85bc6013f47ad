import { describe, expect, it } from 'vitest';
import { createTokenizer } from './tokenizer.ts';

const tokenizer = createTokenizer();
const terms = (text: string): string[] => tokenizer.tokenize(text).map((token) => token.term);
const content = (text: string): string[] =>
  tokenizer
    .tokenize(text)
    .filter((token) => !token.stop)
    .map((token) => token.term);

describe('createTokenizer', () => {
  it('gives snake, kebab, dotted, slashed and spaced forms the same terms', () => {
    const expected = ['board', 'add', 'link'];
    for (const form of ['board_add_link', 'board-add-link', 'board.add.link', 'board/add/link', 'Board Add Links']) {
      expect(terms(form)).toEqual(expected);
    }
  });

  it('gives the parts of a camel-case name and, when it is short, the whole', () => {
    expect(tokenizer.tokenize('GitHub').map(({ term, kind }) => [term, kind])).toEqual([
      ['git', 'part'],
      ['hub', 'part'],
      ['github', 'joined'],
    ]);
    expect(terms('getDealHTTPLog')).toEqual(['get', 'deal', 'http', 'log']);
  });

  it('keeps words with digits whole and gives their letters too', () => {
    expect(terms('base64')).toEqual(['base64', 'base']);
    expect(terms('s3')).toEqual(['s3']);
    expect(tokenizer.tokenize('step_12')[1]).toMatchObject({ term: '12', number: true });
  });

  it('marks stop words and does not drop them', () => {
    expect(terms('show me the weather')).toContain('me');
    expect(content('could you show me the weather in Paris')).toEqual(['weather', 'pari']);
    expect(content("I don't know what it's called")).toEqual(['call']);
  });

  it('cuts text without spaces into words and pairs of characters', () => {
    const description = new Set(terms('料理のレシピを検索します。'));
    expect(description.has('レシピ')).toBe(true);
    expect(description.has('検索')).toBe(true);
    expect(terms('レシピを探して').some((term) => description.has(term))).toBe(true);
    expect(terms('サッカー').some((term) => description.has(term))).toBe(false);
    expect(terms('ค้นหาสูตรอาหาร').length).toBeGreaterThan(1);
    expect(terms('날씨를')).toContain('날씨');
  });

  it('folds full-width letters', () => {
    expect(terms('ＷＥＡＴＨＥＲ')).toEqual(['weather']);
  });

  it('skips runs that are data, and reads no more than the limit', () => {
    expect(terms('a'.repeat(81))).toEqual([]);
    expect(
      createTokenizer({ maxLength: 7 })
        .tokenize('weather report')
        .map((token) => token.term),
    ).toEqual(['weather']);
  });

  it('takes own stop words in any case', () => {
    const own = createTokenizer({ stopWords: ['Café'] });
    expect(own.tokenize('cafe').map((token) => token.stop)).toEqual([true]);
    expect(own.tokenize('the').map((token) => token.stop)).toEqual([false]);
    expect(own.signature).not.toBe(tokenizer.signature);
  });

  it('takes control characters and unpaired surrogates', () => {
    expect(terms('\u0000\ud800weather\udc00\u001b[31m')).toContain('weather');
    expect(terms('')).toEqual([]);
  });
});
