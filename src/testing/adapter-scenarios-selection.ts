import type { AdapterScenario, AdapterScenarioTool } from './adapter-scenario.ts';

const weather: AdapterScenarioTool = { name: 'get_weather', description: 'Says what the weather will be in a city.' };
const mail: AdapterScenarioTool = { name: 'send_mail', description: 'Sends an email message to a person.' };
const invoice: AdapterScenarioTool = { name: 'create_invoice', description: 'Creates an invoice for a customer.' };
const four: readonly AdapterScenarioTool[] = [
  weather,
  mail,
  invoice,
  { name: 'list_orders', description: 'Lists the orders of a customer.' },
];

/** What the model sees, and how it gets at the rest. */
export const selectionScenarios: readonly AdapterScenario[] = [
  {
    id: 'SE-01',
    title: 'the model sees the tools that fit, and the search',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [{ calls: [{ toolCallId: 'a', toolName: 'send_mail', input: { to: 'ada' } }] }, { text: 'sent' }],
    steps: [
      {
        do: 'send',
        text: 'Write to Ada.',
        expect: {
          ran: ['send_mail {"to":"ada"}'],
          shown: [
            ['search_tools', 'send_mail'],
            ['search_tools', 'send_mail'],
          ],
          results: { a: 'send_mail done' },
          text: 'sent',
          waiting: [],
        },
      },
    ],
  },
  {
    id: 'SE-02',
    title: 'a follow-up turn keeps what was shown, in place',
    tools: four,
    gate: { scores: { send_mail: 0.9, list_orders: 0.8 } },
    script: [
      { text: 'Shall I?' },
      { calls: [{ toolCallId: 'a', toolName: 'list_orders', input: { to: 'ada' } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Look at the orders of Ada and write to her.',
        expect: { shown: [['search_tools', 'send_mail', 'list_orders']], text: 'Shall I?' },
      },
      {
        do: 'send',
        text: 'Yes, do it.',
        expect: {
          shown: [
            ['search_tools', 'send_mail', 'list_orders'],
            ['search_tools', 'send_mail', 'list_orders'],
          ],
          ran: ['list_orders {"to":"ada"}'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'SE-03',
    title: 'when nothing fits only the search is shown',
    tools: four,
    gate: { scores: {} },
    script: [{ text: 'Hello!' }],
    steps: [{ do: 'send', text: 'Hello.', expect: { shown: [['search_tools']], ran: [], text: 'Hello!' } }],
  },
  {
    id: 'SE-04',
    title: 'with the selector down every tool is shown and the run goes on',
    tools: four,
    gate: { selectorDown: true },
    script: [{ calls: [{ toolCallId: 'a', toolName: 'create_invoice', input: { amount: 3 } }] }, { text: 'done' }],
    steps: [
      {
        do: 'send',
        text: 'Invoice Ada.',
        expect: {
          shown: [['search_tools', 'get_weather', 'send_mail', 'create_invoice', 'list_orders'], null],
          ran: ['create_invoice {"amount":3}'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'SE-05',
    title: 'a tool found by search is used three steps later',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [
      { calls: [{ toolCallId: 's', toolName: 'search_tools', input: { query: 'create invoice', limit: 1 } }] },
      { calls: [{ toolCallId: 'm1', toolName: 'send_mail', input: { to: 'ada' } }] },
      { calls: [{ toolCallId: 'm2', toolName: 'send_mail', input: { to: 'bob' } }] },
      { calls: [{ toolCallId: 'i', toolName: 'create_invoice', input: { amount: 7 } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Write to Ada and Bob, then bill 7.',
        expect: {
          ran: ['send_mail {"to":"ada"}', 'send_mail {"to":"bob"}', 'create_invoice {"amount":7}'],
          shown: [
            ['search_tools', 'send_mail'],
            ['search_tools', 'send_mail', 'create_invoice'],
            ['search_tools', 'send_mail', 'create_invoice'],
            ['search_tools', 'send_mail', 'create_invoice'],
            ['search_tools', 'send_mail', 'create_invoice'],
          ],
          answered: ['s', 'm1', 'm2', 'i'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'SE-06',
    title: 'a search that finds nothing is answered with words',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [
      { calls: [{ toolCallId: 's', toolName: 'search_tools', input: { query: 'xylophone' } }] },
      { text: 'There is none.' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Play the xylophone.',
        expect: {
          ran: [],
          answered: ['s'],
          shown: [
            ['search_tools', 'send_mail'],
            ['search_tools', 'send_mail'],
          ],
          text: 'There is none.',
        },
      },
    ],
  },
  {
    id: 'SE-07',
    title: 'a found tool stays in the next turn',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [
      { calls: [{ toolCallId: 's', toolName: 'search_tools', input: { query: 'create invoice', limit: 1 } }] },
      { text: 'Found it.' },
      { calls: [{ toolCallId: 'i', toolName: 'create_invoice', input: { amount: 1 } }] },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Can you bill?', expect: { ran: [], text: 'Found it.' } },
      {
        do: 'send',
        text: 'Then bill 1.',
        expect: {
          ran: ['create_invoice {"amount":1}'],
          shown: [
            ['search_tools', 'send_mail', 'create_invoice'],
            ['search_tools', 'send_mail', 'create_invoice'],
          ],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'SE-08',
    title: 'a found tool is still shown in another process',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [
      { calls: [{ toolCallId: 's', toolName: 'search_tools', input: { query: 'create invoice', limit: 1 } }] },
      { text: 'Found it.' },
      { calls: [{ toolCallId: 'i', toolName: 'create_invoice', input: { amount: 1 } }] },
      { text: 'done' },
    ],
    steps: [
      { do: 'send', text: 'Can you bill?', expect: { ran: [], text: 'Found it.' } },
      { do: 'restart' },
      {
        do: 'send',
        text: 'Then bill 1.',
        expect: { ran: ['create_invoice {"amount":1}'], results: { i: 'create_invoice done' }, text: 'done' },
      },
    ],
  },
  {
    id: 'SE-09',
    title: 'a call of a tool that was not shown does not run, and the tool is shown from then on',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [
      { calls: [{ toolCallId: 'h', toolName: 'create_invoice', input: { amount: 1 } }] },
      { calls: [{ toolCallId: 'i', toolName: 'create_invoice', input: { amount: 2 } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Bill 1.',
        expect: {
          ran: ['create_invoice {"amount":2}'],
          shown: [['search_tools', 'send_mail'], ['search_tools', 'send_mail', 'create_invoice'], null],
          answered: ['h', 'i'],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'SE-10',
    title: 'a call of a name that nobody knows is answered and the run goes on',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [
      { calls: [{ toolCallId: 'u', toolName: 'no_such_tool', input: {} }] },
      { calls: [{ toolCallId: 'm', toolName: 'send_mail', input: { to: 'ada' } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Write to Ada.',
        expect: { ran: ['send_mail {"to":"ada"}'], answered: ['u', 'm'], text: 'done' },
      },
    ],
  },
  {
    id: 'SE-11',
    title: 'a tool that a dynamic provider adds between two steps can be used',
    tools: [mail],
    gate: { dynamic: [[], [invoice]] },
    script: [
      { calls: [{ toolCallId: 'm', toolName: 'send_mail', input: { to: 'ada' } }] },
      { calls: [{ toolCallId: 'i', toolName: 'create_invoice', input: { amount: 5 } }] },
      { text: 'done' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Write to Ada and bill 5.',
        expect: {
          ran: ['send_mail {"to":"ada"}', 'create_invoice {"amount":5}'],
          shown: [['send_mail'], ['send_mail', 'create_invoice'], null],
          text: 'done',
        },
      },
    ],
  },
  {
    id: 'SE-12',
    title: 'a tool that a dynamic provider took away is answered, not run',
    tools: [mail],
    gate: { dynamic: [[invoice], []] },
    script: [
      { calls: [{ toolCallId: 'm', toolName: 'send_mail', input: { to: 'ada' } }] },
      { calls: [{ toolCallId: 'i', toolName: 'create_invoice', input: { amount: 5 } }] },
      { text: 'It is gone.' },
    ],
    steps: [
      {
        do: 'send',
        text: 'Write to Ada and bill 5.',
        expect: {
          ran: ['send_mail {"to":"ada"}'],
          shown: [['send_mail', 'create_invoice'], ['send_mail'], null],
          answered: ['m', 'i'],
          text: 'It is gone.',
        },
      },
    ],
  },
  {
    id: 'SE-13',
    title: 'a forced tool is shown, and forced for one call of the model only',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [{ calls: [{ toolCallId: 'i', toolName: 'create_invoice', input: { amount: 5 } }] }, { text: 'done' }],
    steps: [
      {
        do: 'send',
        text: 'Go.',
        toolChoice: { tool: 'create_invoice' },
        expect: { ran: ['create_invoice {"amount":5}'], forced: ['create_invoice', null], text: 'done' },
      },
    ],
  },
  {
    id: 'SE-14',
    title: 'a forced tool that is not there forces nothing',
    tools: four,
    gate: { scores: { send_mail: 0.9 } },
    script: [{ text: 'Hello!' }],
    steps: [
      {
        do: 'send',
        text: 'Go.',
        toolChoice: { tool: 'no_such_tool' },
        expect: { ran: [], forced: [null], shown: [['search_tools', 'send_mail']], text: 'Hello!' },
      },
    ],
  },
  {
    id: 'SE-15',
    title: 'always included tools are shown without being asked about',
    tools: four,
    gate: { scores: {}, alwaysInclude: ['list_orders'] },
    script: [{ text: 'Hello!' }],
    steps: [{ do: 'send', text: 'Hello.', expect: { shown: [['search_tools', 'list_orders']], text: 'Hello!' } }],
  },
];
