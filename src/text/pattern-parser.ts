/** What a pattern means, before it is compiled. */
export type PatternNode =
  | { readonly type: 'character'; readonly takes: (codePoint: number) => boolean }
  | { readonly type: 'assertion'; readonly at: 'start' | 'end' | 'boundary' | 'no-boundary' }
  | { readonly type: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly node: PatternNode; readonly least: number; readonly most: number };

/** A pattern that is not understood: where, and why. */
export class PatternError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

const deepest = 50;

/**
 * Reads a regular expression: literals, `.`, classes, `\d \w \s \b` and their opposites, escapes, groups, `|`, `^`, `$` and all quantifiers (lazy
 * ones mean the same, since only whether it matches is asked). Letters match in both cases. Throws {@link PatternError} for
 * what needs backtracking (references, looking around) and for what is not a pattern.
 */
export function parsePattern(pattern: string): PatternNode {
  const parser = new Parser(pattern);
  return parser.whole();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    // All letters match in both cases anyway.
    this.#text = text.startsWith('(?i)') ? text.slice(4) : text;
  }

  whole(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw this.#error('a closing bracket without its opening one');
    return node;
  }

  #choice(): PatternNode {
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#error(`more than ${deepest} groups in each other`);
    const branches: PatternNode[] = [this.#sequence()];
    while (this.#text[this.#at] === '|') {
      this.#at += 1;
      branches.push(this.#sequence());
    }
    this.#depth -= 1;
    return branches.length === 1 ? (branches[0] as PatternNode) : { type: 'choice', nodes: branches };
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (this.#at < this.#text.length && this.#text[this.#at] !== '|' && this.#text[this.#at] !== ')') {
      nodes.push(this.#quantified(this.#atom()));
    }
    return { type: 'sequence', nodes };
  }

  #atom(): PatternNode {
    const character = this.#text[this.#at] as string;
    switch (character) {
      case '^':
      case '$':
        this.#at += 1;
        return { type: 'assertion', at: character === '^' ? 'start' : 'end' };
      case '(':
        return this.#group();
      case '[':
        return { type: 'character', takes: this.#class() };
      case '.':
        this.#at += 1;
        return { type: 'character', takes: () => true };
      case '\\':
        return this.#escapedAtom();
      case '*':
      case '+':
      case '?':
        throw this.#error(`a "${character}" with nothing before it`);
      default:
        return { type: 'character', takes: anyCase(exactly(this.#codePoint())) };
    }
  }

  #group(): PatternNode {
    this.#at += 1;
    if (this.#text.startsWith('?:', this.#at)) this.#at += 2;
    else if (this.#text[this.#at] === '?') {
      const name = /^\?P?<[A-Za-z_][A-Za-z0-9_]*>/u.exec(this.#text.slice(this.#at, this.#at + 70));
      if (name === null) throw this.#error('looking around or a flag, which is not supported');
      this.#at += name[0].length;
    }
    const node = this.#choice();
    if (this.#text[this.#at] !== ')') throw this.#error('a group that is not closed');
    this.#at += 1;
    return node;
  }

  #quantified(node: PatternNode): PatternNode {
    const found = /^(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})[?+]?/u.exec(this.#text.slice(this.#at, this.#at + 14));
    if (found === null) return node;
    this.#at += found[0].length;
    const sign = found[0][0];
    const least = sign === '+' ? 1 : sign === '{' ? Number(found[1]) : 0;
    let most = sign === '?' ? 1 : Number.POSITIVE_INFINITY;
    if (sign === '{') most = found[2] === undefined ? least : found[3] === '' ? most : Number(found[3]);
    if (most < least) throw this.#error('a repetition whose limits are the wrong way round');
    if (
      /^[*+?{]/u.test(this.#text.slice(this.#at, this.#at + 1)) &&
      /^(?:[*+?]|\{\d)/u.test(this.#text.slice(this.#at))
    ) {
      throw this.#error('a repetition of a repetition');
    }
    return { type: 'repeat', node, least, most };
  }

  #escapedAtom(): PatternNode {
    const next = this.#text[this.#at + 1];
    if (next === 'b' || next === 'B') {
      this.#at += 2;
      return { type: 'assertion', at: next === 'b' ? 'boundary' : 'no-boundary' };
    }
    return { type: 'character', takes: this.#escape() };
  }

  #class(): (codePoint: number) => boolean {
    this.#at += 1;
    const negated = this.#text[this.#at] === '^';
    if (negated) this.#at += 1;
    const tests: ((codePoint: number) => boolean)[] = [];
    let first = true;
    while (first || this.#text[this.#at] !== ']') {
      if (this.#at >= this.#text.length) throw this.#error('a class that is not closed');
      first = false;
      tests.push(this.#classMember());
    }
    this.#at += 1;
    const takes = (codePoint: number): boolean => tests.some((test) => test(codePoint));
    return negated ? (codePoint) => !takes(codePoint) : takes;
  }

  #classMember(): (codePoint: number) => boolean {
    if (this.#text[this.#at] === '\\') return this.#escape();
    const low = this.#codePoint();
    const isRange =
      this.#text[this.#at] === '-' && this.#at + 1 < this.#text.length && this.#text[this.#at + 1] !== ']';
    if (!isRange) return anyCase(exactly(low));
    this.#at += 1;
    if (this.#text[this.#at] === '\\') throw this.#error('a range that ends with an escape');
    const high = this.#codePoint();
    if (high < low) throw this.#error('a range whose ends are the wrong way round');
    return anyCase((codePoint) => codePoint >= low && codePoint <= high);
  }

  #escape(): (codePoint: number) => boolean {
    const letter = this.#text[this.#at + 1];
    if (letter === undefined) throw this.#error('a backslash at the end');
    const named = namedClasses.get(letter);
    if (named !== undefined) {
      this.#at += 2;
      return named;
    }
    if (/[1-9k]/u.test(letter)) throw this.#error('a reference to what was matched, which is not supported');
    if (/[a-zA-Z]/u.test(letter)) throw this.#error(`an escape that is not known, "\\${letter}"`);
    this.#at += 1;
    return exactly(this.#codePoint());
  }

  #codePoint(): number {
    const codePoint = this.#text.codePointAt(this.#at) as number;
    this.#at += codePoint > 0xff_ff ? 2 : 1;
    return codePoint;
  }

  #error(what: string): PatternError {
    return new PatternError(what, this.#at);
  }
}

const namedClasses: ReadonlyMap<string, (codePoint: number) => boolean> = new Map([
  ['d', isDigit],
  ['D', (codePoint: number) => !isDigit(codePoint)],
  ['w', isWordCharacter],
  ['W', (codePoint: number) => !isWordCharacter(codePoint)],
  ['s', isSpace],
  ['S', (codePoint: number) => !isSpace(codePoint)],
  ['n', exactly(10)],
  ['r', exactly(13)],
  ['t', exactly(9)],
]);

/** A letter, a digit or an underscore, in any script. */
export function isWordCharacter(codePoint: number): boolean {
  if (codePoint < 128) {
    return (
      isDigit(codePoint) ||
      codePoint === 95 ||
      (codePoint >= 65 && codePoint <= 90) ||
      (codePoint >= 97 && codePoint <= 122)
    );
  }
  return /[\p{L}\p{M}\p{N}]/u.test(String.fromCodePoint(codePoint));
}

function isDigit(codePoint: number): boolean {
  return codePoint >= 48 && codePoint <= 57;
}

function isSpace(codePoint: number): boolean {
  return codePoint === 32 || (codePoint >= 9 && codePoint <= 13) || codePoint === 0xa0 || codePoint === 0x30_00;
}

function exactly(wanted: number): (codePoint: number) => boolean {
  return (codePoint) => codePoint === wanted;
}

function anyCase(takes: (codePoint: number) => boolean): (codePoint: number) => boolean {
  return (codePoint) => {
    if (takes(codePoint)) return true;
    const character = String.fromCodePoint(codePoint);
    const lower = character.toLowerCase().codePointAt(0) as number;
    const upper = character.toUpperCase().codePointAt(0) as number;
    return (lower !== codePoint && takes(lower)) || (upper !== codePoint && takes(upper));
  };
}
