import { createWordEmbedder } from './word-embedder.ts';
import type { WordEmbedder } from './word-embedder.ts';
import { openWordVectors } from './word-vectors.ts';

let loading: Promise<WordEmbedder> | undefined;

/** The shipped word vectors. Read when first asked for, once for each process; a plain module, so it works wherever modules do. */
export function loadWordEmbedder(): Promise<WordEmbedder> {
  loading ??= import('./generated/vectors.ts').then(({ packedBase64, words }) =>
    createWordEmbedder(openWordVectors({ words, bytes: fromBase64(packedBase64) })),
  );
  return loading;
}

/** Decodes base64 without Node's Buffer, so that browsers and workers can. */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
