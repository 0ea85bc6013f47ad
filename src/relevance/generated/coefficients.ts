// Made by `npm run train` in `training`. Do not edit: the model card describes exactly these numbers.
import type { LogisticWeights } from '../coefficients.ts';

/** The model's version: its form, and the first digits of the hash of everything below. */
export const weightsVersion = 'local-1-79f9e1a5';

/** SHA-256 over the sets and catalogues that were trained on. */
export const dataHash = 'e334af85def71be69a600a75d6271d81659d0f79a18ec5f3a28effaed68e51d8';

/** SHA-256 over the word vectors that belong to these weights. */
export const vectorsHash = '70d92f9967260b9281f76ad090223b3a87d706ddc4d25d4b8a37454215de984e';

/** Log-odds by feature. `full` is for use with the word vectors, `lexical` without them. */
export const logisticWeights: {
  readonly full: LogisticWeights;
  readonly lexical: LogisticWeights;
} = {
  full: {
    intercept: -7.06766,
    weights: {
      lastTextShare: 0.129371,
      lastTextRank: 0.64363,
      recentShare: 0.596017,
      recentGap: 0.544976,
      recentIdeal: 0.48387,
      recentRank: 1.0348,
      replyShare: 0.439878,
      replyRank: 1.00681,
      leanRecentShare: 0.756498,
      segmentRank: 1.16469,
      familyHistory: 0.122015,
      coverRecent: 0.127938,
      nameSpokenLast: 0.364255,
      nameSpokenRecent: 0.742323,
      lateLastNameSpoken: 0.264988,
      lateRecent: 0.525101,
      lateRecentShare: 0.563984,
      lateRecentRank: 1.37308,
      lateRecentNameSpoken: 0.758388,
      meanRecentGap: 0.281944,
      meanRecentRank: 0.618814,
      catalogueSize: -1.02362,
      queryLength: 3.61763,
      topLast: -0.213409,
      topRecent: -0.683775,
      topLateLast: -0.193298,
      topLateRecent: -0.359106,
      history: -0.953858,
      lean: 4.11462,
      severalRequests: 0.00212288,
      thanks: 0.138303,
      farewell: -1.09242,
      finished: -0.126285,
      agrees: -0.00822626,
      declines: -0.330373,
      asks: 0.150799,
      offeredMore: -0.185042,
      askedToConfirm: 0.474017,
      askedForDetail: 0.318968,
      finishedHere: -2.26522,
      finishedShort: -1.05708,
    },
  },
  lexical: {
    intercept: -6.57642,
    weights: {
      lastTextShare: 0.279813,
      lastTextRank: 0.955812,
      recentShare: 0.80924,
      recentGap: 0.824793,
      recentIdeal: 1.36691,
      recentRank: 1.50021,
      replyShare: 0.569815,
      replyRank: 1.34828,
      leanRecentShare: 0.852478,
      segmentRank: 1.26181,
      familyHistory: 0.168099,
      suppliesShare: 0.255814,
      coverRecent: 0.737074,
      nameSpokenLast: 0.56457,
      nameSpokenRecent: 1.03773,
      nameExact: 0.0812257,
      catalogueSize: -1.3729,
      queryLength: 3.57034,
      topLast: -0.532488,
      topRecent: -0.318886,
      history: -0.878564,
      lean: 3.98805,
      severalRequests: 0.0770948,
      thanks: 0.162163,
      farewell: -1.16132,
      finished: -0.136779,
      agrees: -0.00375459,
      declines: -0.296388,
      asks: 0.18036,
      offeredMore: -0.161086,
      askedToConfirm: 0.418268,
      askedForDetail: 0.263045,
      finishedHere: -1.98165,
      finishedShort: -1.15671,
    },
  },
};
