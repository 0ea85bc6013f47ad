import { describe, expect, it } from 'vitest';
import { fold, isAscii } from './fold.ts';

describe('fold', () => {
  it.each([
    ['Café', 'cafe'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Øre', 'ore'],
    ['İstanbul', 'istanbul'],
    ['ё', 'е'],
    ['כָּל', 'כל'],
  ])('%s becomes %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('leaves marks that carry meaning', () => {
    expect(fold('がき')).toBe('がき');
    expect(fold('हिन्दी')).toBe('हिन्दी');
    expect(fold('한국어')).toBe('한국어');
  });

  it('takes unpaired surrogates', () => {
    expect(fold('A\ud800')).toBe('a\ud800');
  });
});

describe('isAscii', () => {
  it('knows the border', () => {
    expect(isAscii('a\u007f')).toBe(true);
    expect(isAscii('\u0080')).toBe(false);
  });
});
