import { expect, test } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import type { Question } from '../decision/port.ts';
import { localDecisionModel } from './local-decision-model.ts';

const tool = (name: string, description: string): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object' },
});
const weather = tool('get_weather', 'Weather forecast for a city');
const mail = tool('send_email', 'Send an email message to somebody');
const flight = tool('book_flight', 'Book a flight between two cities');
const catalogue = [weather, mail, flight];
const signal = new AbortController().signal;

async function ask(
  messages: readonly (readonly [string, string])[],
  options: Parameters<typeof localDecisionModel>[0] = {},
) {
  const questions = Object.fromEntries(
    catalogue.map((one): [string, Question] => [one.name, { type: 'yes-no', text: '?', about: { tool: one } }]),
  );
  const context = { messages: messages.map(([role, content]) => ({ role, content })), catalogue };
  const { answers } = await localDecisionModel(options).decide({ input: 'x', questions, context }, { signal });
  const probability = (name: string): number => {
    const answer = answers[name];
    return answer?.type === 'yes-no' ? answer.probability : Number.NaN;
  };
  return { weather: probability('get_weather'), mail: probability('send_email'), flight: probability('book_flight') };
}

test.each([{}, { vectors: false }])('gives the fitting tool the highest probability (%o)', async (options) => {
  const { weather, mail, flight } = await ask([['user', 'What is the weather in Paris?']], options);
  expect(weather).toBeGreaterThan(0.5);
  expect(weather).toBeGreaterThan(mail);
  expect(weather).toBeGreaterThan(flight);
});

test('finds a tool that shares no word with the request', async () => {
  const { weather, mail, flight } = await ask([['user', 'Will it rain tomorrow, what is the temperature outside?']]);
  expect(weather).toBeGreaterThan(Math.max(mail, flight));
});

test('a yes leans on what it answers', async () => {
  const { weather, mail, flight } = await ask([
    ['user', 'Please book a flight to Rome'],
    ['assistant', 'A flight to Rome on Friday at 9. Shall I go ahead?'],
    ['user', 'Yes please.'],
  ]);
  expect(flight).toBeGreaterThan(0.3);
  expect(flight).toBeGreaterThan(Math.max(weather, mail));
});

test('after thanks and goodbye nothing is needed', async () => {
  const open = await ask([
    ['user', 'Please book a flight to Rome'],
    ['assistant', 'To which airport?'],
    ['user', 'Fiumicino'],
  ]);
  const closed = await ask([
    ['user', 'Please book a flight to Rome'],
    ['assistant', 'Your flight is booked. Is there anything else I can do?'],
    ['user', 'No, that is all, thanks. Bye!'],
  ]);
  expect(closed.flight).toBeLessThan(0.15);
  expect(closed.flight).toBeLessThan(open.flight);
});

test('gives the same numbers from run to run', async () => {
  const messages = [['user', 'Send a message to Ann about the flight']] as const;
  expect(await ask(messages)).toEqual(await ask(messages));
});

test('works from the input and the questions when there is no context', async () => {
  const { answers } = await localDecisionModel().decide(
    {
      input: 'Please send an email to Bob',
      questions: {
        a: { type: 'yes-no', text: '?', about: { tool: mail } },
        b: { type: 'yes-no', text: '?', about: { tool: weather } },
      },
    },
    { signal },
  );
  const [a, b] = [answers['a'], answers['b']];
  expect(a?.type === 'yes-no' && b?.type === 'yes-no' && a.probability > b.probability).toBe(true);
});

test('chooses among tools, and among texts where there are no tools', async () => {
  const { answers } = await localDecisionModel().decide(
    {
      input: 'Please book a flight to Rome',
      questions: {
        tools: {
          type: 'choice',
          text: 'Which?',
          options: { x: null, y: null },
          about: { tools: { x: weather, y: flight } },
        },
        texts: {
          type: 'choice',
          text: 'Which?',
          options: { travel: 'Flights and hotels', mail: 'Messages and contacts' },
        },
      },
      context: { messages: [{ role: 'user', content: 'Please book a flight to Rome' }], catalogue },
    },
    { signal },
  );
  expect(answers['tools']).toMatchObject({ type: 'choice', value: 'y' });
  expect(answers['texts']).toMatchObject({ type: 'choice', value: 'travel' });
  const choice = answers['tools'];
  if (choice?.type !== 'choice') throw new Error('expected a choice');
  expect((choice.probabilities['x'] ?? 0) + (choice.probabilities['y'] ?? 0)).toBeCloseTo(1, 10);
});

test('refuses scale questions, keeps odd ids apart', async () => {
  const { answers } = await localDecisionModel().decide(
    {
      input: 'x',
      questions: Object.fromEntries([
        ['__proto__', { type: 'scale', text: '?', levels: [{ label: 'low' }, { label: 'high' }] }],
      ]),
    },
    { signal },
  );
  expect(Object.hasOwn(answers, '__proto__')).toBe(true);
});

test('explains: the shares add up to the logit, and the logit is the probability', async () => {
  const request = {
    input: 'x',
    questions: {},
    context: { messages: [{ role: 'user', content: 'weather in Oslo' }], catalogue },
  };
  const { tools } = await localDecisionModel().explain(request, { signal, limit: 2 });
  expect(tools.map((one) => one.name)[0]).toBe('get_weather');
  expect(tools).toHaveLength(2);
  for (const one of tools) {
    expect(one.shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(one.logit, 8);
    expect(1 / (1 + Math.exp(-one.logit))).toBeCloseTo(one.probability, 12);
  }
});

test('a calibration moves the probabilities and not the order; a wrong one is refused', async () => {
  const messages = [['user', 'What is the weather in Paris?']] as const;
  const plain = await ask(messages);
  const moved = await ask(messages, { calibration: { slope: 1, offset: -1 } });
  const odds = (probability: number): number => Math.log(probability / (1 - probability));
  expect(odds(moved.weather)).toBeCloseTo(odds(plain.weather) - 1, 8);
  expect(() => localDecisionModel({ calibration: { slope: 0, offset: 0 } })).toThrow(/slope/);
});

test('an aborted decision rejects', async () => {
  await expect(
    localDecisionModel().decide({ input: 'x', questions: {} }, { signal: AbortSignal.abort() }),
  ).rejects.toThrow();
});

test('a catalogue changed in place is read again', async () => {
  const changing = [weather, mail];
  const model = localDecisionModel();
  const decide = async (): Promise<number> => {
    const { answers } = await model.decide(
      {
        input: 'x',
        questions: { a: { type: 'yes-no', text: '?', about: { tool: changing[1]! } } },
        context: { messages: [{ role: 'user', content: 'book a flight to Rome' }], catalogue: changing },
      },
      { signal },
    );
    return answers['a']?.type === 'yes-no' ? answers['a'].probability : Number.NaN;
  };
  const before = await decide();
  changing[1] = flight;
  expect(await decide()).toBeGreaterThan(before);
});
