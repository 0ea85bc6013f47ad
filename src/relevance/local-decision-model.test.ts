import { expect, test } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { localDecisionModel } from './local-decision-model.ts';

const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'Weather forecast for a city',
  inputSchema: { type: 'object' },
};
const mail: ToolDefinition = {
  name: 'send_email',
  description: 'Send an email message to somebody',
  inputSchema: { type: 'object' },
};
const signal = new AbortController().signal;

test('gives the fitting tool the higher probability', async () => {
  const response = await localDecisionModel().decide(
    {
      input: 'x',
      questions: {
        a: { type: 'yes-no', text: '?', about: { tool: weather } },
        b: { type: 'yes-no', text: '?', about: { tool: mail } },
      },
      context: { messages: [{ role: 'user', content: 'What is the weather in Paris?' }], catalogue: [weather, mail] },
    },
    { signal },
  );
  const a = response.answers['a'];
  const b = response.answers['b'];
  if (a?.type !== 'yes-no' || b?.type !== 'yes-no') throw new Error('expected yes-no answers');
  expect(a.probability).toBeGreaterThan(b.probability);
});

test('refuses scale questions', async () => {
  const response = await localDecisionModel().decide(
    { input: 'x', questions: { a: { type: 'scale', text: '?', levels: [{ label: 'low' }, { label: 'high' }] } } },
    { signal },
  );
  expect(response.answers['a']).toEqual({ type: 'refusal' });
});
