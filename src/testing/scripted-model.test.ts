import { generateText, jsonSchema, streamText, tool } from 'ai';
import type { ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from './scripted-model.ts';

const tools: ToolSet = {
  read: tool({
    description: 'Reads',
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
  }),
};

describe('scriptedModel', () => {
  it('plays its steps to the AI SDK, and records what it was asked', async () => {
    const model = scriptedModel([
      { text: 'Let me look.', calls: [{ toolName: 'read', input: { path: 'a' } }] },
      (request) => ({ text: `${request.prompt.length} messages` }),
    ]);
    const first = await generateText({ model: model as never, tools, prompt: 'hello' });
    expect(first.text).toBe('Let me look.');
    expect(first.toolCalls.map(({ toolCallId, toolName, input }) => ({ toolCallId, toolName, input }))).toEqual([
      { toolCallId: 'call-0-0', toolName: 'read', input: { path: 'a' } },
    ]);
    expect(first.response.id).toBe('response-0');
    expect((await generateText({ model: model as never, prompt: 'again' })).text).toBe('1 messages');
    expect(model.requests.map((request) => request.tools?.map(({ name }) => name))).toEqual([['read'], undefined]);
  });

  it('streams the same', async () => {
    const model = scriptedModel([{ text: 'one two', calls: [{ toolName: 'read' }] }]);
    const result = streamText({ model: model as never, tools, prompt: 'hello' });
    const deltas: string[] = [];
    for await (const delta of result.textStream) deltas.push(delta);
    expect(deltas).toEqual(['one ', 'two']);
    expect((await result.toolCalls).map(({ toolName }) => toolName)).toEqual(['read']);
  });

  it('fails when it is asked more often than the script has steps', async () => {
    await expect(generateText({ model: scriptedModel([]) as never, prompt: 'x', maxRetries: 0 })).rejects.toThrow(
      'has 0 steps and was asked for step 1',
    );
  });
});
