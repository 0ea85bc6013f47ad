/**
 * How well a tool fits. `last` is the last message, `recent` all messages with decay, `reply` what the assistant said last, `segment` one request of several in the last message.
 */
export const toolFeatureNames = [
  // BM25 of a reading: share of the best score, distance to the best other, share of the best possible score, 1 / rank.
  // `lastText` is the index's own search with the last message: with adjacent words, synonyms and near misses.
  'lastShare',
  'lastRank',
  'lastTextShare',
  'lastTextRank',
  'recentShare',
  'recentGap',
  'recentIdeal',
  'recentRank',
  'replyShare',
  'replyRank',
  'leanRecentShare',
  'segmentRank',
  'lateSegmentRank',
  'lateSegmentShare',
  // Tools of the same server or name group that match, and tools whose arguments this one can supply.
  'familyHistory',
  'suppliesShare',
  // Share of the query, by rarity, that fields of the tool hold.
  'coverRecent',
  'coverRecentName',
  // Share of the tool's name that the query speaks of.
  'nameSpokenLast',
  'nameSpokenRecent',
  'nameExact',
  // Cosine of character n-grams: parts of words, compounds and misspellings.
  'gramLastShare',
  'gramLastRank',
  'gramRecentShare',
  'gramRecentRank',
  'gramRecentGap',
  'gramReplyShare',
  'gramReplyRank',
  // Late interaction of word vectors.
  'lateLastNameSpoken',
  'lateRecent',
  'lateRecentShare',
  'lateRecentRank',
  'lateRecentNameSpoken',
  // Cosine of mean vectors.
  'meanLastRank',
  'meanRecentGap',
  'meanRecentRank',
  // Words, n-grams and vectors of the conversation taken together: what several of them agree on.
  'lateTogetherShare',
  'lateTogetherRank',
] as const;

/** The same for all tools of a conversation: they move how sure the model is, not the order. */
export const situationFeatureNames = [
  'catalogueSize',
  'queryLength',
  'topLast',
  'topRecent',
  'topLateLast',
  'topLateRecent',
  'evidence',
  'history',
  'lean',
  'severalRequests',
  'actions',
  'severalTools',
  'severalShort',
  'questions',
  'thanks',
  'farewell',
  'finished',
  'agrees',
  'declines',
  'asks',
  'offeredMore',
  'askedToConfirm',
  'askedForDetail',
  'finishedHere',
  'finishedShort',
] as const;

/** All features in the order of the coefficients. */
export const featureNames: readonly (ToolFeatureName | SituationFeatureName)[] = [
  ...toolFeatureNames,
  ...situationFeatureNames,
];

/** A name of {@link toolFeatureNames}. */
export type ToolFeatureName = (typeof toolFeatureNames)[number];

/** A name of {@link situationFeatureNames}. */
export type SituationFeatureName = (typeof situationFeatureNames)[number];

/** A name of {@link featureNames}. */
export type FeatureName = ToolFeatureName | SituationFeatureName;
