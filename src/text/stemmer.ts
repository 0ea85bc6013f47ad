import snowball from 'snowball-stemmers';
import { ToolgateError } from '../core/errors.ts';
import { fold, isAscii } from './fold.ts';

/** Languages that have a stemmer; `none` leaves words as they are. */
export type StemmerLanguage =
  | 'arabic'
  | 'armenian'
  | 'basque'
  | 'catalan'
  | 'czech'
  | 'danish'
  | 'dutch'
  | 'english'
  | 'finnish'
  | 'french'
  | 'german'
  | 'hungarian'
  | 'irish'
  | 'italian'
  | 'norwegian'
  | 'portuguese'
  | 'romanian'
  | 'russian'
  | 'slovene'
  | 'spanish'
  | 'swedish'
  | 'tamil'
  | 'turkish'
  | 'none';

/** Turns a lower-case word into its folded stem. */
export type Stem = (word: string) => string;

/**
 * The Snowball stemmer of a language, with folded diacritics. English folds first, so that `cafés` and `cafe` meet; the other
 * languages stem first, because their rules read the accents. Throws `invalid-option` for a language without a stemmer.
 */
export function createStemmer(language: StemmerLanguage): Stem {
  if (language === 'none') return fold;
  if (!snowball.algorithms().includes(language)) {
    throw new ToolgateError(
      'invalid-option',
      `There is no stemmer for the language "${language}". Use one of: ${snowball.algorithms().join(', ')}, none.`,
      {
        data: { option: 'language' },
      },
    );
  }
  const stemmer = snowball.newStemmer(language);
  if (language === 'english') {
    return remembering((word) => {
      const folded = fold(word);
      // The rules are for Latin letters; below four letters they only do harm ("ios", "gas").
      return folded.length < 4 || !isAscii(folded) ? folded : stemmer.stem(folded);
    });
  }
  return remembering((word) => fold(stemmer.stem(word.normalize('NFC'))));
}

/** Words whose stems are kept; then it begins anew. Texts are made of the same few thousand words. */
const mostWords = 10_000;
const longestWord = 40;

function remembering(stem: Stem): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const made = stem(word);
    if (word.length > longestWord) return made;
    if (stems.size >= mostWords) stems.clear();
    stems.set(word, made);
    return made;
  };
}
