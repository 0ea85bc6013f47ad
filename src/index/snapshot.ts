import { digestJson } from '../core/digest.ts';
import { isPlainObject } from '../core/json.ts';
import { indexFields } from './fields.ts';
import type { FieldTexts } from './fields.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What of a tool is stored. */
export interface SnapshotEntry {
  readonly tool: { readonly name: string };
  readonly texts: FieldTexts;
  readonly ids: readonly Uint32Array[];
}

/** A stored index, ready to be asked. */
export interface Snapshot {
  /** The numbers of the tool's terms when its texts are those that were stored. */
  find(name: string, texts: FieldTexts): readonly Uint32Array[] | undefined;
}

/** Goes up whenever the layout, the fields or the tokenizer's rules change. */
const version = 1;
const magic = 0x74_67_69_78;
const headerWords = 4;

interface Header {
  readonly signature: string;
  readonly terms: readonly string[];
  /** Name, digest of the texts, and the number of terms of each field. */
  readonly tools: readonly (readonly [name: string, digest: string, ...lengths: number[]])[];
}

/**
 * The terms of every tool as bytes, little-endian: magic, version, length of the header, check sum of what follows; then the header as JSON,
 * padded to four bytes; then the numbers of all terms. Postings are not stored: building them is faster than reading them.
 */
export function writeSnapshot(
  signature: string,
  vocabulary: Vocabulary,
  entries: readonly SnapshotEntry[],
): Uint8Array {
  const local = new Map<number, number>();
  const terms: string[] = [];
  const numbers: number[] = [];
  for (const { ids } of entries) {
    for (const field of ids) {
      for (const id of field) {
        let own = local.get(id);
        if (own === undefined) {
          own = terms.length;
          local.set(id, own);
          terms.push(vocabulary.term(id));
        }
        numbers.push(own);
      }
    }
  }
  const header: Header = {
    signature,
    terms,
    tools: entries.map(({ tool, texts, ids }) => [tool.name, digestOf(texts), ...ids.map((field) => field.length)]),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = headerWords * 4 + Math.ceil(text.length / 4) * 4;
  const bytes = new Uint8Array(start + numbers.length * 4);
  bytes.set(text, headerWords * 4);
  const view = new DataView(bytes.buffer);
  for (const [place, number] of numbers.entries()) view.setUint32(start + place * 4, number, true);
  view.setUint32(0, magic, true);
  view.setUint32(4, version, true);
  view.setUint32(8, text.length, true);
  view.setUint32(12, checksum(bytes.subarray(headerWords * 4)), true);
  return bytes;
}

/** Reads what {@link writeSnapshot} wrote into a vocabulary. Undefined for bytes that are broken, older, newer, or of another tokenizer. */
export function readSnapshot(bytes: Uint8Array, signature: string, vocabulary: Vocabulary): Snapshot | undefined {
  if (bytes.length < headerWords * 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== magic || view.getUint32(4, true) !== version) return undefined;
  const length = view.getUint32(8, true);
  const start = headerWords * 4 + Math.ceil(length / 4) * 4;
  if (start > bytes.length || view.getUint32(12, true) !== checksum(bytes.subarray(headerWords * 4))) return undefined;
  const header = readHeader(bytes.subarray(headerWords * 4, headerWords * 4 + length));
  if (header === undefined || header.signature !== signature) return undefined;
  const numbers = (bytes.length - start) / 4;
  const places = new Map<string, { digest: string; start: number; lengths: readonly number[] }>();
  let place = 0;
  for (const [name, digest, ...lengths] of header.tools) {
    places.set(name, { digest, start: place, lengths });
    for (const count of lengths) place += count;
  }
  if (place !== numbers) return undefined;
  const ids = Uint32Array.from(header.terms, (term) => vocabulary.add(term));
  return {
    find(name, texts) {
      const stored = places.get(name);
      if (stored === undefined || stored.digest !== digestOf(texts)) return undefined;
      let next = stored.start;
      return stored.lengths.map((count) => {
        const field = new Uint32Array(count);
        for (let index = 0; index < count; index += 1, next += 1)
          field[index] = ids[view.getUint32(start + next * 4, true)] ?? 0;
        return field;
      });
    },
  };
}

function readHeader(bytes: Uint8Array): Header | undefined {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (
    !isPlainObject(header) ||
    typeof header['signature'] !== 'string' ||
    !isTextList(header['terms']) ||
    !Array.isArray(header['tools'])
  )
    return undefined;
  const fits = header['tools'].every(
    (tool: unknown) =>
      Array.isArray(tool) &&
      tool.length === 2 + indexFields.length &&
      tool.every((part: unknown, place) =>
        place < 2 ? typeof part === 'string' : Number.isSafeInteger(part) && (part as number) >= 0,
      ),
  );
  return fits ? (header as unknown as Header) : undefined;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function digestOf(texts: FieldTexts): string {
  return digestJson(indexFields.map((field) => texts[field]));
}

/** FNV-1a, 32 bits: finds damage, not malice. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 0;
}
