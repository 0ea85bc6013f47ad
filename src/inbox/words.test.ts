import { expect, test } from 'vitest';
import { absoluteTime, makerName, mayBecomeRule, relativeTime, riskOf } from './words.ts';

test('times read as a person would say them', () => {
  const now = Date.UTC(2026, 10, 30, 14, 32, 0);
  const ago = (seconds: number): string => relativeTime(now - seconds * 1000, now);
  expect([ago(2), ago(40), ago(90), ago(3600), ago(47 * 3600), ago(4 * 86_400)]).toEqual([
    'just now',
    '40 s ago',
    '2 min ago',
    '1 h ago',
    '47 h ago',
    '4 days ago',
  ]);
  expect(relativeTime(now + 660_000, now)).toBe('in 11 min');
  expect(absoluteTime(now)).toBe('30 Nov 2026, 14:32 UTC');
});

test('a claim that lowers caution is marked as the claim of its server; none is not taken for harmless', () => {
  const risk = (server: string | null, annotations: Parameters<typeof riskOf>[0]['annotations']): string =>
    riskOf({ server, annotations }).text;
  expect(risk('files', { readOnlyHint: true })).toBe('Only reads, says the server');
  expect(risk(null, { readOnlyHint: true })).toBe('Only reads');
  expect(risk('files', { destructiveHint: true })).toBe('May destroy or overwrite');
  expect(risk('files', { destructiveHint: false })).toBe('Writes, without destroying, says the server');
  expect(risk('files', null)).toBe('Effect not declared');
  expect(risk('files', {})).toBe('Effect not declared');
});

test('who decided is named, a rule by whose it is, and names are made inert', () => {
  expect(makerName(null)).toBe('nobody');
  expect(makerName('policy')).toBe('policy');
  expect(makerName({ principal: { id: 'lea\u202e' }, via: 'page' })).toBe('lea⟦U+202E⟧');
  expect(makerName({ principal: { id: 'lea' }, via: 'rule rule_1' })).toBe('a standing rule of lea');
});

test('rules are offered where they may apply', () => {
  expect(mayBecomeRule({ annotations: null, demand: null })).toBe(true);
  expect(mayBecomeRule({ annotations: { destructiveHint: true }, demand: null })).toBe(false);
  expect(mayBecomeRule({ annotations: { destructiveHint: true }, demand: { standingRules: true } })).toBe(true);
  expect(mayBecomeRule({ annotations: null, demand: { standingRules: false } })).toBe(false);
  expect(mayBecomeRule({ annotations: null, demand: { approvals: 2, standingRules: true } })).toBe(false);
});
