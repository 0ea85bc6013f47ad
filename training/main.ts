import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { catalogueProfile } from '../src/relevance/catalogue-profile.ts';
import { createWordEmbedder } from '../src/relevance/word-embedder.ts';
import type { WordEmbedder } from '../src/relevance/word-embedder.ts';
import { openWordVectors } from '../src/relevance/word-vectors.ts';
import type { PackedVectors } from '../src/relevance/word-vectors.ts';
import { catalogueNames, evaluationOnly, groups, loadSet, loadTools } from './data.ts';
import { evaluate } from './evaluate.ts';
import type { Report } from './evaluate.ts';
import { columnsWithout, fitModel, isVectorFeature } from './fit.ts';
import { loadGlove } from './glove.ts';
import type { WeightedRows } from './logistic.ts';
import { calibrationError } from './metrics.ts';
import { generatedDirectory, resultsFile } from './paths.ts';
import { peerFigures } from './peers.ts';
import type { PeerFigures } from './peers.ts';
import { computeRows } from './rows.ts';
import { trainingRows } from './training-rows.ts';
import { pairsOf } from './vectors/examples.ts';
import type { Example } from './vectors/examples.ts';
import { vectorsFor } from './vectors/fold-vectors.ts';
import { chooseVocabulary } from './vectors/vocabulary.ts';
import { vectorsHash, writeCoefficients, writeVectors } from './write-generated.ts';

const { values: options } = parseArgs({
  options: {
    // 0.01 goes through every step on a hundredth of the data.
    share: { type: 'string', default: '1' },
    out: { type: 'string', default: generatedDirectory() },
    results: { type: 'string', default: resultsFile() },
  },
});
const share = Number(options.share);
const started = performance.now();
const log = (line: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`);
const cut = (whole: number): number => Math.max(6, Math.ceil(whole * share));

const names = groups.flat();
const catalogues = catalogueNames.flatMap((name) => loadTools(name).tools);
const trained = names.filter((name) => !evaluationOnly.has(name));
const vectorSets = new Map(trained.map((name) => [name, loadSet(name, cut(2500))]));
const fitSets = new Map(trained.map((name) => [name, loadSet(name, cut(400))]));
const testSets = new Map(names.map((name) => [name, loadSet(name, cut(600))]));
const vocabulary = chooseVocabulary(await loadGlove(), catalogues);
log(`${vocabulary.words.length} words, ${names.length} sets, ${catalogues.length} tools without cases`);

let pairs: readonly Example[] | undefined;
const pairSource = {
  tools: catalogues.length,
  make: (): readonly Example[] => (pairs ??= pairsOf(catalogues, vocabulary)),
};
const packedBy = new Map<string, PackedVectors>();
const embedders = new Map<string, WordEmbedder>();

/** Vectors that saw nothing of the named groups. */
function packedWithout(excluded: readonly number[]): PackedVectors {
  const key = excluded.toSorted((a, b) => a - b).join();
  let packed = packedBy.get(key);
  if (packed === undefined) {
    const sets = trained
      .filter((name) => !excluded.some((group) => groups[group]?.includes(name)))
      .map((name) => vectorSets.get(name)!);
    packed = vectorsFor(
      vocabulary,
      sets,
      pairSource,
      { epochs: share < 1 ? 1 : 3, queriesPerSet: cut(2000), seed: 11 },
      log,
    );
    packedBy.set(key, packed);
  }
  return packed;
}

function embedderWithout(excluded: readonly number[]): WordEmbedder {
  const key = excluded.toSorted((a, b) => a - b).join();
  let embedder = embedders.get(key);
  if (embedder === undefined) {
    embedder = createWordEmbedder(openWordVectors(packedWithout(excluded)));
    embedders.set(key, embedder);
  }
  return embedder;
}

/** Rows of all sets outside a group. The vectors behind a set's rows saw neither that set's group nor the one that is left out. */
function rowsWithout(left: number | undefined): WeightedRows[] {
  return groups.flatMap((members, group) => {
    if (group === left) return [];
    const embedder = embedderWithout(left === undefined ? [group] : [group, left]);
    return members
      .filter((name) => !evaluationOnly.has(name))
      .flatMap((name) => trainingRows(fitSets.get(name)!, catalogues, embedder, share));
  });
}

const everything = columnsWithout(() => false);
const lexical = columnsWithout(isVectorFeature);
const reports: Record<string, { full: Report; lexical: Report; peers: PeerFigures }> = {};
for (const [group, members] of groups.entries()) {
  const rows = rowsWithout(group);
  log(`rows for the weights of ${members.join(', ')}`);
  const full = fitModel(rows, everything);
  const lean = fitModel(rows, lexical);
  for (const name of members) {
    const set = testSets.get(name)!;
    const profile = catalogueProfile(set.tools);
    reports[name] = {
      full: evaluate(computeRows(profile, set.cases, embedderWithout([group])), full),
      lexical: evaluate(computeRows(profile, set.cases, undefined), lean),
      peers: await peerFigures(set),
    };
    const one = reports[name].full;
    const notes = [
      `${name}: nDCG@10 ${one.ndcg10} (lexical ${reports[name].lexical.ndcg10}, BM25F ${one.lastMessageNdcg10})`,
      `recall@10 ${one.recall10}`,
      `ECE ${one.calibrationError.toFixed(3)}`,
      `selection ${one.selectionRecall} % with ${one.selectionShown.toFixed(1)} tools`,
    ];
    if (one.nothingNeededAuroc !== undefined)
      notes.push(`nothing needed ${one.nothingNeededAuroc.toFixed(3)} (${one.needlessShown?.toFixed(1)} tools)`);
    if (one.withinCandidatesAuroc !== undefined)
      notes.push(`within candidates ${one.withinCandidatesAuroc.toFixed(3)}`);
    if (one.multiTurnRecall10 !== undefined) notes.push(`multi-turn recall@10 ${one.multiTurnRecall10}`);
    log(notes.join(', '));
  }
}

const summary = { full: summarise('full'), lexical: summarise('lexical') };
log(`mean: ${JSON.stringify(summary.full)}`);
log(`without vectors: ${JSON.stringify(summary.lexical)}`);

const all = rowsWithout(undefined);
const packed = packedWithout([]);
const dataHash = createHash('sha256')
  .update(
    [
      ...trained.map((name) => testSets.get(name)!.hash),
      ...catalogueNames.map((name) => createHash('sha256').update(loadTools(name).text).digest('hex')),
    ].join(),
  )
  .digest('hex');
const weights = {
  full: fitModel(all, everything),
  lexical: fitModel(all, lexical),
  dataHash,
};
const packedHash = vectorsHash(packed);
writeVectors(options.out, packed);
const coefficients = writeCoefficients(options.out, weights, packedHash);
const withoutPredictions = ({ predictions: _predictions, ...report }: Report): Omit<Report, 'predictions'> => report;
writeFileSync(
  options.results,
  `${JSON.stringify(
    {
      version: coefficients.version,
      dataHash,
      vectorsHash: packedHash,
      coefficientsHash: coefficients.hash,
      words: vocabulary.words.length,
      mean: summary,
      sets: Object.fromEntries(
        names.map((name) => [
          name,
          {
            full: withoutPredictions(reports[name]!.full),
            lexical: withoutPredictions(reports[name]!.lexical),
            peers: reports[name]!.peers,
          },
        ]),
      ),
    },
    undefined,
    2,
  )}\n`,
);
log(`written: ${options.out}`);

/** Every set counts the same. */
function summarise(kind: 'full' | 'lexical'): Record<string, number> {
  const each = names.map((name) => reports[name]![kind]);
  const mean = (value: (report: Report) => number): number =>
    Math.round((each.reduce((sum, one) => sum + value(one), 0) / each.length) * 100) / 100;
  const error = calibrationError({
    probabilities: each.flatMap((one) => one.predictions.probabilities),
    outcomes: each.flatMap((one) => one.predictions.outcomes),
    weights: each.flatMap((one) => one.predictions.probabilities.map(() => 1 / one.predictions.probabilities.length)),
  });
  return {
    ndcg10: mean((one) => one.ndcg10),
    hit1: mean((one) => one.hit1),
    recall10: mean((one) => one.recall10),
    lastMessageNdcg10: mean((one) => one.lastMessageNdcg10),
    conversationNdcg10: mean((one) => one.conversationNdcg10),
    calibrationError: Math.round(error * 10_000) / 10_000,
    selectionRecall: mean((one) => one.selectionRecall),
    selectionShown: mean((one) => one.selectionShown),
  };
}
