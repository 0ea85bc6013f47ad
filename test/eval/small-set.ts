import type { EvaluationSet } from '../../src/eval/types.ts';

/** A case for {@link smallSet}: texts of user messages, and tools out of a, b, c and d. Without `relevant`, nothing fits. */
export interface SmallCase {
  readonly messages: readonly string[];
  readonly relevant?: readonly string[];
  readonly candidates?: readonly string[];
  readonly alternatives?: Readonly<Record<string, readonly string[]>>;
}

/** For tests: a set of four tools of 10 tokens each. */
export function smallSet(cases: readonly SmallCase[], name = 'small'): EvaluationSet {
  const ids = ['a', 'b', 'c', 'd'];
  return {
    name,
    tools: ids.map((id) => ({ id, definition: { name: id, inputSchema: { type: 'object' } }, tokens: 10 })),
    cases: cases.map(({ messages, relevant = [], candidates, alternatives = {} }, index) => ({
      id: `case-${index}`,
      kind: 'case',
      messages: messages.map((content) => ({ role: 'user', content })),
      relevant,
      irrelevant: relevant.length === 0,
      candidates,
      alternatives: new Map(Object.entries(alternatives)),
    })),
    positions: new Map(ids.map((id, index) => [id, index])),
  };
}
