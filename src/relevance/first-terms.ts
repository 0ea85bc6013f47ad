const stopWords: ReadonlySet<string> = new Set(
  'a an the of to in on for with by at from as is are was were be been this that these those it its i me my we our you your he she they them and or not no but if then so can could would should will do does did have has had what which who when where why how please help want need like just'.split(
    ' ',
  ),
);

/** Content words of a text, identifiers split, lower case, plural s dropped. */
export function contentTerms(text: string): string[] {
  const terms: string[] = [];
  for (const match of text.replace(/([a-z0-9])([A-Z])/gu, '$1 $2').matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = match[0].toLowerCase();
    if (stopWords.has(word)) continue;
    terms.push(word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word);
  }
  return terms;
}
