import { expect, test } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { catalogueProfile } from './catalogue-profile.ts';
import { featureNames } from './feature-names.ts';
import type { FeatureName } from './feature-names.ts';
import { computeFeatures, shortlistSize } from './features.ts';
import { loadWordEmbedder } from './load-vectors.ts';

const tool = (name: string, description: string, properties: Record<string, object> = {}): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties } as ToolDefinition['inputSchema'],
});
const tools = [
  tool('get_weather', 'Weather forecast', { city: { description: 'City code' } }),
  tool('search_city', 'Find the code of a place'),
  tool('send_email', 'Message to a person'),
];
const profile = catalogueProfile(tools);

function features(last: string, before: Parameters<typeof computeFeatures>[1]['before'] = []) {
  const { ordinals, rows } = computeFeatures(profile, { last, before }, undefined);
  return (place: number, name: FeatureName): number =>
    rows[ordinals.indexOf(place) * featureNames.length + featureNames.indexOf(name)]!;
}

test('shares and ranks: the best has 1, what does not match has 0', () => {
  const value = features('weather please');
  expect(value(0, 'lastShare')).toBe(1);
  expect(value(0, 'lastRank')).toBe(1);
  expect(value(2, 'lastShare')).toBe(0);
  expect(value(2, 'lastRank')).toBe(0);
  expect(value(0, 'recentGap')).toBe(1);
  expect(value(2, 'recentGap')).toBe(-1);
});

test('coverage: the share of the query in the tool, and of the name in the query', () => {
  const value = features('weather');
  expect(value(0, 'coverRecent')).toBeCloseTo(1, 10);
  expect(value(0, 'coverRecentName')).toBeCloseTo(1, 10);
  expect(value(2, 'coverRecent')).toBe(0);
  expect(features('send email')(2, 'nameSpokenLast')).toBeCloseTo(1, 10);
  expect(features('send email')(2, 'nameExact')).toBe(1);
  expect(features('email')(2, 'nameExact')).toBe(0);
});

test('a tool that names what a likely one wants as an argument supplies it', () => {
  const value = features('weather');
  expect(value(1, 'suppliesShare')).toBe(1);
  expect(value(2, 'suppliesShare')).toBe(0);
});

test('n-grams find a misspelling that shares no word', () => {
  const value = features('wether');
  expect(value(0, 'lastShare')).toBe(0);
  expect(value(0, 'gramLastShare')).toBe(1);
  expect(value(0, 'gramRecentRank')).toBe(1);
  expect(value(0, 'gramRecentGap')).toBe(1);
  expect(value(2, 'gramLastShare')).toBe(0);
  expect(value(0, 'gramReplyShare')).toBe(0);
  expect(features('Yes', [{ role: 'assistant', text: 'wether' }])(0, 'gramReplyShare')).toBeGreaterThan(0);
});

test('being first says nothing where nothing is found', async () => {
  const embedder = await loadWordEmbedder();
  const read = (last: string) => {
    const { ordinals, rows } = computeFeatures(profile, { last, before: [] }, embedder);
    return (name: FeatureName): number[] =>
      ordinals.map((_, row) => rows[row * featureNames.length + featureNames.indexOf(name)]!);
  };
  const nothing = read('xylophone');
  const something = read('weather in the city');
  for (const name of ['meanRecentRank', 'gramRecentRank', 'lateTogetherRank', 'lateTogetherShare'] as const) {
    expect(nothing(name), name).toEqual([0, 0, 0]);
    expect(Math.max(...something(name)), name).toBe(1);
  }
  expect(nothing('evidence')).toEqual([0, 0, 0]);
  expect(something('evidence')).toEqual([1, 1, 1]);
});

test('several requests count as such, and the different tools that they point at', () => {
  const two = features('Weather forecast. Send email?');
  expect(two(0, 'severalRequests')).toBeCloseTo(Math.log(2), 10);
  expect(two(0, 'severalTools')).toBeCloseTo(Math.log(2), 10);
  expect(two(0, 'questions')).toBeCloseTo(Math.log(2), 10);
  const one = features('Send email. Email message.');
  expect(one(0, 'severalRequests')).toBeCloseTo(Math.log(2), 10);
  expect(one(0, 'severalTools')).toBe(0);
  expect(one(0, 'questions')).toBe(0);
});

test('history: a short answer leans on the request before it', () => {
  const value = features('Oslo', [
    { role: 'assistant', text: 'Where?' },
    { role: 'user', text: 'weather' },
  ]);
  expect(value(0, 'lastShare')).toBe(0);
  expect(value(0, 'recentShare')).toBe(1);
  expect(value(0, 'leanRecentShare')).toBeGreaterThan(0.5);
  expect(value(0, 'history')).toBe(1);
  expect(features('weather')(0, 'history')).toBe(0);
});

test('situation features are the same for all tools; without vectors theirs are 0', () => {
  const value = features('thanks, that is all');
  for (const name of ['catalogueSize', 'finished', 'thanks', 'lean'] as const)
    expect(value(0, name)).toBe(value(2, name));
  for (const name of featureNames.filter((one) => one.startsWith('late') || one.startsWith('mean')))
    expect(value(0, name)).toBe(0);
});

test('a large catalogue is cut to the shortlist, and what matches is in it', () => {
  const many = Array.from({ length: 300 }, (_, place) =>
    tool(`tool_${place}x`, place === 250 ? 'Unclog a drain' : `Thing number ${place}`),
  );
  const { ordinals } = computeFeatures(catalogueProfile(many), { last: 'the drain is clogged', before: [] }, undefined);
  expect(ordinals.length).toBeLessThanOrEqual(shortlistSize);
  expect(ordinals).toContain(250);
});

test('odd messages give numbers', () => {
  for (const last of ['', '🙂', '\ud800', 'x'.repeat(4000), '123 456', '__proto__ constructor']) {
    const { rows } = computeFeatures(profile, { last, before: [] }, undefined);
    expect([...rows].every(Number.isFinite)).toBe(true);
  }
});
