// The process that holds the workflow: it asks toolgate to run a call, sleeps in DBOS while a person decides, is woken by a signed
// webhook, and goes on. It may be killed anywhere and started again. main.ts starts it: `node worker.ts <database> [hang-after-resume]`.
import type { AddressInfo } from 'node:net';
// @ts-ignore: the types are there once this folder's packages are installed, and the rest of the repository does not need them.
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
// In a project of yours: from 'toolgate' and 'toolgate/postgres'.
import { ToolCallConfirmationRequiredError, ToolCallingManager, tool } from '../../dist/index.js';
import type { ToolExecution } from '../../dist/index.js';
import { postgresStore } from '../../dist/stores/postgres/index.js';
import { webhookEndpoint } from './webhook-endpoint.ts';

const [database = '', hangAfterResume] = process.argv.slice(2);
const secret = process.env['WEBHOOK_SECRET'] ?? '';
const topic = 'toolgate';
const week = 7 * 24 * 60 * 60;

const pool = new pg.Pool({ connectionString: database });
const pay = tool({
  name: 'pay',
  description: 'Pays a bill',
  input: {
    type: 'object',
    properties: { order: { type: 'string' }, eur: { type: 'number' } },
    required: ['order', 'eur'],
  },
  requiresConfirmation: true,
  execute: async ({ order, eur }: { order: string; eur: number }) => {
    // No key keeps a second row out: a call that ran twice would show.
    await pool.query('insert into payments (order_id, eur) values ($1, $2)', [order, eur]);
    return `paid ${eur}`;
  },
});
const manager = new ToolCallingManager({
  store: postgresStore({ connectionString: database }),
  tools: [pay],
  outbox: true,
});

type Progress = { readonly pause: string } | { readonly answer: string };

/** What a step records: the pause that somebody has to decide about, or what came of the call. */
async function progress(run: () => Promise<ToolExecution>): Promise<Progress> {
  try {
    const { outcomes } = await run();
    return { answer: outcomes[0]?.result.content[0]?.text ?? '' };
  } catch (error) {
    if (error instanceof ToolCallConfirmationRequiredError && error.pause?.id !== undefined)
      return { pause: error.pause.id };
    throw error;
  }
}

/** DBOS repeats a step whose end it did not see. Toolgate knows the reply by conversation and id, so its call still runs once. */
async function payOrder(order: string): Promise<string> {
  const reply = {
    role: 'assistant' as const,
    id: 'reply-1',
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'pay', input: { order, eur: 40 } }],
  };
  const ask = (): Promise<ToolExecution> => manager.executeToolCalls({ id: order, messages: [], tools: [pay] }, reply);
  let now: Progress = await DBOS.runStep(() => progress(ask), { name: 'ask' });
  while ('pause' in now) {
    const { pause } = now;
    // A message is only a hint to look: what was decided stands in the store. Without one, a look after a week finds the call expired.
    await DBOS.recv(topic, { timeoutSeconds: week });
    now = await DBOS.runStep(() => resume(pause), { name: 'resume' });
  }
  return now.answer;
}

async function resume(pause: string): Promise<Progress> {
  const after = await progress(() => manager.resume(pause));
  if (hangAfterResume !== undefined && 'answer' in after) {
    // The worst moment to be killed: the tool has run, and DBOS has not written down that this step ended.
    process.send?.('resumed');
    await new Promise(() => {});
  }
  return after;
}

DBOS.setConfig({
  name: 'orders',
  systemDatabaseUrl: database,
  systemDatabasePool: pool,
  applicationVersion: '1',
  executorID: 'orders-1',
  logLevel: 'error',
});
const workflow = DBOS.registerWorkflow(payOrder, { name: 'payOrder' });
await DBOS.launch();
// The id makes it one workflow, however often this process starts; `launch` has taken up what an earlier process left.
await DBOS.startWorkflow(workflow, { workflowID: 'order-17' })('order-17');

const endpoint = webhookEndpoint(secret, async ({ id, type, data }) => {
  // The conversation carries the workflow's id. The message's own id makes a second delivery the same message for DBOS too.
  if (type === 'call.changed' && data.from === 'awaiting') await DBOS.send(data.conversation, data, topic, id);
});
endpoint.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`);
});
// Whoever started this process is gone.
process.once('disconnect', () => process.exit());
