import { describe, expect, it } from 'vitest';
import type { Message } from '../core/message.ts';
import { conversationInput, conversationWindow, currentUserMessage } from './conversation-input.ts';

const user = (content: Message['content']): Message => ({ role: 'user', content });
const assistant = (content: Message['content']): Message => ({ role: 'assistant', content });

describe('conversationWindow', () => {
  it('appends the current message when the conversation does not hold it', () => {
    const messages = [user('one'), assistant('two')];
    expect(conversationWindow({ messages, userMessage: user('three') })).toEqual([...messages, user('three')]);
  });

  it('does not repeat the current message when the conversation ends with it', () => {
    const messages = [user('one'), user('two')];
    expect(conversationWindow({ messages, userMessage: user('two') })).toEqual(messages);
  });

  it('does not take an earlier message of the same text for the current one', () => {
    const messages = [user('yes'), assistant('sure?'), user('hm')];
    expect(conversationWindow({ messages, userMessage: user('yes') })).toEqual([...messages, user('yes')]);
  });

  it('takes the same words after a finished answer for a new message, and after tool calls for the same one', () => {
    const answered = [user('yes'), assistant('Sure about the other one, too?')];
    expect(conversationWindow({ messages: answered, userMessage: user('yes') })).toEqual([...answered, user('yes')]);
    const running = [user('yes'), assistant([{ type: 'tool-call', toolName: 't', input: {} }])];
    expect(conversationWindow({ messages: running, userMessage: user('yes') })).toEqual(running);
  });

  it('finds the current message by its original text, too', () => {
    const messages = [user('short')];
    const window = conversationWindow({
      messages,
      userMessage: user('short and retrieved'),
      originalUserMessage: user('short'),
    });
    expect(window).toEqual([user('short')]);
  });

  it('keeps the current message in a long loop of tool calls', () => {
    const current = user('do it');
    const rounds = Array.from({ length: 20 }, (_, index) => assistant(`step ${index}`));
    const window = conversationWindow(
      { messages: [user('before'), current, ...rounds], userMessage: current },
      { maxMessages: 3 },
    );
    expect(window).toEqual([current, assistant('step 18'), assistant('step 19')]);
    expect(conversationWindow({ messages: [current, ...rounds], userMessage: current }, { maxMessages: 1 })).toEqual([
      current,
    ]);
  });

  it('filters before it counts, and never the current message', () => {
    const messages = [user('1'), assistant('2'), user('3'), assistant('4')];
    const window = conversationWindow(
      { messages, userMessage: user('5') },
      { maxMessages: 2, messageFilter: ({ role }) => role === 'assistant' },
    );
    expect(window).toEqual([assistant('4'), user('5')]);
    expect(conversationWindow({ messages, userMessage: user('5') }, { messageFilter: () => false })).toEqual([
      user('5'),
    ]);
  });

  it('keeps system and developer messages wherever they are, and does not count them', () => {
    const messages: Message[] = [
      { role: 'system', content: 's' },
      user('1'),
      { role: 'developer', content: 'd' },
      user('2'),
    ];
    const window = conversationWindow({ messages, userMessage: user('2') }, { maxMessages: 1 });
    expect(window.map(({ content }) => content)).toEqual(['s', 'd', '2']);
  });
});

describe('currentUserMessage', () => {
  it('prefers the original one when it has text', () => {
    expect(currentUserMessage({ messages: [], userMessage: user('a'), originalUserMessage: user('b') })).toEqual(
      user('b'),
    );
    expect(currentUserMessage({ messages: [], userMessage: user('a'), originalUserMessage: user(' ') })).toEqual(
      user('a'),
    );
    expect(currentUserMessage({ messages: [], userMessage: user('a') })).toEqual(user('a'));
  });
});

describe('conversationInput', () => {
  const textOf = (message: Message): unknown => (conversationInput([message])['messages'] as readonly unknown[])[0];

  it('names what is not text and never gives an empty text', () => {
    const image = { type: 'image', mediaType: 'image/png' };
    expect(textOf(user([{ type: 'text', text: 'Look:' }, image, image, { type: 'file' }]))).toEqual({
      role: 'user',
      text: 'Look:\n[2 image, image/png]\n[1 file]',
    });
    expect(textOf(user([image]))).toEqual({ role: 'user', text: '[1 image, image/png]' });
    expect(textOf(user(''))).toEqual({ role: 'user', text: '[no text]' });
    expect(textOf(user([]))).toEqual({ role: 'user', text: '[no text]' });
    expect(
      textOf(
        assistant([
          { type: 'reasoning', text: 'private thought' },
          { type: 'text', text: 'Hi' },
        ]),
      ),
    ).toEqual({ role: 'assistant', text: 'Hi' });
  });

  it.each<[string, unknown, string]>([
    ['a text', 'plain', 'plain'],
    ['a typed text', { type: 'text', value: 'typed' }, 'typed'],
    ['typed JSON', { type: 'json', value: { a: 1 } }, '{"a":1}'],
    [
      'typed content',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'one' },
          { type: 'media', mediaType: 'image/png', data: 'AAAA' },
        ],
      },
      'one\n[1 media, image/png]',
    ],
    [
      'content blocks',
      {
        content: [
          { type: 'text', text: 'two' },
          { type: 'image', mimeType: 'image/jpeg', data: 'AAAA' },
        ],
      },
      'two\n[1 image, image/jpeg]',
    ],
    ['an object', { rows: [1] }, '{"rows":[1]}'],
    ['nothing', undefined, '[no text]'],
    ['an empty text', { type: 'text', value: '' }, '[no text]'],
    ['no JSON', { type: 'json', value: 1n }, '[not JSON]'],
  ])('reads a tool result that is %s', (_, output, result) => {
    const message: Message = { role: 'tool', content: [{ type: 'tool-result', toolName: 't', output }] };
    expect(textOf(message)).toEqual({ role: 'tool', toolResults: [{ tool: 't', result }] });
  });

  it('shows calls with their arguments, objects and texts alike', () => {
    const parts = [
      { type: 'text', text: 'Calling.' },
      { type: 'tool-call', toolName: 'a', input: { x: 1 } },
      { type: 'tool-call', toolName: 'b', input: '{"y":2}' },
      { type: 'tool-call' },
    ];
    expect(textOf(assistant(parts))).toEqual({
      role: 'assistant',
      text: 'Calling.',
      toolCalls: [
        { tool: 'a', arguments: '{"x":1}' },
        { tool: 'b', arguments: '{"y":2}' },
        { tool: '', arguments: '' },
      ],
    });
  });

  it('shares the length of a message among its parts', () => {
    const long = { type: 'tool-result', toolName: 't', output: 'x'.repeat(500) };
    const input = conversationInput([{ role: 'tool', content: [long, long] }], 200);
    const [message] = input['messages'] as readonly { toolResults: readonly { result: string }[] }[];
    expect(message?.toolResults.map(({ result }) => result.length)).toEqual([100, 100]);
  });
});
