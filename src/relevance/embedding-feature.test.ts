import { expect, test } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { localDecisionModel } from './local-decision-model.ts';

const tools: ToolDefinition[] = [
  { name: 'get_weather', description: 'Weather forecast for a city', inputSchema: { type: 'object' } },
  { name: 'send_email', description: 'Send a message to somebody', inputSchema: { type: 'object' } },
  { name: 'create_invoice', description: 'Make an invoice', inputSchema: { type: 'object' } },
];
const signal = new AbortController().signal;
const request = (content: string) => ({
  input: content,
  questions: Object.fromEntries(
    tools.map((tool, place) => [`t${place}`, { type: 'yes-no' as const, text: '?', about: { tool } }]),
  ),
  context: { messages: [{ role: 'user', content }], catalogue: tools },
});

/** Knows two languages: one direction for weather, one for mail, one for bills. */
const words = [
  ['weather', 'wetter'],
  ['message', 'nachricht'],
  ['invoice', 'rechnung'],
];

async function embed(texts: readonly string[]): Promise<number[][]> {
  return texts.map((text) =>
    words.map((group) => (group.some((word) => text.toLowerCase().includes(word)) ? 1 : 0.05)),
  );
}

async function probabilities(content: string, options: Parameters<typeof localDecisionModel>[0]): Promise<number[]> {
  const { answers } = await localDecisionModel(options).decide(request(content), { signal });
  return tools.map((_, place) => {
    const answer = answers[`t${place}`];
    return answer?.type === 'yes-no' ? answer.probability : Number.NaN;
  });
}

test('an embedding function finds what the words do not say', async () => {
  const without = await probabilities('Schick eine Nachricht', {});
  const withIt = await probabilities('Schick eine Nachricht', { embed });
  expect(withIt[1]).toBeGreaterThan(without[1]!);
  expect(withIt.indexOf(Math.max(...withIt))).toBe(1);
});

test('tools are embedded once, the conversation every time', async () => {
  const asked: string[][] = [];
  const model = localDecisionModel({
    embed: async (texts) => {
      asked.push([...texts]);
      return embed(texts);
    },
  });
  await model.decide(request('Wetter'), { signal });
  await model.decide(request('Rechnung'), { signal });
  expect(asked.map((texts) => texts.length)).toEqual([3, 1, 1]);
});

test('a wrong number of vectors is an error that says so', async () => {
  const model = localDecisionModel({ embed: async () => [] });
  await expect(model.decide(request('Wetter'), { signal })).rejects.toMatchObject({
    code: 'decision-model-invalid-response',
  });
});

test('a failure is told and not remembered', async () => {
  let fail = true;
  const model = localDecisionModel({
    embed: async (texts) => {
      if (fail) throw new Error('no server');
      return embed(texts);
    },
  });
  const own = {
    ...request('Wetter'),
    context: { messages: [{ role: 'user', content: 'Wetter' }], catalogue: [...tools] },
  };
  await expect(model.decide(own, { signal })).rejects.toThrow('no server');
  fail = false;
  await expect(model.decide(own, { signal })).resolves.toBeDefined();
});
