/** Terms and their numbers. Numbers are given in the order of first sight and never change. */
export interface Vocabulary {
  readonly size: number;
  /** The number of a term, or undefined when it was never added. */
  find(term: string): number | undefined;
  add(term: string): number;
  term(id: number): string;
}

/** An empty vocabulary. */
export function createVocabulary(): Vocabulary {
  const ids = new Map<string, number>();
  const terms: string[] = [];
  return {
    get size() {
      return terms.length;
    },
    find: (term) => ids.get(term),
    add(term) {
      const known = ids.get(term);
      if (known !== undefined) return known;
      const id = terms.length;
      ids.set(term, id);
      terms.push(term);
      return id;
    },
    term: (id) => terms[id] ?? '',
  };
}
