import type { AdapterScenario, AdapterScenarioTool } from './adapter-scenario.ts';

const look: AdapterScenarioTool = { name: 'look_up', description: 'Looks up a customer.' };
const refund: AdapterScenarioTool = { name: 'refund', description: 'Pays money back to a customer.' };

/** Calls that need nobody, and calls that go wrong. */
export const callScenarios: readonly AdapterScenario[] = [
  {
    id: 'CA-01',
    title: 'parallel calls all run and each gets its own result',
    tools: [look, refund],
    script: [
      {
        calls: [
          { toolCallId: 'a', toolName: 'look_up', input: { to: 'ada' } },
          { toolCallId: 'b', toolName: 'refund', input: { to: 'bob' } },
          { toolCallId: 'c', toolName: 'look_up', input: { to: 'cy' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Look up Ada and Cy and pay Bob.',
        expect: {
          ran: ['look_up {"to":"ada"}', 'refund {"to":"bob"}', 'look_up {"to":"cy"}'],
          answered: ['a', 'b', 'c'],
          results: { a: 'look_up done', b: 'refund done', c: 'look_up done' },
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'CA-02',
    title: 'two calls of one reply with one id both run, each with its own arguments',
    tools: [look],
    script: [
      {
        calls: [
          { toolCallId: 'x', toolName: 'look_up', input: { to: 'ada' } },
          { toolCallId: 'x', toolName: 'look_up', input: { to: 'bob' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Look up both.',
        expect: { ran: ['look_up {"to":"ada"}', 'look_up {"to":"bob"}'], text: 'done' },
      },
    ],
  },
  {
    id: 'CA-03',
    title: 'two gated calls of one reply with one id: neither runs without its own yes',
    tools: [refund],
    gate: { policy: { refund: true } },
    script: [
      {
        calls: [
          { toolCallId: 'x', toolName: 'refund', input: { to: 'ada' } },
          { toolCallId: 'x', toolName: 'refund', input: { to: 'bob' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [{ do: 'send', text: 'Pay both.', expect: { ran: [], requests: 1 } }],
  },
  {
    id: 'CA-04',
    title: 'an id that comes again in a later reply is another call',
    tools: [look],
    script: [
      { calls: [{ toolCallId: 'x', toolName: 'look_up', input: { to: 'ada' } }] },
      { calls: [{ toolCallId: 'x', toolName: 'look_up', input: { to: 'bob' } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Look up Ada, then Bob.',
        expect: { ran: ['look_up {"to":"ada"}', 'look_up {"to":"bob"}'], text: 'done' },
      },
    ],
  },
  {
    id: 'CA-05',
    title: 'an error of a tool goes to the model and the run goes on',
    tools: [{ ...look, fails: 'No such customer.' }],
    script: [{ calls: [{ toolCallId: 'a', toolName: 'look_up', input: { to: 'ada' } }] }, { text: 'done' }],
    steps: [
      {
        do: 'send',
        text: 'Look up Ada.',
        expect: {
          ran: ['look_up {"to":"ada"}'],
          results: { a: 'No such customer.' },
          answered: ['a'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'CA-06',
    title: 'arguments that do not fit are answered, not run',
    tools: [look],
    script: [
      { calls: [{ toolCallId: 'a', toolName: 'look_up', input: { to: 7 } }] },
      { calls: [{ toolCallId: 'b', toolName: 'look_up', input: { to: 'ada' } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Look up Ada.',
        expect: { ran: ['look_up {"to":"ada"}'], answered: ['a', 'b'], text: 'done' },
      },
    ],
  },
  {
    id: 'CA-07',
    title: 'arguments that are no JSON are answered, not run',
    tools: [look],
    script: [
      { calls: [{ toolCallId: 'a', toolName: 'look_up', input: '{"to":' }] },
      { calls: [{ toolCallId: 'b', toolName: 'look_up', input: { to: 'ada' } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Look up Ada.',
        expect: { ran: ['look_up {"to":"ada"}'], answered: ['a', 'b'], text: 'done' },
      },
    ],
  },
  {
    id: 'CA-08',
    title: 'an abort while a tool runs ends the run, and the model is not asked again',
    tools: [{ ...look, hangs: true }],
    script: [{ calls: [{ toolCallId: 'a', toolName: 'look_up', input: { to: 'ada' } }] }, { text: 'done' }],
    steps: [{ do: 'send', text: 'Look up Ada.', expect: { ran: ['look_up {"to":"ada"}'], requests: 1 } }],
  },
  {
    id: 'CA-09',
    title: 'a structured result reaches the model whole',
    tools: [{ ...look, result: { name: 'Ada', orders: [1, 2] } }],
    script: [{ calls: [{ toolCallId: 'a', toolName: 'look_up', input: { to: 'ada' } }] }, { text: 'done' }],
    steps: [
      {
        do: 'send',
        text: 'Look up Ada.',
        expect: { results: { a: '{"name":"Ada","orders":[1,2]}' }, answered: ['a'], text: 'done' },
      },
    ],
  },
];
