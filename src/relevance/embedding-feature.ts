import { ToolgateError } from '../core/errors.ts';
import type { CatalogueProfile } from './catalogue-profile.ts';
import type { Conversation } from './conversation.ts';

/**
 * Turns texts into vectors of one length, in order. Any embedding model will do: Ollama's `/api/embed`, an AI SDK embedding model, a
 * local one. Called with at most 64 texts at a time.
 */
export type EmbedTexts = (
  texts: readonly string[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly (readonly number[] | Float32Array)[]>;

const batchSize = 64;
const toolCharacters = 600;

/** The similarity of a conversation to every tool of a catalogue. Tools are embedded once for each catalogue. */
export interface EmbeddingFeature {
  similarities(profile: CatalogueProfile, conversation: Conversation, signal: AbortSignal): Promise<Float32Array>;
}

/** Wraps an embedding function. */
export function createEmbeddingFeature(embed: EmbedTexts): EmbeddingFeature {
  const remembered = new WeakMap<CatalogueProfile, Promise<readonly Float32Array[]>>();

  async function embedAll(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += batchSize) {
      const batch = texts.slice(start, start + batchSize);
      const given = await embed(batch, { signal });
      if (given.length !== batch.length) {
        throw new ToolgateError(
          'decision-model-invalid-response',
          `The embedding function gave ${given.length} vectors for ${batch.length} texts. It must give one for each, in order.`,
          {
            data: { provider: 'toolgate' },
          },
        );
      }
      for (const vector of given) vectors.push(unit(vector));
    }
    return vectors;
  }

  function toolVectors(profile: CatalogueProfile, signal: AbortSignal): Promise<readonly Float32Array[]> {
    let known = remembered.get(profile);
    if (known === undefined) {
      known = embedAll(
        profile.tools.map((tool) =>
          `${tool.title ?? tool.name.replaceAll(/[_.-]+/gu, ' ')}: ${tool.description ?? ''}`.slice(0, toolCharacters),
        ),
        signal,
      );
      remembered.set(profile, known);
      // A failure is told to whoever asked, and tried again by the next.
      known.catch(() => remembered.delete(profile));
    }
    return known;
  }

  return {
    async similarities(profile, conversation, signal) {
      const tools = await toolVectors(profile, signal);
      const [query] = await embedAll([queryText(conversation)], signal);
      return Float32Array.from(tools, (tool) => dot(tool, query as Float32Array));
    },
  };
}

/** The last message; a short one with the messages that it answers. */
function queryText(conversation: Conversation): string {
  const { last, before } = conversation;
  if (last.length >= 60 || before.length === 0) return last;
  const earlier = before.slice(0, 3).map((turn) => turn.text.slice(0, 400));
  return [...earlier.reverse(), last].join('\n');
}

function unit(vector: readonly number[] | Float32Array): Float32Array {
  const copy = Float32Array.from(vector);
  let square = 0;
  for (const value of copy) square += value * value;
  const scale = 1 / (Math.sqrt(square) || 1);
  return copy.map((value) => value * scale);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] ?? 0);
  return sum;
}
