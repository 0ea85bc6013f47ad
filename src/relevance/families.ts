import type { ToolDefinition } from '../core/tool.ts';
import type { ToolIndex } from '../index/tool-index.ts';

/** A first word that more tools than this share says what they do (`get`, `list`), not where they belong. */
const rareShare = 0.04;
const rareCount = 3;

/**
 * Tools that belong together: a conversation that needs one of them often needs another. Tools of one server; for tools without a server, those whose
 * names begin with the same rare word. -1 for tools that stand alone, and for all when there is one server only.
 */
export function findFamilies(tools: readonly ToolDefinition[], index: ToolIndex): Int32Array {
  const keys = tools.map((tool, ordinal) => {
    if (tool.server !== undefined) return `server ${tool.server.identity} ${tool.server.name}`;
    const first = index.terms(ordinal, 'name')[0];
    return first === undefined ? '' : `word ${first}`;
  });
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const rarest = Math.max(rareCount, rareShare * tools.length);
  const numbers = new Map<string, number>();
  return Int32Array.from(keys, (key) => {
    const count = counts.get(key) ?? 0;
    if (key === '' || count < 2 || count === tools.length || (key.startsWith('word ') && count > rarest)) return -1;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  });
}

const strongest = 3;

/**
 * For each tool how strongly the others of its family match: the mean of the best three scores in its family without its own, divided by
 * the best score of all. 0 for tools that stand alone.
 */
export function familyShares(families: Int32Array, scores: Float64Array | Float32Array): Float64Array {
  const best = new Map<number, number[]>();
  let top = 0;
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] as number;
    if (!(score > 0)) continue;
    if (score > top) top = score;
    const family = families[place] as number;
    if (family < 0) continue;
    const list = best.get(family);
    if (list === undefined) best.set(family, [score]);
    else insert(list, score);
  }
  const shares = new Float64Array(scores.length);
  if (top === 0) return shares;
  for (let place = 0; place < scores.length; place += 1) {
    const list = best.get(families[place] as number);
    if (list === undefined) continue;
    const own = scores[place] as number;
    const place1 = own > 0 ? list.indexOf(own) : -1;
    let sum = 0;
    let taken = 0;
    for (let rank = 0; rank < list.length && taken < strongest; rank += 1) {
      if (rank === place1) continue;
      sum += list[rank] as number;
      taken += 1;
    }
    shares[place] = sum / strongest / top;
  }
  return shares;
}

/** Keeps the best few, best first; one more than are used, since a tool's own score is left out. */
function insert(list: number[], score: number): void {
  if (list.length > strongest && score <= (list[list.length - 1] as number)) return;
  let place = list.length;
  while (place > 0 && (list[place - 1] as number) < score) place -= 1;
  list.splice(place, 0, score);
  if (list.length > strongest + 1) list.pop();
}
