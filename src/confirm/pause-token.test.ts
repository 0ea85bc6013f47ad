import { expect, it } from 'vitest';
import { openPause, replyDigest, sealPause } from './pause-token.ts';
import { openToken } from './sealed-token.ts';
import { sealingKeys } from './sealing-keys.ts';

const keys = sealingKeys('0123456789abcdef0123456789abcdef');
const reply = {
  role: 'assistant' as const,
  id: 'r',
  content: [{ type: 'tool-call', toolCallId: 'a', toolName: 't', input: {} }],
};
const content = { pause: null, reply: replyDigest(reply), policyVersion: 'v', waiting: [['0.a', 'sha256:1']] as const };
const alice = { id: 'c', messages: [], tools: [], principal: { id: 'alice', tenant: 't' } };
const nobody = { messages: [], tools: [] };

it('opens for whom, where and what it was sealed', () => {
  const token = sealPause(keys, alice, content, 5, 50);
  expect(
    openPause(keys, token, { ...alice, principal: { id: 'alice', tenant: 't', roles: ['x'] } }, reply, 49),
  ).toEqual(content);
  expect(openToken(keys, 'pause', token, 6)).toEqual({
    issuedAt: 5,
    expiresAt: 50,
    principal: ['t', 'alice'],
    conversation: 'c',
    content,
  });
  const bare = sealPause(keys, nobody, content, 5, null);
  expect(openPause(keys, bare, nobody, reply, 1e15)).toEqual(content);
  expect(openToken(keys, 'pause', bare, 6)).toMatchObject({ principal: null, conversation: null });
  const plain = sealPause(keys, { ...alice, principal: { id: 'alice' } }, content, 5, null);
  expect(openPause(keys, plain, { ...alice, principal: { id: 'alice', tenant: '' } }, reply, 6)).toEqual(content);
});

it('opens for nobody else and nothing else', () => {
  const token = sealPause(keys, alice, content, 5, 50);
  const invalid = expect.objectContaining({ code: 'token-invalid' }) as Error;
  for (const other of [
    nobody,
    { ...alice, id: 'd' },
    { ...alice, principal: { id: 'alice' } },
    { ...alice, principal: { id: 'bob', tenant: 't' } },
  ]) {
    expect(() => openPause(keys, token, other, reply, 6)).toThrow(invalid);
  }
  expect(() => openPause(keys, token, alice, { ...reply, id: 's' }, 6)).toThrow(invalid);
  expect(() => openPause(keys, token, alice, { ...reply, content: [] }, 6)).toThrow(invalid);
  expect(() => openPause(keys, token, alice, reply, 50)).toThrow(
    expect.objectContaining({ code: 'token-expired' }) as Error,
  );
});

it('digests a reply by id and content', () => {
  expect(replyDigest(reply)).toBe(replyDigest({ ...reply }));
  const { id: _, ...unnamed } = reply;
  expect(new Set([replyDigest(reply), replyDigest(unnamed), replyDigest({ ...reply, content: 'x' })]).size).toBe(3);
});
