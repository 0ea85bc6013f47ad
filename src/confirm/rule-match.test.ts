import { describe, expect, it } from 'vitest';
import { contractCall, contractPause } from '../testing/store-contract.ts';
import type { StandingRule } from './records.ts';
import { exactMatch, matchingRule, rulesMayCover } from './rule-match.ts';

const call = contractCall('0.a', { proposed: { path: '/tmp', depth: 1 }, server: { name: 's', identity: 'npx s' } });
const pause = contractPause('p', { identity: { tenant: 't', principal: 'alice', conversation: 'c', replyId: 'r' } });
const rule: StandingRule = {
  id: 'r',
  version: 1,
  tenant: 't',
  principal: 'alice',
  conversation: 'c',
  server: 'npx s',
  originalName: 'wipe',
  fingerprint: call.fingerprint,
  match: { path: '"/tmp"', depth: '1' },
  anyArguments: false,
  createdAt: 0,
  expiresAt: 100,
  revokedAt: null,
  by: { id: 'bob' },
  from: null,
};
const matches = (change: Partial<StandingRule>, of = call, now = 99): boolean =>
  matchingRule({ ...rule, ...change }, pause, of, now);

describe('matchingRule', () => {
  it('matches the call it was made from, and with each bound widened', () => {
    expect(matches({})).toBe(true);
    expect(matches({ principal: null, conversation: null })).toBe(true);
    expect(matches({ match: { path: null, depth: '1' } })).toBe(true);
    expect(matches({ match: {}, anyArguments: true })).toBe(true);
  });

  it.each([
    ['it is revoked', { revokedAt: 1 }],
    ['it is of another tenant', { tenant: 'u' }],
    ['it is of another caller', { principal: 'carol' }],
    ['it is of another conversation', { conversation: 'd' }],
    ['it is of another server', { server: 'npx other' }],
    ['it is of the host', { server: null }],
    ['it is of another tool', { originalName: 'wipe2' }],
    ['the tool has changed', { fingerprint: `sha256:${'1'.repeat(64)}` as const }],
    ['a value differs', { match: { path: '"/etc"', depth: '1' } }],
    ['a value is of another type', { match: { path: '"/tmp"', depth: '"1"' } }],
    ['it does not mention an argument', { match: { path: '"/tmp"' } }],
    ['it mentions an argument that is not there', { match: { path: '"/tmp"', depth: '1', more: null } }],
  ] as const)('does not match when %s', (_, change) => {
    expect(matches(change)).toBe(false);
  });

  it('does not match after its end, nor arguments that are no object', () => {
    expect(matches({}, call, 100)).toBe(false);
    expect(matches({ match: {} }, contractCall('0.a', { ...call, proposed: [] }))).toBe(false);
    expect(matches({ match: {} }, contractCall('0.a', { ...call, proposed: {} }))).toBe(true);
    expect(matches({ match: { toString: null } }, contractCall('0.a', { ...call, proposed: {} }))).toBe(false);
  });
});

describe('rulesMayCover', () => {
  it.each([
    [{}, true],
    [{ demand: { approvals: 1 } }, true],
    [{ demand: { approvals: 2 } }, false],
    [{ demand: { approvals: 2, standingRules: true } }, false],
    [{ annotations: { destructiveHint: true } }, false],
    [{ annotations: { destructiveHint: false } }, true],
    [{ annotations: { destructiveHint: true }, demand: { standingRules: true } }, true],
    [{ demand: { standingRules: false } }, false],
  ])('%j: %s', (change, expected) => {
    expect(rulesMayCover(contractCall('0.a', change))).toBe(expected);
  });
});

it('exactMatch keeps types and is independent of the order of keys', () => {
  expect(exactMatch({ a: 1, b: '1', c: { y: 1, x: [true] }, d: undefined })).toEqual({
    a: '1',
    b: '"1"',
    c: '{"x":[true],"y":1}',
    d: 'null',
  });
  expect(exactMatch('text')).toEqual({});
});
