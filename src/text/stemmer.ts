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
    return (word) => {
      const folded = fold(word);
      // The rules are for Latin letters; below four letters they only do harm ("ios", "gas").
      return folded.length < 4 || !isAscii(folded) ? folded : stemmer.stem(folded);
    };
  }
  return (word) => fold(stemmer.stem(word.normalize('NFC')));
}
