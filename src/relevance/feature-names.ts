/**
 * The features of the model in the order of its coefficients. `last` is the last message, `recent` all messages with decay, `anchor` the longest
 * request with the latest messages, `reply` what the assistant said last, `segment` one request of several in the last message.
 */
export const featureNames = [
  // BM25 of a reading: share of the best score, distance to the best other, share of the best possible score, 1 / rank.
  'lastShare',
  'lastGap',
  'lastIdeal',
  'lastRank',
  'recentShare',
  'recentGap',
  'recentIdeal',
  'recentRank',
  'anchorShare',
  'anchorRank',
  'replyShare',
  'replyRank',
  'leanRecentShare',
  'leanLastShare',
  'segmentShare',
  'segmentRank',
  // Share of the query, by rarity, that fields of the tool hold.
  'coverLast',
  'coverLastName',
  'coverLastDescription',
  'coverLastParameters',
  'coverLastServer',
  'coverRecent',
  'coverRecentName',
  // Share of the tool's name that the query speaks of.
  'nameSpokenLast',
  'nameSpokenRecent',
  'nameExact',
  'alike',
  // Late interaction of word vectors.
  'lateLast',
  'lateLastShare',
  'lateLastRank',
  'lateLastName',
  'lateLastNameSpoken',
  'lateSegment',
  'lateRecent',
  'lateRecentShare',
  'lateRecentRank',
  'lateRecentNameSpoken',
  // Cosine of mean vectors.
  'meanLast',
  'meanLastGap',
  'meanLastRank',
  'meanRecentGap',
  'meanRecentRank',
  // The tool's size.
  'nameLength',
  'descriptionLength',
  // The same for all tools: the situation, and whether anything is wanted.
  'catalogueSize',
  'queryLength',
  'topLast',
  'topRecent',
  'topLateLast',
  'topLateRecent',
  'history',
  'lean',
  'severalRequests',
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

/** A name of {@link featureNames}. */
export type FeatureName = (typeof featureNames)[number];
