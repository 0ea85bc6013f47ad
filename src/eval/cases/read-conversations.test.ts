import { describe, expect, it } from 'vitest';
import { readConversations } from './read-conversations.ts';

const turns = (value: unknown) => readConversations(value, 'file').map((conversation) => conversation.turns);
const user = (text: string) => ({ role: 'user', text, calls: [] });
const model = (text: string, ...calls: string[]) => ({ role: 'assistant', text, calls });

describe('readConversations', () => {
  it('reads model messages of the AI SDK', () => {
    expect(
      turns([
        { role: 'system', content: 'rules' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'weather?' },
            { type: 'file', data: 'x' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'looking' },
            { type: 'tool-call', toolCallId: '1', toolName: 'get_weather', input: {} },
            { type: 'tool-call', toolCallId: '2', toolName: 'get_time', input: {} },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'get_weather', output: {} }] },
        { role: 'assistant', content: 'sunny' },
      ]),
    ).toEqual([[user('weather?'), model('looking', 'get_weather', 'get_time'), model('sunny')]]);
  });

  it('reads messages of the AI SDK interface', () => {
    expect(
      turns({
        id: 'chat',
        messages: [
          { id: '1', role: 'user', parts: [{ type: 'text', text: 'mail it' }] },
          {
            id: '2',
            role: 'assistant',
            parts: [
              { type: 'step-start' },
              { type: 'tool-send_mail', toolCallId: '1', state: 'output-available', input: {}, output: {} },
              { type: 'dynamic-tool', toolName: 'log', toolCallId: '2', state: 'input-available', input: {} },
              { type: 'text', text: 'done' },
            ],
          },
        ],
      }),
    ).toEqual([[user('mail it'), model('done', 'send_mail', 'log')]]);
  });

  it('reads chat completions of OpenAI, also the older form', () => {
    expect(
      turns([
        { role: 'developer', content: 'rules' },
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'r' },
        { role: 'assistant', content: null, function_call: { name: 'g', arguments: '{}' } },
      ]),
    ).toEqual([[user('a'), model('', 'f'), model('', 'g')]]);
  });

  it('reads items of OpenAI responses', () => {
    expect(
      turns({
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
          { type: 'reasoning', summary: [] },
          { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: '1', output: 'x' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
        ],
      }),
    ).toEqual([[user('a'), model('', 'f'), model('b')]]);
  });

  it('reads messages of Anthropic, where results come as user messages', () => {
    expect(
      turns([
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 't' },
            { type: 'tool_use', id: '1', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'r' }] },
      ]),
    ).toEqual([[user('a'), model('t', 'f')]]);
  });

  it('reads the three forms of LangChain', () => {
    const plain = [
      { type: 'system', content: 's' },
      { type: 'human', content: 'a' },
      { type: 'ai', content: '', tool_calls: [{ name: 'f', args: {}, id: '1' }] },
      { type: 'tool', content: 'r', tool_call_id: '1' },
    ];
    const stored = plain.map(({ type, ...data }) => ({ type, data }));
    const classes = ['SystemMessage', 'HumanMessage', 'AIMessage', 'ToolMessage'];
    const serialized = plain.map(({ type: _type, ...kwargs }, index) => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', classes[index]],
      kwargs,
    }));
    const expected = [user('a'), model('', 'f')];
    expect(turns([plain, { messages: stored }, serialized])).toEqual([expected, expected, expected]);
  });

  it('reads logs of the Model Context Protocol: a search stands for the question', () => {
    const call = (name: string, input: object) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input },
    });
    expect(
      turns([
        { jsonrpc: '2.0', id: 0, method: 'initialize' },
        call('before', {}),
        { direction: 'in', message: call('search_tools', { query: 'send mail', context: 'boss' }) },
        { jsonrpc: '2.0', id: 1, result: {} },
        call('call_write_tool', { name: 'send_mail', arguments: {} }),
        call('read_file', {}),
        call('gate_search_tools', { query: 'weather' }),
      ]),
    ).toEqual([[user('send mail\nboss'), model('', 'send_mail'), model('', 'read_file'), user('weather')]]);
  });

  it.each([
    [{}],
    [[]],
    ['text'],
    [null],
    [[{ role: 'assistant', content: 'only the model' }]],
    [[[[[[[{ role: 'user', content: 'deep' }]]]]]]],
  ])('refuses %j', (value) => {
    expect(() => turns(value)).toThrow(/file, line 1: No conversation found/);
  });

  it('leaves out what it does not know', () => {
    expect(
      turns([
        5,
        { role: 'user', content: 'a' },
        { strange: true },
        { role: 'assistant', tool_calls: [null, { function: {} }] },
      ]),
    ).toEqual([[user('a')]]);
  });
});
