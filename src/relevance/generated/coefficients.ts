// Made by `npm run train` in `training`. Do not edit: the model card describes exactly these numbers.
import type { LogisticWeights } from '../coefficients.ts';

/** The model's version: its form, and the first digits of the hash of the data. */
export const weightsVersion = 'local-1-e334af85';

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
    intercept: -6.62206,
    weights: {
      recentShare: 0.584432,
      recentGap: 0.582316,
      recentIdeal: 0.647606,
      recentRank: 1.26565,
      replyShare: 0.330046,
      replyRank: 0.698566,
      leanRecentShare: 0.726957,
      segmentRank: 1.10115,
      familyHistory: 0.0387296,
      suppliesShare: 0.0372766,
      coverRecent: 0.17586,
      nameSpokenLast: 0.218964,
      nameSpokenRecent: 0.642105,
      lateLastNameSpoken: 0.412114,
      lateRecent: 0.587778,
      lateRecentShare: 0.651152,
      lateRecentRank: 1.40458,
      lateRecentNameSpoken: 0.926228,
      meanLastRank: 0.098506,
      meanRecentGap: 0.397941,
      meanRecentRank: 0.657307,
      catalogueSize: -0.510517,
      queryLength: 2.58051,
      topLast: -0.399471,
      topRecent: -0.441244,
      topLateLast: -0.0758836,
      topLateRecent: -1.03846,
      history: -0.597228,
      lean: 2.81679,
      severalRequests: -0.0139281,
      thanks: -0.264734,
      farewell: -2.16899,
      finished: 0.792707,
      agrees: 0.0570478,
      declines: -4.92996,
      asks: 0.135723,
      offeredMore: -0.325347,
      askedToConfirm: 0.475607,
      askedForDetail: 0.441112,
      finishedHere: -2.72092,
      finishedShort: 0.415275,
    },
  },
  lexical: {
    intercept: -6.10319,
    weights: {
      recentShare: 0.865242,
      recentGap: 0.94464,
      recentIdeal: 1.71358,
      recentRank: 1.89556,
      replyShare: 0.430179,
      replyRank: 0.988904,
      leanRecentShare: 0.670713,
      segmentRank: 1.34299,
      familyHistory: 0.0856271,
      suppliesShare: 0.374772,
      coverRecent: 0.890511,
      coverRecentName: 0.0347324,
      nameSpokenLast: 0.5572,
      nameSpokenRecent: 1.07273,
      nameExact: 0.112126,
      catalogueSize: -0.984619,
      queryLength: 2.79297,
      topLast: -0.496038,
      topRecent: -1.09394,
      history: -0.589034,
      lean: 2.7926,
      severalRequests: 0.0656308,
      thanks: -0.227068,
      farewell: -2.25629,
      finished: 0.785233,
      agrees: 0.0463227,
      declines: -4.81563,
      asks: 0.147986,
      offeredMore: -0.293495,
      askedToConfirm: 0.393526,
      askedForDetail: 0.360977,
      finishedHere: -2.40732,
      finishedShort: 0.201652,
    },
  },
};
