/** What the description of `SimpleToolSearchStrategy` promises, sentence by sentence. */
export const searchRequirements: Readonly<Record<string, string>> = {
  'search.contains': 'Tools are found by case-insensitive contains matching of search terms.',
  'search.terms': 'The model gives a list of search terms, and each term contributes to the score of a tool.',
  'search.name': 'A term that the name contains adds 2.',
  'search.description': 'A term that the description contains adds 1.',
  'search.accumulate': 'Scores are accumulated across all terms.',
  'search.rank': 'Tools are ranked by score, descending, and limited by maxResults.',
  'search.tools': 'getToolSearchTools returns the tools through which the model searches.',
  'search.result': 'search executes a request of the model and gives the names of the matching searchable tools.',
  'search.override': 'extractTerms, clean and score can be overridden by a subclass.',
  'search.defaults': 'A strategy made without options works.',
};
