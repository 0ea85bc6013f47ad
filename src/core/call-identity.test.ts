import { describe, expect, it } from 'vitest';
import { keyedCalls, replyIdOf } from './call-identity.ts';
import type { Reply } from './message.ts';

function reply(...calls: Array<{ id?: unknown; name?: string; input?: unknown }>): Reply {
  return {
    role: 'assistant',
    content: calls.map(({ id, name = 'read', input = {} }) => ({
      type: 'tool-call',
      toolCallId: id as string,
      toolName: name,
      input,
    })),
  };
}

describe('keyedCalls', () => {
  it('tells calls apart whose ids repeat, are empty or are missing', () => {
    expect(
      keyedCalls(reply({ id: 'a' }, { id: 'a' }, { id: '' }, {}, { id: '__proto__' })).map(({ key }) => key),
    ).toEqual(['0.a', '1.a', '2.', '3.', '4.__proto__']);
  });

  it('counts calls only, not text between them', () => {
    const mixed: Reply = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'first' },
        ...(reply({ id: 'a' }).content as []),
        { type: 'text', text: 'then' },
        ...(reply({ id: 'b' }).content as []),
      ],
    };
    expect(keyedCalls(mixed).map(({ key }) => key)).toEqual(['0.a', '1.b']);
  });
});

describe('replyIdOf', () => {
  const user = { role: 'user', content: 'hello' };

  it('is the provider’s id where there is one', () => {
    expect(replyIdOf([user], { ...reply({ id: 'a' }), id: 'resp_1' })).toBe('resp_1');
  });

  it('differs when the same reply comes again later in the conversation', () => {
    const first = replyIdOf([user], reply({ id: 'a' }));
    expect(replyIdOf([user], reply({ id: 'a' }))).toBe(first);
    expect(replyIdOf([user, reply({ id: 'a' }), user], reply({ id: 'a' }))).not.toBe(first);
    expect(replyIdOf([user], reply({ id: 'a', input: { x: 1 } }))).not.toBe(first);
  });
});
