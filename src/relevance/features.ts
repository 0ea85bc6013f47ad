import type { QueryTerms } from '../index/query.ts';
import type { CatalogueProfile, ToolProfile } from './catalogue-profile.ts';
import type { Conversation } from './conversation.ts';
import { featureNames, situationFeatureNames, toolFeatureNames } from './feature-names.ts';
import type { SituationFeatureName, ToolFeatureName } from './feature-names.ts';
import { familyShares } from './families.ts';
import { recentCosines } from './gram-scores.ts';
import { readNeedSignals } from './need-signals.ts';
import { rankShares, takeBest } from './ranks.ts';
import type { WordEmbedder } from './word-embedder.ts';
import type { LateScores } from './late-interaction.ts';
import type { QueryVectors, VectorIndex } from './vector-index.ts';
import { countActions } from './requests.ts';
import { readViews } from './views.ts';
import type { View } from './views.ts';

/** The candidates of one conversation with their features. */
export interface FeatureTable {
  /** Places in the catalogue of the tools that were looked at closely, at most {@link shortlistSize}. */
  readonly ordinals: readonly number[];
  /** One row for each of them, in the order of {@link featureNames}. */
  readonly rows: Float64Array;
}

/** Tools that are looked at closely. */
export const shortlistSize = 64;

/** The highest BM25F weight a term can get, for `k1` 1.2. */
const saturation = 2.2;
const parameterShare = 0.6;

/** How much n-grams and mean vectors count beside words and late interaction where all are taken together. */
const softerShare = 0.7;

/** Cosine of n-grams that unlike texts reach too. */
const gramNoise = 0.1;

/** The shares of the query that words and late interaction find, and the n-grams' cosine, taken together, from which on a rank counts in full. */
const enoughEvidence = 0.15;

/** Scores of one reading with the best two of them. */
class Scored {
  readonly values: Float64Array | Float32Array;
  readonly top: number;
  readonly second: number;
  readonly topAt: number;
  #ranks: Float64Array | undefined;

  constructor(values: Float64Array | Float32Array) {
    let top = 0;
    let second = 0;
    let topAt = -1;
    for (let place = 0; place < values.length; place += 1) {
      const value = at(values, place);
      if (value > top) {
        second = top;
        top = value;
        topAt = place;
      } else if (value > second) second = value;
    }
    this.values = values;
    this.top = top;
    this.second = second;
    this.topAt = topAt;
  }

  /** 1 / rank of each; not every reading is asked for them. */
  get ranks(): Float64Array {
    return (this.#ranks ??= rankShares(this.values));
  }
}

/**
 * Computes the features of a conversation over a catalogue. All but sizes are shares, ratios or ranks, so that they mean the same in a small
 * catalogue and in a large one. Without an embedder the vector features are 0.
 */
export function computeFeatures(
  profile: CatalogueProfile,
  conversation: Conversation,
  embedder: WordEmbedder | undefined,
  extra?: Float32Array,
): FeatureTable {
  const { index } = profile;
  const count = index.size;
  const views = readViews(conversation, index);
  const last = scored(index.scores(views.last.terms));
  const lastText = scored(index.scores(conversation.last));
  const same = !views.hasHistory;
  const recent = same ? last : scored(index.scores(views.recent.terms));
  const reply = views.reply.terms.size === 0 ? undefined : scored(index.scores(views.reply.terms));
  const segments = views.segments.length < 2 ? [] : views.segments.map(({ terms }) => scored(index.scores(terms)));
  const grams = profile.grams();
  const gramLast = scored(grams.cosines(conversation.last));
  const gramRecent = same ? gramLast : scored(recentCosines(grams, conversation));
  const [before] = conversation.before;
  const gramReply = before?.role === 'assistant' ? scored(grams.cosines(before.text)) : undefined;
  const vectors = embedder === undefined ? undefined : profile.vectors(embedder);
  const lastQuery = vectors?.query(views.last.words);
  const recentQuery = same ? lastQuery : vectors?.query(views.recent.words);
  const meanLast = lastQuery === undefined ? undefined : scored(vectors!.cosines(lastQuery));
  const meanRecent = same || recentQuery === undefined ? meanLast : scored(vectors!.cosines(recentQuery));

  const familyRecent = familyShares(profile.families, recent.values);
  const suppliers = scored(index.scores(suppliedTerms(profile, takeBest(recent.values, 3))));

  const ordinals = shortlist(count, [
    [recent.values, 28],
    [last.values, 14],
    [lastText.values, 14],
    // Helpers of a family that the conversation is about may share no word with it; the nearest by meaning come first.
    [
      familyRecent.map((value, place) =>
        value > 0 ? value + 0.1 * (meanRecent === undefined ? 0 : at(meanRecent.values, place)) : 0,
      ),
      12,
    ],
    [suppliers.values, 6],
    ...segments.map((one) => [one.values, 8] as const),
    ...(meanRecent === undefined ? [] : [[meanRecent.values, 16] as const]),
    ...(extra === undefined ? [] : [[extra, 16] as const]),
  ]);
  const lateLast = late(lastQuery, ordinals);
  const lateRecent = same ? lateLast : late(recentQuery, ordinals);
  const lateLastAll = scored(lateLast.map((one) => one.all));
  const lateRecentAll = scored(lateRecent.map((one) => one.all));

  const idf = (term: string): number => index.idf(term);
  const lastWeights = weigh(views.last, idf);
  const recentWeights = same ? lastWeights : weigh(views.recent, idf);
  const topRecent = recent.top / (recentWeights.total * saturation || 1);
  // Some tool is always first. Where words, n-grams and vectors find next to nothing, being first says nothing.
  const found = topRecent + lateRecentAll.top + Math.max(0, Math.max(gramLast.top, gramRecent.top) - gramNoise);
  const evidence = Math.min(1, found / enoughEvidence);
  const alike =
    meanRecent === undefined
      ? undefined
      : scored(
          ordinals.map(
            (ordinal, row) =>
              share(recent, ordinal) +
              share(lateRecentAll, row) +
              softerShare * (share(gramRecent, ordinal) + share(meanRecent, ordinal)),
          ),
        );
  const alikeSegments = vectors === undefined ? [] : segments.map((one, number) => alikeOf(one, number, vectors));
  // Requests whose best tools are the same are one request in several sentences.
  const bestOfSegments = new Set(segments.filter((one) => one.top > 0).map((one) => one.topAt));

  function late(query: QueryVectors | undefined, chosen: readonly number[]): readonly LateScores[] {
    if (vectors === undefined || query === undefined) return chosen.map(() => noLate);
    return vectors.late(query, chosen);
  }

  function alikeOf(one: Scored, number: number, words: VectorIndex): Scored {
    const query = words.query((views.segments[number] as View).words);
    const lateOne = scored(late(query, ordinals).map(({ all }) => all));
    const meanOne = scored(words.cosines(query));
    return scored(
      ordinals.map((ordinal, row) => share(one, ordinal) + share(lateOne, row) + softerShare * share(meanOne, ordinal)),
    );
  }

  const signals = readNeedSignals(conversation);
  const spoken = ` ${index.tokenizer
    .tokenize(conversation.last)
    .filter((token) => token.kind !== 'joined')
    .map((token) => token.word)
    .join(' ')} `;
  const history = same ? 0 : 1;
  // A message after others speaks for itself as far as it is long.
  const alone = 1 - history * views.lean;
  const situation: Record<SituationFeatureName, number> = {
    catalogueSize: Math.log(count + 1) / 8,
    queryLength: Math.log(1 + views.last.terms.size) / 4,
    topLast: last.top / (lastWeights.total * saturation || 1),
    topRecent,
    topLateLast: lateLastAll.top,
    topLateRecent: lateRecentAll.top,
    evidence,
    history,
    lean: views.lean * history,
    severalRequests: Math.log(Math.max(1, views.segments.length)),
    severalShort: Math.log(Math.max(1, views.segments.length)) * views.lean,
    questions: Math.log(conversation.last.split('?').length),
    actions: Math.log(1 + countActions(conversation.last)),
    severalTools: Math.log(Math.max(1, bestOfSegments.size)),
    ...signals,
    finishedHere: Math.max(signals.thanks, signals.farewell, signals.finished) * (1 - signals.asks),
    finishedShort: Math.max(signals.thanks, signals.farewell, signals.finished) * views.lean,
  };
  const width = featureNames.length;
  const rows = new Float64Array(ordinals.length * width);
  const situationValues = Float64Array.from(situationFeatureNames, (name) => situation[name]);
  for (const [row, ordinal] of ordinals.entries()) {
    const tool = profile.profile(ordinal);
    const recentCover = cover(recentWeights, tool);
    const lastLate = lateLast[row] as LateScores;
    const recentLate = lateRecent[row] as LateScores;
    const recentShare = share(recent, ordinal);
    let segmentRank = rank(last, ordinal);
    for (const one of segments) segmentRank = Math.max(segmentRank, rank(one, ordinal));
    let segmentAlikeRank = 0;
    let segmentAlikeShare = 0;
    for (const one of alikeSegments) {
      segmentAlikeRank = Math.max(segmentAlikeRank, rank(one, row));
      segmentAlikeShare = Math.max(segmentAlikeShare, share(one, row));
    }
    const values: Record<ToolFeatureName, number> = {
      lastShare: share(last, ordinal),
      lastRank: rank(last, ordinal),
      lastTextShare: alone * share(lastText, ordinal),
      lastTextRank: alone * rank(lastText, ordinal),
      recentShare,
      recentGap: gap(recent, ordinal),
      recentIdeal: at(recent.values, ordinal) / (recentWeights.total * saturation || 1),
      recentRank: rank(recent, ordinal),
      replyShare: reply === undefined ? 0 : share(reply, ordinal),
      replyRank: reply === undefined ? 0 : rank(reply, ordinal),
      leanRecentShare: history * views.lean * recentShare,
      segmentRank,
      lateSegmentRank: evidence * segmentAlikeRank,
      lateSegmentShare: evidence * segmentAlikeShare,
      familyHistory: history * at(familyRecent, ordinal),
      suppliesShare: share(suppliers, ordinal),
      coverRecent: recentCover.all,
      coverRecentName: recentCover.name,
      nameSpokenLast: spokenShare(lastWeights.terms, tool.name, idf),
      nameSpokenRecent: same
        ? spokenShare(lastWeights.terms, tool.name, idf)
        : spokenShare(recentWeights.terms, tool.name, idf),
      nameExact: tool.spokenName.length > 3 && spoken.includes(` ${tool.spokenName} `) ? 1 : 0,
      gramLastShare: evidence * alone * share(gramLast, ordinal),
      gramLastRank: evidence * alone * rank(gramLast, ordinal),
      gramRecentShare: evidence * share(gramRecent, ordinal),
      gramRecentRank: evidence * rank(gramRecent, ordinal),
      gramRecentGap: evidence * gap(gramRecent, ordinal),
      gramReplyShare: gramReply === undefined ? 0 : evidence * share(gramReply, ordinal),
      gramReplyRank: gramReply === undefined ? 0 : evidence * rank(gramReply, ordinal),
      lateLastNameSpoken: lastLate.nameSpoken,
      lateRecent: recentLate.all,
      lateRecentShare: share(lateRecentAll, row),
      lateRecentRank: rank(lateRecentAll, row),
      lateRecentNameSpoken: recentLate.nameSpoken,
      meanLastRank: meanLast === undefined ? 0 : evidence * rank(meanLast, ordinal),
      meanRecentGap: meanRecent === undefined ? 0 : at(meanRecent.values, ordinal) - meanRecent.top,
      meanRecentRank: meanRecent === undefined ? 0 : evidence * rank(meanRecent, ordinal),
      lateTogetherShare: alike === undefined ? 0 : evidence * share(alike, row),
      lateTogetherRank: alike === undefined ? 0 : evidence * rank(alike, row),
    };
    let column = row * width;
    for (const name of toolFeatureNames) rows[column++] = values[name];
    rows.set(situationValues, column);
  }
  return { ordinals, rows };
}

const noLate: LateScores = { all: 0, nameSpoken: 0 };

function scored(list: Float64Array | Float32Array | readonly number[]): Scored {
  return new Scored(ArrayBuffer.isView(list) ? list : Float64Array.from(list));
}

function share(one: Scored, place: number): number {
  return one.top > 0 ? Math.max(0, at(one.values, place)) / one.top : 0;
}

function rank(one: Scored, place: number): number {
  return at(one.ranks, place);
}

/** How far above the best other tool (positive), or below the best. */
function gap(one: Scored, place: number): number {
  if (one.top <= 0) return 0;
  return (at(one.values, place) - (place === one.topAt ? one.second : one.top)) / one.top;
}

function shortlist(count: number, sources: readonly (readonly [Float64Array | Float32Array, number])[]): number[] {
  if (count <= shortlistSize) return Array.from({ length: count }, (_, place) => place);
  const chosen = new Set<number>();
  const lists = sources.map(([values, wanted]) => takeBest(values, wanted));
  // Turn by turn, so that the last source is not the one that is cut.
  for (let turn = 0; chosen.size < shortlistSize && turn < shortlistSize; turn += 1) {
    for (const list of lists) {
      const place = list[turn];
      if (place !== undefined && chosen.size < shortlistSize) chosen.add(place);
    }
  }
  return [...chosen].sort((a, b) => a - b);
}

interface WeighedTerms {
  readonly terms: QueryTerms;
  readonly weights: readonly (readonly [string, number])[];
  readonly total: number;
}

function weigh(view: View, idf: (term: string) => number): WeighedTerms {
  const weights = [...view.terms].map(([term, weight]) => [term, weight * idf(term)] as const);
  return { terms: view.terms, weights, total: weights.reduce((sum, [, weight]) => sum + weight, 0) };
}

interface Cover {
  readonly all: number;
  readonly name: number;
}

/** Which share of the query, by rarity, the tool holds anywhere (less where only its parameters have a word), and its name. */
function cover(query: WeighedTerms, tool: ToolProfile): Cover {
  let all = 0;
  let name = 0;
  for (const [term, weight] of query.weights) {
    const inName = tool.name.has(term);
    if (inName) name += weight;
    if (inName || tool.description.has(term)) all += weight;
    else if (tool.parameters.has(term)) all += parameterShare * weight;
  }
  const total = query.total || 1;
  return { all: all / total, name: name / total };
}

function spokenShare(query: QueryTerms, name: ReadonlySet<string>, idf: (term: string) => number): number {
  let spoken = 0;
  let total = 0;
  for (const term of name) {
    const weight = idf(term);
    total += weight;
    spoken += weight * Math.min(1, query.get(term) ?? 0);
  }
  return total > 0 ? spoken / total : 0;
}

/** What the likely tools want to be told: terms of their parameters. */
function suppliedTerms(profile: CatalogueProfile, places: readonly number[]): QueryTerms {
  const terms = new Map<string, number>();
  for (const [rank, place] of places.entries()) {
    for (const term of profile.profile(place).parameters) {
      if (terms.size >= maximumSuppliedTerms) return terms;
      terms.set(term, Math.max(terms.get(term) ?? 0, 1 / (1 + rank)));
    }
  }
  return terms;
}

const maximumSuppliedTerms = 40;

function at(values: Float64Array | Float32Array, place: number): number {
  return values[place] as number;
}
