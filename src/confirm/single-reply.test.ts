import { expect, it } from 'vitest';
import { singleReply } from './single-reply.ts';

const conversation = { messages: [{ role: 'user', content: 'a' }], tools: [] };
const other = { messages: [{ role: 'user', content: 'b' }], tools: [] };
const id = (call: Partial<Parameters<typeof singleReply>[0]>, of = conversation): string | undefined =>
  singleReply({ toolName: 't', input: { n: 1 }, ...call }, of).id;

it('makes a reply of the one call', () => {
  expect(singleReply({ toolCallId: 'k', toolName: 't', input: { n: 1 } }, conversation)).toMatchObject({
    role: 'assistant',
    id: expect.stringMatching(/^sha256:/) as string,
    content: [{ type: 'tool-call', toolCallId: 'k', toolName: 't', input: { n: 1 } }],
  });
  expect(singleReply({ toolName: 't', input: {} }, conversation).content).toMatchObject([{ toolCallId: '' }]);
});

it('is recognised by the id of the delivery, else of the call, else by the messages, and always by the call itself', () => {
  expect(id({ toolCallId: 'k' })).toBe(id({ toolCallId: 'k' }, other));
  expect(id({ toolCallId: 'k' })).not.toBe(id({ toolCallId: 'l' }));
  expect(id({ toolCallId: 'k', replyId: 'r' })).toBe(id({ toolCallId: 'l', replyId: 'r' }, other));
  expect(id({ replyId: 'r' })).not.toBe(id({ replyId: 's' }));
  expect(id({})).toBe(id({ toolCallId: '' }));
  expect(id({})).not.toBe(id({}, other));
  expect(id({ replyId: '' })).toBe(id({}));
  for (const change of [{ toolName: 'u' }, { input: { n: 2 } }, { input: undefined }]) {
    expect(id({ toolCallId: 'k', ...change })).not.toBe(id({ toolCallId: 'k' }));
    expect(id(change)).not.toBe(id({}));
  }
  expect(id({ input: undefined })).toBe(id({ input: null }));
});
