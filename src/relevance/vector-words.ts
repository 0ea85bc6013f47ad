import type { Token } from '../text/tokenizer.ts';

/** Words of a text that may have a vector: content words in their own form, in order, each once. */
export function vectorWords(tokens: readonly Token[], limit: number): string[] {
  const words = new Set<string>();
  for (const token of tokens) {
    if (token.stop || token.number || token.kind === 'gram' || token.kind === 'joined' || token.word.length < 2)
      continue;
    words.add(token.word);
    if (words.size >= limit) break;
  }
  return [...words];
}
