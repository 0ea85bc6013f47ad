/** What is known of a pattern before it may be matched against text from a model. */
export type JudgedPattern =
  | {
      readonly safe: true;
      /** Texts up to this length are matched within a few hundred milliseconds even in the worst case. */
      readonly maxLength: number;
    }
  | { readonly safe: false; readonly reason: string };

/** Longest text by how fast the worst case grows: linear, quadratic, cubic. */
const lengthByDegree = [0, 100_000, 5_000, 400] as const;
const longestPattern = 1_000;
/** Repetitions below this count as a constant. */
const manyTimes = 16;

/**
 * Decides whether `pattern` may be given to the platform's backtracking engine. Accepted is a subset in which the worst
 * case is a small polynomial: no backreferences, no lookarounds, no repetition of something that itself repeats or
 * branches ambiguously. The degree sets how long a text may be.
 */
export function judgePattern(pattern: string): JudgedPattern {
  const known = judgements.get(pattern);
  if (known !== undefined) return known;
  const judged = judge(pattern);
  if (judgements.size >= mostRemembered) judgements.clear();
  if (pattern.length <= longestPattern) judgements.set(pattern, judged);
  return judged;
}

/** Servers repeat their patterns in every tool. */
const judgements = new Map<string, JudgedPattern>();
const mostRemembered = 2_000;

function judge(pattern: string): JudgedPattern {
  if (pattern.length > longestPattern) return { safe: false, reason: `it is longer than ${longestPattern} characters` };
  try {
    RegExp(pattern, 'u');
  } catch {
    return { safe: false, reason: 'it is not a valid regular expression' };
  }
  try {
    const parser = new PatternParser(pattern);
    const branches = parser.alternatives(false);
    const variable = parser.variable;
    if (variable === 0) return { safe: true, maxLength: lengthByDegree[1] };
    const anchored = branches.every((branch) => branch[0]?.kind === 'start');
    const degree = (anchored ? 0 : 1) + Math.max(1, ambiguousRepetitions(branches));
    const maxLength = lengthByDegree[degree];
    return maxLength === undefined
      ? { safe: false, reason: 'matching it may take too long' }
      : { safe: true, maxLength };
  } catch (error) {
    return { safe: false, reason: error instanceof PatternRefusal ? error.message : 'it is not understood' };
  }
}

class PatternRefusal extends Error {}

/** Which characters an atom takes: ASCII as a bit per code, and whether it takes others. */
interface CharacterSet {
  readonly ascii: readonly boolean[];
  readonly others: boolean;
}

interface Item {
  readonly kind: 'start' | 'end' | 'boundary' | 'character' | 'group';
  readonly set?: CharacterSet;
  readonly branches?: readonly (readonly Item[])[];
  readonly least: number;
  readonly most: number;
}

/** Repetitions that may hand characters over to what follows them, or give them back one by one, so that their choices multiply. */
function ambiguousRepetitions(branches: readonly (readonly Item[])[], endsRepeatedTail = false): number {
  let total = 0;
  for (const branch of branches) {
    branch.forEach((item, index) => {
      const next = branch[index + 1];
      const isTail = next === undefined || (next.kind === 'end' && index + 2 === branch.length);
      if (item.branches !== undefined) total += ambiguousRepetitions(item.branches, isTail && item.most > 1);
      if (item.most === item.least || item.most < manyTimes) return;
      // What ends a repeated group is followed by the group's delimiter, which it does not take (see isRepeatable).
      if (next === undefined && endsRepeatedTail && item.set !== undefined) return;
      const disjoint =
        item.set !== undefined && next?.set !== undefined && next.least > 0 && areDisjoint(item.set, next.set);
      if (!disjoint) total += 1;
    });
  }
  return total;
}

function areDisjoint(one: CharacterSet, other: CharacterSet): boolean {
  if (one.others && other.others) return false;
  return !one.ascii.some((taken, code) => taken && other.ascii[code] === true);
}

/** The sets of all characters within branches. */
function allSets(branches: readonly (readonly Item[])[]): readonly CharacterSet[] {
  return branches.flatMap((branch) =>
    branch.flatMap((item) => (item.set === undefined ? allSets(item.branches ?? []) : [item.set])),
  );
}

function repeatsOrBranches(branches: readonly (readonly Item[])[]): boolean {
  return (
    branches.length > 1 ||
    branches.some((branch) =>
      branch.some(
        (item) => item.most !== item.least || (item.branches !== undefined && repeatsOrBranches(item.branches)),
      ),
    )
  );
}

/** True when repeating the group has one way only to read a text. */
function isRepeatable(branches: readonly (readonly Item[])[]): boolean {
  if (!repeatsOrBranches(branches))
    return branches.every((branch) =>
      branch.some((item) => item.least > 0 && (item.set !== undefined || item.branches !== undefined)),
    );
  if (branches.length > 1) {
    const firsts = branches.map((branch) =>
      branch.length === 1 && branch[0]?.least === 1 && branch[0].most === 1 ? branch[0].set : undefined,
    );
    return firsts.every(
      (set, index) =>
        set !== undefined && firsts.slice(index + 1).every((other) => other !== undefined && areDisjoint(set, other)),
    );
  }
  const [first, ...rest] = branches[0] ?? [];
  if (first?.set === undefined || first.least !== 1 || first.most !== 1) return false;
  const delimiter = first.set;
  if (rest.some((item) => item.branches !== undefined && repeatsOrBranches(item.branches))) return false;
  return allSets([rest]).every((set) => areDisjoint(delimiter, set));
}

class PatternParser {
  readonly #text: string;
  #at = 0;
  /** How many repetitions of no fixed number were seen. */
  variable = 0;

  constructor(text: string) {
    this.#text = text;
  }

  alternatives(inside: boolean): readonly (readonly Item[])[] {
    const branches: Item[][] = [[]];
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at];
      if (character === ')' && inside) break;
      if (character === '|') {
        this.#at += 1;
        branches.push([]);
        continue;
      }
      branches.at(-1)?.push(this.#item());
    }
    return branches;
  }

  #item(): Item {
    const character = this.#text[this.#at] ?? '';
    if (character === '^' || character === '$') {
      this.#at += 1;
      return { kind: character === '^' ? 'start' : 'end', least: 0, most: 0 };
    }
    if (character === '(') return this.#quantified(this.#group());
    if (character === '\\' && /[bB]/.test(this.#text[this.#at + 1] ?? '')) {
      this.#at += 2;
      return { kind: 'boundary', least: 0, most: 0 };
    }
    return this.#quantified({ kind: 'character', set: this.#character(), least: 1, most: 1 });
  }

  #group(): Item {
    this.#at += 1;
    if (this.#text.startsWith('?:', this.#at)) {
      this.#at += 2;
    } else if (this.#text[this.#at] === '?') {
      const named = /^\?<[A-Za-z_]\w*>/.exec(this.#text.slice(this.#at));
      if (named === null) throw new PatternRefusal('it looks around');
      this.#at += named[0].length;
    }
    const branches = this.alternatives(true);
    this.#at += 1;
    return { kind: 'group', branches, least: 1, most: 1 };
  }

  #quantified(item: Item): Item {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#text.slice(this.#at));
    if (found === null) return item;
    this.#at += found[0].length;
    const sign = found[0][0];
    const least = sign === '+' ? 1 : sign === '{' ? Number(found[1]) : 0;
    let most = sign === '?' ? 1 : Number.POSITIVE_INFINITY;
    if (sign === '{') most = found[2] === '' ? least : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (least > 1_000 || (most > 10_000 && most !== Number.POSITIVE_INFINITY))
      throw new PatternRefusal('it repeats too often');
    if (most !== least) this.variable += 1;
    if (most > 1 && item.branches !== undefined && !isRepeatable(item.branches))
      throw new PatternRefusal('it repeats something that repeats or branches itself');
    return { ...item, least, most };
  }

  #character(): CharacterSet {
    const character = this.#text[this.#at] ?? '';
    if (character === '[') return this.#class();
    if (character === '.') {
      this.#at += 1;
      return makeSet((code) => code !== 10 && code !== 13, true);
    }
    if (character === '\\') return this.#escape();
    const point = this.#text.codePointAt(this.#at) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    return makeSet((code) => code === point, point > 127);
  }

  #class(): CharacterSet {
    this.#at += 1;
    const negated = this.#text[this.#at] === '^';
    if (negated) this.#at += 1;
    const parts: CharacterSet[] = [];
    while (this.#text[this.#at] !== ']') {
      const start = this.#at;
      const part = this.#text[this.#at] === '\\' ? this.#escape() : this.#plainInClass();
      if (this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']') {
        const low = this.#only(part);
        this.#at += 1;
        const high = this.#only(this.#text[this.#at] === '\\' ? this.#escape() : this.#plainInClass());
        parts.push(
          low === undefined || high === undefined
            ? makeSet((code) => low === undefined || code >= low, true)
            : makeSet((code) => code >= low && code <= high, false),
        );
      } else {
        parts.push(part);
      }
      if (this.#at === start) throw new PatternRefusal('it is not understood');
    }
    this.#at += 1;
    const taken = makeSet(
      (code) => parts.some((part) => part.ascii[code] === true),
      parts.some((part) => part.others),
    );
    return negated ? makeSet((code) => taken.ascii[code] !== true, true) : taken;
  }

  #plainInClass(): CharacterSet {
    const point = this.#text.codePointAt(this.#at) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    return makeSet((code) => code === point, point > 127);
  }

  /** The one ASCII character of a set; undefined when it is not exactly one. */
  #only(set: CharacterSet): number | undefined {
    return set.others || set.ascii.filter(Boolean).length !== 1 ? undefined : set.ascii.indexOf(true);
  }

  #escape(): CharacterSet {
    const character = this.#text[this.#at + 1] ?? '';
    this.#at += 2;
    if (/[1-9k]/.test(character)) throw new PatternRefusal('it refers back to what it matched');
    if (character === 'd') return makeSet(isDigit, false);
    if (character === 'D') return makeSet((code) => !isDigit(code), true);
    if (character === 'w') return makeSet(isWord, false);
    if (character === 'W') return makeSet((code) => !isWord(code), true);
    if (character === 's') return makeSet(isSpace, true);
    if (character === 'S') return makeSet((code) => !isSpace(code), true);
    if (character === 'p' || character === 'P') {
      this.#at = this.#text.indexOf('}', this.#at) + 1;
      return makeSet(() => true, true);
    }
    const coded = /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\})/.exec(this.#text.slice(this.#at - 1));
    if (coded !== null) {
      this.#at += coded[0].length - 1;
      const point = Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? '0', 16);
      return makeSet((code) => code === point, point > 127);
    }
    const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 };
    if (character === 'c') throw new PatternRefusal('it is not understood');
    const point = Object.hasOwn(controls, character) ? (controls[character] ?? 0) : (character.codePointAt(0) ?? 0);
    return makeSet((code) => code === point, point > 127);
  }
}

function makeSet(takes: (code: number) => boolean, others: boolean): CharacterSet {
  return { ascii: Array.from({ length: 128 }, (_, code) => takes(code)), others };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWord(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
