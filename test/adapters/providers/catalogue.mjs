// A hundred tools as applications have them: ten areas with ten actions each, two to seven arguments with descriptions, choices and
// nested objects; about 1,300 bytes each on the wire.
import { z } from 'zod';

const areas = [
  ['customer', 'a customer of the shop, with addresses, consents and notes'],
  ['order', 'an order, from the basket to the delivery'],
  ['invoice', 'an invoice with its positions, payments and reminders'],
  ['ticket', 'a ticket of the support desk with its thread of messages'],
  ['calendar_event', 'an event in a calendar, alone or in a series'],
  ['document', 'a document in the shared drive, with versions and comments'],
  ['repository', 'a repository with branches, issues and reviews'],
  ['shipment', 'a shipment with its parcels and their track'],
  ['campaign', 'a campaign with its audience, texts and figures'],
  ['subscription', 'a subscription with its plan, its seats and its period'],
];

const id = z
  .string()
  .describe('The id as a search or a list gave it, for example "rec_8f2k1". Never a name or a number in a list.');
const note = z
  .string()
  .max(2000)
  .optional()
  .describe('Why this is done, in one sentence. It is kept in the log and shown to colleagues.');
const fields = z
  .array(z.string())
  .optional()
  .describe(
    'Names of the fields to give back. Without it the usual ones are given: id, title, state, owner and last change.',
  );
const page = {
  limit: z.number().int().min(1).max(200).optional().describe('How many at most; 25 when it is left out.'),
  cursor: z.string().optional().describe('Where the page before ended, as it was given with that page.'),
};
const period = z
  .object({
    from: z.string().optional().describe('First day, as YYYY-MM-DD, in the time zone of the account.'),
    to: z.string().optional().describe('Last day, inclusive, as YYYY-MM-DD.'),
  })
  .optional()
  .describe('Only what changed in this period.');
const state = z.enum(['draft', 'open', 'waiting', 'done', 'archived']);

const actions = [
  [
    'search',
    'Searches by words for',
    {
      query: z.string().describe('Words, or "field:value" pairs joined by AND and OR.'),
      state: state.optional(),
      period,
      ...page,
    },
  ],
  [
    'list',
    'Lists, newest first,',
    {
      owner: z.string().optional().describe('Login name of whose they are.'),
      state: state.optional(),
      fields,
      ...page,
    },
  ],
  ['get', 'Gives everything about', { id, fields }],
  [
    'create',
    'Creates',
    {
      title: z.string().min(1).max(200),
      owner: z.string().optional(),
      labels: z.array(z.string()).max(20).optional(),
      details: z.record(z.string(), z.string()).optional(),
      note,
    },
  ],
  [
    'update',
    'Changes single fields of',
    {
      id,
      title: z.string().optional(),
      state: state.optional(),
      owner: z.string().optional(),
      details: z.record(z.string(), z.string()).optional(),
      note,
    },
  ],
  [
    'archive',
    'Takes out of all lists, without deleting it,',
    { id, until: z.string().optional().describe('Day on which it comes back, as YYYY-MM-DD.'), note },
  ],
  [
    'comment_on',
    'Writes a comment that all who follow will read at',
    {
      id,
      text: z.string().describe('The comment, in Markdown.'),
      mentions: z.array(z.string()).optional(),
      isInternal: z.boolean().optional(),
    },
  ],
  [
    'assign',
    'Gives to somebody else the care for',
    { id, owner: z.string().describe('Login name of who takes it over.'), due: z.string().optional(), note },
  ],
  [
    'export',
    'Writes into a file, which is sent by mail,',
    {
      format: z.enum(['csv', 'xlsx', 'json', 'pdf']),
      period,
      fields,
      recipient: z.string().describe('Where the file is sent to.'),
    },
  ],
  ['history_of', 'Gives who changed what and when at', { id, period, ...page }],
];

/** `{ name, description, schema }`, a hundred times. */
export const catalogue = areas.flatMap(([area, what]) =>
  actions.map(([action, does, shape]) => ({
    name: `${action}_${area}`,
    description:
      `${does} ${what}. Use it when the user asks for exactly this; for several records call it once for each. ` +
      `It answers with the record as it then is, or says in words what was wrong with the arguments.`,
    schema: z.object(shape),
  })),
);

/** The ten that the scripted model calls, with arguments that fit. */
export const calledTools = catalogue
  .filter(({ name }) => name.startsWith('get_'))
  .map(({ name }) => ({ name, input: { id: 'rec_8f2k1', fields: ['title', 'state'] } }));

export const answerOfTool = 'The record rec_8f2k1, "Renewal of the frame contract", is open; its owner is ada.';
export const question = 'What is the state of everything that belongs to the record rec_8f2k1?';
export const lastText = 'Everything is open.';
