import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, OpenAIResponsesModel, run, tool } from '@openai/agents';
import OpenAI from 'openai';
import { memoryStore } from 'toolgate';
import { openaiAgents } from 'toolgate/openai-agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import './drivers/openai-agents.ts';

type Item = Readonly<Record<string, unknown>>;
interface Body {
  readonly tools: readonly Item[];
  readonly input: readonly Item[];
  readonly stream?: boolean;
}

const bodies: Body[] = [];
let replies: readonly (readonly Item[])[] = [];

/** A Responses API that replies from a script and keeps what it is sent. */
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += String(chunk)));
  request.on('end', () => {
    const body = JSON.parse(text) as Body;
    const output = replies[bodies.length] ?? [];
    const usage = {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const reply = { id: `resp_${bodies.length}`, object: 'response', status: 'completed', model: 'm', output, usage };
    bodies.push(body);
    if (body.stream !== true) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
      return;
    }
    const events = [
      { type: 'response.created', sequence_number: 0, response: { ...reply, status: 'in_progress', output: [] } },
      { type: 'response.completed', sequence_number: 1, response: reply },
    ];
    response.setHeader('content-type', 'text/event-stream');
    response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  });
});
let model: OpenAIResponsesModel;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  model = new OpenAIResponsesModel(new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }) as never, 'gpt-5.4');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const script: readonly (readonly Item[])[] = [
  [
    {
      type: 'tool_search_call',
      id: 'tsc_1',
      call_id: 'call_s',
      execution: 'client',
      status: 'completed',
      arguments: { query: 'pay money back' },
    },
  ],
  [
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_r',
      name: 'refund_invoice',
      namespace: 'refund_invoice',
      arguments: '{"to":"ada"}',
      status: 'completed',
    },
  ],
  [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'done', annotations: [] }],
    },
  ],
];

describe('on the wire of the Responses API', () => {
  for (const stream of [false, true]) {
    it(`a search is answered with definitions, and the tools in front stay byte for byte${stream ? ', streamed' : ''}`, async () => {
      bodies.length = 0;
      replies = script;
      const ran: string[] = [];
      const named = (name: string, description: string) =>
        tool({
          name,
          description,
          parameters: z.object({ to: z.string() }),
          execute: async ({ to }) => {
            ran.push(`${name} ${to}`);
            return 'ok';
          },
        });
      const agent = new Agent({
        name: 'A',
        model,
        tools: [
          named('weather', 'The weather of a place.'),
          named('music', 'Plays music.'),
          named('refund_invoice', 'Pays the money of an invoice back.'),
        ],
      });
      const g = openaiAgents({
        store: memoryStore(),
        nativeSearch: true,
        selection: { minTools: 0, minTokens: 0, minProbability: 1, alwaysInclude: ['weather'] },
      });
      const wrapped = g.wrap(agent, { conversation: `c-${stream}` });
      if (stream) {
        const result = await run(wrapped, 'Hello', { ...g.runOptions, stream: true });
        await result.completed;
        expect(result.finalOutput).toBe('done');
      } else expect((await run(wrapped, 'Hello', g.runOptions)).finalOutput).toBe('done');
      expect(ran).toEqual(['refund_invoice ada']);
      const [first, second, third] = bodies.map(({ tools }) => JSON.stringify(tools));
      expect(second).toBe(first);
      expect(third).toBe(first);
      expect(bodies[0]?.tools).toMatchObject([
        {
          type: 'tool_search',
          execution: 'client',
          parameters: { type: 'object', properties: { query: {} }, required: ['query'] },
        },
        { type: 'function', name: 'weather' },
      ]);
      expect(bodies[2]?.input).toMatchObject([
        { role: 'user' },
        { type: 'tool_search_call', call_id: 'call_s', execution: 'client', arguments: { query: 'pay money back' } },
        {
          type: 'tool_search_output',
          call_id: 'call_s',
          execution: 'client',
          status: 'completed',
          tools: [
            {
              type: 'function',
              name: 'refund_invoice',
              description: 'Pays the money of an invoice back.',
              defer_loading: true,
              parameters: { type: 'object', required: ['to'] },
            },
          ],
        },
        { type: 'function_call', call_id: 'call_r', name: 'refund_invoice', namespace: 'refund_invoice' },
        { type: 'function_call_output', call_id: 'call_r', output: 'ok' },
      ]);
      const sent = bodies[2]?.input ?? [];
      expect(Object.keys(sent[1] ?? {}).toSorted()).toEqual([
        'arguments',
        'call_id',
        'execution',
        'id',
        'status',
        'type',
      ]);
      expect(sent[1]?.['arguments']).toEqual({ query: 'pay money back' });
      expect(Object.keys(sent[2] ?? {})).not.toContain('tool_search_agent_name');
    });
  }
});
