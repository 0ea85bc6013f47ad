import { isWordCharacter, parsePattern, PatternError } from './pattern-parser.ts';
import type { PatternNode } from './pattern-parser.ts';

/** Work that may still be done; shared by all matches of one search. */
export interface StepBudget {
  left: number;
}

/** A compiled pattern. */
export interface LinearPattern {
  /**
   * Whether the pattern matches anywhere in the text, in time proportional to the text's length times the pattern's size, whatever both
   * are. Takes its steps from the budget; false when that runs out.
   */
  test(text: string, budget: StepBudget): boolean;
}

/** A compiled pattern, or what is wrong with its text. */
export type CompiledPattern =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly problem: string; readonly position: number };

const longestPattern = 1_000;
const largestProgram = 4_000;

interface Instruction {
  readonly kind: 'character' | 'assertion' | 'split' | 'match';
  takes?: (codePoint: number) => boolean;
  assertion?: 'start' | 'end' | 'boundary' | 'no-boundary';
  next: number;
  other: number;
}

/**
 * Compiles a regular expression (see `parsePattern` for what it may hold) to a program that follows all possibilities at once (Thompson, "Regular
 * expression search algorithm", CACM 1968): there is no backtracking, so no pattern is slow. Never throws.
 */
export function compilePattern(pattern: string): CompiledPattern {
  if (pattern.length > longestPattern) {
    return { ok: false, problem: `more than ${longestPattern} characters`, position: longestPattern };
  }
  try {
    const program = emit(parsePattern(pattern));
    return { ok: true, pattern: { test: (text, budget) => run(program, text, budget) } };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, problem: error.message, position: error.position };
    throw error;
  }
}

function emit(root: PatternNode): readonly Instruction[] {
  const program: Instruction[] = [];
  const push = (instruction: Instruction): number => {
    if (program.length >= largestProgram) throw new PatternError('repetitions that multiply too far', 0);
    return program.push(instruction) - 1;
  };
  const split = (next: number, other: number): number => push({ kind: 'split', next, other });
  /** Emits a node in front of `next` and gives where it starts. */
  const place = (node: PatternNode, next: number): number => {
    switch (node.type) {
      case 'character':
        return push({ kind: 'character', takes: node.takes, next, other: -1 });
      case 'assertion':
        return push({ kind: 'assertion', assertion: node.at, next, other: -1 });
      case 'sequence':
        return node.nodes.reduceRight((after, one) => place(one, after), next);
      case 'choice':
        return node.nodes.map((one) => place(one, next)).reduceRight((after, start) => split(start, after));
      default:
        return repeat(node, next);
    }
  };
  const repeat = ({ node, least, most }: PatternNode & { type: 'repeat' }, next: number): number => {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = split(-1, next);
      (program[loop] as Instruction).next = place(node, loop);
      start = loop;
    } else for (let count = least; count < most; count += 1) start = split(place(node, start), next);
    for (let count = 0; count < least; count += 1) start = place(node, start);
    return start;
  };
  const match = push({ kind: 'match', next: -1, other: -1 });
  const start = place(root, match);
  // The program is entered at its last instruction.
  split(start, start);
  return program;
}

function run(program: readonly Instruction[], text: string, budget: StepBudget): boolean {
  const start = program.length - 1;
  let current: number[] = [];
  let following: number[] = [];
  const seen = new Int32Array(program.length).fill(-1);
  let matched = false;
  let before = -1;
  let at = 0;
  let stamp = 0;

  const enter = (first: number, after: number, into: number[]): void => {
    const open = [first];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen[place] === stamp) continue;
      seen[place] = stamp;
      budget.left -= 1;
      const instruction = program[place] as Instruction;
      if (instruction.kind === 'match') matched = true;
      else if (instruction.kind === 'character') into.push(place);
      else if (instruction.kind === 'split') open.push(instruction.other, instruction.next);
      else if (holds(instruction.assertion as string, before, after)) open.push(instruction.next);
    }
  };

  for (;;) {
    const codePoint = at < text.length ? (text.codePointAt(at) as number) : -1;
    // Everything that waits here was entered when the character after it was not known yet.
    stamp += 1;
    const waiting = current;
    current = [];
    for (const place of waiting) enter(place, codePoint, current);
    enter(start, codePoint, current);
    if (matched) return true;
    if (codePoint < 0 || budget.left <= 0) return false;
    following = [];
    for (const place of current) {
      budget.left -= 1;
      const instruction = program[place] as Instruction;
      if ((instruction.takes as (codePoint: number) => boolean)(codePoint)) following.push(instruction.next);
    }
    current = following;
    before = codePoint;
    at += codePoint > 0xff_ff ? 2 : 1;
  }
}

function holds(assertion: string, before: number, after: number): boolean {
  if (assertion === 'start') return before < 0;
  if (assertion === 'end') return after < 0;
  const boundary = (before >= 0 && isWordCharacter(before)) !== (after >= 0 && isWordCharacter(after));
  return assertion === 'boundary' ? boundary : !boundary;
}
