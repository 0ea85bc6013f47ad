import type { AdapterScenario, AdapterScenarioTool } from './adapter-scenario.ts';

const refund: AdapterScenarioTool = { name: 'refund', description: 'Pays money back to a customer.' };
const look: AdapterScenarioTool = { name: 'look_up', description: 'Looks up a customer.' };
const wipe: AdapterScenarioTool = { name: 'wipe', description: 'Deletes everything of a customer.' };
const gated = { policy: { refund: true, wipe: true } } as const;
const one = [{ calls: [{ toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } }] }, { text: 'done' }];
const sendOne = {
  do: 'send',
  text: 'Pay Ada back.',
  expect: { ran: [], waiting: ['r'], requests: 1 },
} as const;

/** What waits for a person, and what the person can say. */
export const confirmationScenarios: readonly AdapterScenario[] = [
  {
    id: 'CO-01',
    title: 'a gated call waits and nothing runs',
    tools: [refund, look],
    gate: gated,
    script: one,
    steps: [sendOne],
  },
  {
    id: 'CO-02',
    title: 'an approved call runs once and the model goes on',
    tools: [refund, look],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      { do: 'decide', decisions: { r: { type: 'approve' } } },
      {
        do: 'resume',
        expect: {
          ran: ['refund {"to":"ada"}'],
          waiting: [],
          results: { r: 'refund done' },
          answered: ['r'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'CO-03',
    title: 'a denied call does not run and the model reads why',
    tools: [refund, look],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      { do: 'decide', decisions: { r: { type: 'deny', message: 'Ada was paid yesterday.' } } },
      {
        do: 'resume',
        expect: { ran: [], waiting: [], results: { r: 'Ada was paid yesterday.' }, answered: ['r'], text: 'done' },
      },
    ],
  },
  {
    id: 'CO-04',
    title: 'edited arguments run in place of the proposed ones, and the model is told',
    tools: [refund, look],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      { do: 'decide', decisions: { r: { type: 'approve', arguments: { to: 'bob' } } } },
      {
        do: 'resume',
        expect: { ran: ['refund {"to":"bob"}'], results: { r: 'bob' }, answered: ['r'], text: 'done' },
      },
    ],
  },
  {
    id: 'CO-05',
    title: 'a person can answer in place of the tool',
    tools: [refund, look],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      { do: 'decide', decisions: { r: { type: 'respond', result: 'Paid by hand.' } } },
      { do: 'resume', expect: { ran: [], results: { r: 'Paid by hand.' }, answered: ['r'], text: 'done' } },
    ],
  },
  {
    id: 'CO-06',
    title: 'mixed decisions about one reply: each call gets exactly its own result',
    tools: [refund, look, wipe],
    gate: gated,
    script: [
      {
        calls: [
          { toolCallId: 'l', toolName: 'look_up', input: { to: 'ada' } },
          { toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } },
          { toolCallId: 'w', toolName: 'wipe', input: { to: 'ada' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Look, pay, wipe.', expect: { waiting: ['r', 'w'] } },
      { do: 'decide', decisions: { r: { type: 'deny', message: 'Not paid.' }, w: { type: 'approve' } } },
      {
        do: 'resume',
        expect: {
          ran: ['look_up {"to":"ada"}', 'wipe {"to":"ada"}'],
          waiting: [],
          results: { l: 'look_up done', r: 'Not paid.', w: 'wipe done' },
          answered: ['l', 'r', 'w'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'CO-07',
    title: 'with one of two calls decided the other still waits, and nothing is lost',
    tools: [refund, wipe],
    gate: gated,
    script: [
      {
        calls: [
          { toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } },
          { toolCallId: 'w', toolName: 'wipe', input: { to: 'ada' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Pay and wipe.', expect: { ran: [], waiting: ['r', 'w'] } },
      { do: 'decide', decisions: { r: { type: 'approve' } } },
      { do: 'resume', expect: { waiting: ['w'], requests: 1 } },
      { do: 'decide', decisions: { w: { type: 'approve' } } },
      {
        do: 'resume',
        expect: {
          ran: ['refund {"to":"ada"}', 'wipe {"to":"ada"}'],
          waiting: [],
          answered: ['r', 'w'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'CO-08',
    title: 'a policy that looks at the arguments lets small amounts pass',
    tools: [refund],
    gate: { policy: { refund: { above: 100 } } },
    script: [
      { calls: [{ toolCallId: 's', toolName: 'refund', input: { amount: 20 } }] },
      { calls: [{ toolCallId: 'b', toolName: 'refund', input: { amount: 200 } }] },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Pay 20, then 200.', expect: { ran: ['refund {"amount":20}'], waiting: ['b'], requests: 2 } },
      { do: 'decide', decisions: { b: { type: 'approve' } } },
      {
        do: 'resume',
        expect: { ran: ['refund {"amount":20}', 'refund {"amount":200}'], answered: ['s', 'b'], text: 'done' },
      },
    ],
  },
  {
    id: 'CO-09',
    title: 'a call that the policy refuses does not run, waits for nobody, and the model reads why',
    tools: [refund],
    gate: { policy: { refund: { deny: 'The till is closed.' } } },
    script: one,
    steps: [
      {
        do: 'send',
        text: 'Pay Ada back.',
        expect: { ran: [], waiting: [], results: { r: 'The till is closed.' }, text: 'done' },
      },
    ],
  },
  {
    id: 'CO-10',
    title: 'two calls of one tool are decided apart',
    tools: [refund],
    gate: gated,
    script: [
      {
        calls: [
          { toolCallId: 'a', toolName: 'refund', input: { to: 'ada' } },
          { toolCallId: 'b', toolName: 'refund', input: { to: 'bob' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Pay both back.', expect: { ran: [], waiting: ['a', 'b'] } },
      { do: 'decide', decisions: { a: { type: 'deny', message: 'Not Ada.' }, b: { type: 'approve' } } },
      {
        do: 'resume',
        expect: {
          ran: ['refund {"to":"bob"}'],
          results: { a: 'Not Ada.', b: 'refund done' },
          answered: ['a', 'b'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'CO-11',
    title: 'an approved call whose tool fails tells the model and is not run again',
    tools: [{ ...refund, fails: 'The bank is closed.' }],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      { do: 'decide', decisions: { r: { type: 'approve' } } },
      {
        do: 'resume',
        deliveries: 'twice',
        expect: { results: { r: 'The bank is closed.' }, answered: ['r'], text: 'done' },
      },
      { do: 'restart' },
      { do: 'send', text: 'Well?', expect: { ran: ['refund {"to":"ada"}'] } },
    ],
  },
  {
    id: 'CO-12',
    title: 'a gated tool that was found by search waits like any other',
    tools: [refund, look, wipe],
    gate: { ...gated, scores: { look_up: 0.9 } },
    script: [
      { calls: [{ toolCallId: 's', toolName: 'search_tools', input: { query: 'pay money back', limit: 1 } }] },
      { calls: [{ toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } }] },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Pay Ada back.', expect: { ran: [], waiting: ['r'], requests: 2 } },
      { do: 'decide', decisions: { r: { type: 'approve' } } },
      { do: 'resume', expect: { ran: ['refund {"to":"ada"}'], answered: ['s', 'r'], text: 'done' } },
    ],
  },
  {
    id: 'CO-13',
    title: 'after one pause the model may cause another',
    tools: [refund, wipe],
    gate: gated,
    script: [
      { calls: [{ toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } }] },
      { calls: [{ toolCallId: 'w', toolName: 'wipe', input: { to: 'ada' } }] },
      { text: 'done' },
    ],
    steps: [
      sendOne,
      { do: 'decide', decisions: { r: { type: 'approve' } } },
      { do: 'resume', expect: { ran: ['refund {"to":"ada"}'], waiting: ['w'] } },
      { do: 'decide', decisions: { w: { type: 'approve' } } },
      {
        do: 'resume',
        expect: { ran: ['refund {"to":"ada"}', 'wipe {"to":"ada"}'], waiting: [], answered: ['r', 'w'], text: 'done' },
      },
    ],
  },
];
