import { describe, expect, it } from 'vitest';
import { createStemmer } from './stemmer.ts';
import type { StemmerLanguage } from './stemmer.ts';

describe('createStemmer', () => {
  it('brings the forms of an English word together', () => {
    const stem = createStemmer('english');
    expect(new Set(['render', 'rendering', 'rendered', 'renders'].map(stem))).toEqual(new Set(['render']));
    expect(stem('cafés')).toBe(stem('cafe'));
    expect(stem('ios')).toBe('ios');
  });

  it('reads accents before it folds them in other languages', () => {
    const stem = createStemmer('german');
    expect(stem('häuser')).toBe(stem('haus'));
    expect(createStemmer('russian')('машины')).toBe(createStemmer('russian')('машина'));
  });

  it('only folds without a language', () => {
    expect(createStemmer('none')('Éditions')).toBe('editions');
  });

  it('refuses a language it does not know', () => {
    expect(() => createStemmer('klingon' as StemmerLanguage)).toThrow(
      /no stemmer for the language "klingon".*english/u,
    );
  });
});
