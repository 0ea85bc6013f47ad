import { fold, isAscii } from './fold.ts';
import { splitIdentifier } from './split-identifier.ts';
import { createStemmer } from './stemmer.ts';
import type { StemmerLanguage } from './stemmer.ts';
import { stopWordsOf } from './stop-words.ts';

/** How a {@link Tokenizer} works. */
export interface TokenizerOptions {
  /** For stemming and stop words. Default `english`. */
  readonly language?: StemmerLanguage | undefined;
  /** In place of the language's own stop words; any case, any diacritics. */
  readonly stopWords?: readonly string[] | undefined;
  /** What is read of a text, in UTF-16 units; the rest is ignored. Default 100,000. */
  readonly maxLength?: number | undefined;
}

/** One term of a text. */
export interface Token {
  /** What is compared: the folded stem. */
  readonly term: string;
  /** The word, folded, not stemmed. */
  readonly word: string;
  /** Says nothing about what is meant. */
  readonly stop: boolean;
  /** Digits only. */
  readonly number: boolean;
  /**
   * `word`: stands for itself. `part`: of an identifier in camel case, or of a word with digits. `joined`: all parts of such an identifier in one
   * (`GitHub` gives the parts `git` and `hub` and the joined `github`). `gram`: one or two characters of a script without spaces.
   */
  readonly kind: 'word' | 'part' | 'joined' | 'gram';
}

/** One and the same for what is indexed and what is asked. */
export interface Tokenizer {
  /** Equal exactly when two tokenizers give the same terms; stored indexes carry it. */
  readonly signature: string;
  /** All terms in order, stop words marked and not dropped. Takes any string, unpaired surrogates too; never throws. */
  tokenize(text: string): readonly Token[];
  /** The stem of one word, any case. */
  stem(word: string): string;
}

/** Scripts that write no spaces between words, and Korean, whose particles stick to the word. */
const dense =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Tibetan}\u30fc\u3005';
const asciiRuns = /[A-Za-z0-9]+(?:'[A-Za-z]{1,2}(?![A-Za-z0-9]))?/gu;
const runs = new RegExp(
  `[${dense}]+|(?:(?![${dense}])[\\p{L}\\p{M}\\p{N}])+(?:['\\u2019]\\p{L}{1,2}(?![\\p{L}\\p{N}]))?`,
  'gu',
);
const isDense = new RegExp(`^[${dense}]`, 'u');
const bigramScript = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc\u3005]+$/u;
const onlyHan = /^\p{Script=Han}$/u;
const oneKana = /^[\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const onlyDigits = /^\p{N}+$/u;
const hasDigit = /\d/u;
const letterRuns = /[a-z]{3,}/gu;

/** Longer runs are data (base64, digests), not words. */
const maximumRun = 80;
const maximumMemory = 50_000;

/** Makes a tokenizer. Throws `invalid-option` for an unknown language. */
export function createTokenizer(options: TokenizerOptions = {}): Tokenizer {
  const language = options.language ?? 'english';
  const stem = createStemmer(language);
  const stopWords = options.stopWords === undefined ? stopWordsOf(language) : new Set(options.stopWords.map(fold));
  const maxLength = options.maxLength ?? 100_000;
  const remembered = new Map<string, readonly Token[]>();
  // Built when the first text needs it: most catalogues never do.
  let segmenter: Intl.Segmenter | undefined;

  function token(word: string, kind: Token['kind']): Token {
    const folded = fold(word);
    const number = onlyDigits.test(folded);
    return {
      term: number ? folded : stem(word.toLowerCase()),
      word: folded,
      stop: stopWords.has(folded),
      number,
      kind,
    };
  }

  function tokensOfRun(run: string): readonly Token[] {
    const apostrophe = run.search(/['\u2019]/u);
    if (apostrophe > 0) {
      // "it's" is "it"; "don't" is "dont".
      const tail = run.slice(apostrophe + 1).toLowerCase();
      run = tail === 't' ? run.slice(0, apostrophe) + 't' : run.slice(0, apostrophe);
    }
    if (run.length > maximumRun) return [];
    const tokens: Token[] = [];
    const parts = splitIdentifier(run);
    for (const part of parts) {
      const lower = part.toLowerCase();
      const mixed = hasDigit.test(lower) && !onlyDigits.test(lower);
      tokens.push(token(lower, parts.length > 1 ? 'part' : 'word'));
      if (mixed) for (const [letters] of lower.matchAll(letterRuns)) tokens.push(token(letters, 'part'));
    }
    if (parts.length > 1 && parts.length <= 3 && run.length <= 24) tokens.push(token(run, 'joined'));
    return tokens;
  }

  function denseTokens(run: string): readonly Token[] {
    const tokens: Token[] = [];
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
    for (const { segment } of segmenter.segment(run.slice(0, 2_000))) {
      // A lone kana is a particle or an ending.
      if (!oneKana.test(segment)) tokens.push(token(segment, 'word'));
    }
    if (bigramScript.test(run)) {
      const characters = Array.from(run).slice(0, 2_000);
      for (let index = 0; index < characters.length; index += 1) {
        const character = characters[index] as string;
        const next = characters[index + 1];
        if (onlyHan.test(character)) tokens.push(gram(character));
        if (next !== undefined) tokens.push(gram(character + next));
      }
    }
    return tokens;
  }

  return {
    signature: `1:${language}:${maxLength}:${options.stopWords === undefined ? 'own' : [...stopWords].sort().join(',')}`,
    stem: (word) => stem(word.toLowerCase()),
    tokenize(text) {
      const read = text.length > maxLength ? text.slice(0, maxLength) : text;
      const ascii = isAscii(read);
      const found = ascii ? read.match(asciiRuns) : read.normalize('NFKC').match(runs);
      const tokens: Token[] = [];
      for (const run of found ?? []) {
        let known = remembered.get(run);
        if (known === undefined) {
          known = !ascii && isDense.test(run) ? denseTokens(run) : tokensOfRun(run);
          if (run.length <= maximumRun) {
            if (remembered.size >= maximumMemory) remembered.clear();
            remembered.set(run, known);
          }
        }
        for (const one of known) tokens.push(one);
      }
      return tokens;
    },
  };
}

function gram(text: string): Token {
  return { term: text, word: text, stop: false, number: false, kind: 'gram' };
}
