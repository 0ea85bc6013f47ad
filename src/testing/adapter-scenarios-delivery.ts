import type { AdapterScenario, AdapterScenarioTool, AdapterStep } from './adapter-scenario.ts';

const refund: AdapterScenarioTool = { name: 'refund', description: 'Pays money back to a customer.' };
const look: AdapterScenarioTool = { name: 'look_up', description: 'Looks up a customer.' };
const gated = { policy: { refund: true } } as const;
const one = [{ calls: [{ toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } }] }, { text: 'done' }];
const sendOne: AdapterStep = { do: 'send', text: 'Pay Ada back.', expect: { ran: [], waiting: ['r'], requests: 1 } };
const approve: AdapterStep = { do: 'decide', decisions: { r: { type: 'approve' } } };
const paid = { ran: ['refund {"to":"ada"}'], results: { r: 'refund done' }, answered: ['r'], text: 'done' } as const;

/** Deliveries that come twice, late, elsewhere or changed. */
export const deliveryScenarios: readonly AdapterScenario[] = [
  {
    id: 'DE-01',
    title: 'the same approval delivered twice runs once, and both get the result',
    tools: [refund],
    gate: gated,
    script: one,
    steps: [sendOne, approve, { do: 'resume', deliveries: 'twice', expect: paid }],
  },
  {
    id: 'DE-02',
    title: 'the same approval delivered twice at once runs once, and both get the result',
    tools: [refund],
    gate: gated,
    script: one,
    steps: [sendOne, approve, { do: 'resume', deliveries: 'twice-at-once', expect: paid }],
  },
  {
    id: 'DE-03',
    title: 'another process can go on',
    tools: [refund],
    gate: gated,
    script: one,
    steps: [sendOne, { do: 'restart' }, approve, { do: 'restart' }, { do: 'resume', expect: { ...paid, waiting: [] } }],
  },
  {
    id: 'DE-04',
    title: 'arguments changed in the saved state do not run',
    tools: [refund],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      approve,
      { do: 'resume', tamper: { from: 'ada', to: 'eve' }, claimApproval: true, expect: { ran: [] } },
    ],
  },
  {
    id: 'DE-05',
    title: 'a client that says yes in the name of the caller frees nothing',
    tools: [refund],
    gate: gated,
    script: one,
    steps: [sendOne, { do: 'resume', claimApproval: true, expect: { ran: [] } }],
  },
  {
    id: 'DE-06',
    title: 'a resumption before anybody has decided runs nothing and asks the model nothing',
    tools: [refund],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      { do: 'resume', expect: { ran: [], waiting: ['r'], requests: 1 } },
      approve,
      { do: 'resume', expect: { ...paid, waiting: [] } },
    ],
  },
  {
    id: 'DE-07',
    title: 'an approval in one conversation frees nothing in another',
    tools: [refund],
    gate: gated,
    script: [...one.slice(0, 1), { calls: [{ toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } }] }],
    steps: [
      sendOne,
      approve,
      { do: 'restart', conversation: 'conversation-2' },
      { do: 'send', text: 'Pay Ada back.', expect: { ran: [], waiting: ['r'] } },
    ],
  },
  {
    id: 'DE-08',
    title: 'a free sibling of a waiting call runs once over both deliveries',
    tools: [refund, look],
    gate: gated,
    script: [
      {
        calls: [
          { toolCallId: 'l', toolName: 'look_up', input: { to: 'ada' } },
          { toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Look and pay.', expect: { waiting: ['r'], requests: 1 } },
      approve,
      {
        do: 'resume',
        deliveries: 'twice',
        expect: { ran: ['look_up {"to":"ada"}', 'refund {"to":"ada"}'], answered: ['l', 'r'], text: 'done' },
      },
    ],
  },
  {
    id: 'DE-09',
    title: 'a free sibling runs once when both deliveries come at once',
    tools: [refund, look],
    gate: gated,
    script: [
      {
        calls: [
          { toolCallId: 'l', toolName: 'look_up', input: { to: 'ada' } },
          { toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } },
        ],
      },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Look and pay.', expect: { waiting: ['r'], requests: 1 } },
      approve,
      {
        do: 'resume',
        deliveries: 'twice-at-once',
        expect: { ran: ['look_up {"to":"ada"}', 'refund {"to":"ada"}'], answered: ['l', 'r'], text: 'done' },
      },
    ],
  },
  {
    id: 'DE-10',
    title: 'a process cut between the run and its record is never run again: nobody knows how it ended',
    tools: [refund],
    gate: { ...gated, crash: 'before-result' },
    script: one,
    steps: [
      sendOne,
      approve,
      { do: 'resume', expect: { ran: ['refund {"to":"ada"}'] } },
      { do: 'wait', milliseconds: 3_600_000 },
      {
        do: 'resume',
        expect: { ran: ['refund {"to":"ada"}'], results: { r: 'not known how it ended' }, text: 'done' },
      },
    ],
  },
  {
    id: 'DE-11',
    title: 'an approval that comes too late runs nothing',
    tools: [refund],
    gate: gated,
    script: one,
    steps: [
      sendOne,
      { do: 'wait', milliseconds: 8 * 86_400_000 },
      { do: 'resume', expect: { ran: [], waiting: [], results: { r: 'in time' }, text: 'done' } },
    ],
  },
];
