// A durable workflow waits for a decision; the outbox wakes it with a signed webhook. The engine here is a map of promises; the three
// lines that Temporal, DBOS and Inngest want in its place stand in `wake`. Nothing outside this process is needed.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  deliverWebhooks,
  memoryStore,
  signWebhook,
  ToolCallConfirmationRequiredError,
  ToolCallingManager,
  tool,
} from 'toolgate';

const secret = 'shared with the receiver, 24 bytes or more';
const sleeping = new Map<string, (pause: string) => void>();

/** Wakes whatever holds the conversation. A message may come twice, so waking must be harmless to repeat. */
function wake(conversation: string, pause: string): void {
  // Temporal:  await client.workflow.getHandle(conversation).signal('toolgate', { pause });
  // DBOS:      await DBOS.send(conversation, { pause }, 'toolgate', messageId);
  // Inngest:   await inngest.send({ id: messageId, name: 'toolgate/settled', data: { conversation, pause } });
  sleeping.get(conversation)?.(pause);
  sleeping.delete(conversation);
}

const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    const expected = signWebhook(new TextEncoder().encode(secret), String(id), Number(timestamp), body);
    if (signature !== expected) {
      response.writeHead(401).end();
      return;
    }
    const message = JSON.parse(body) as { type: string; data: { conversation: string; pause: string; to?: string } };
    if (message.type === 'call.changed' && message.data.to === 'approved')
      wake(message.data.conversation, message.data.pause);
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

const runs: number[] = [];
const pay = tool({
  name: 'pay',
  description: 'Pays a bill',
  input: { type: 'object', properties: { eur: { type: 'number' } }, required: ['eur'] },
  requiresConfirmation: true,
  execute: ({ eur }: { eur: number }) => {
    runs.push(eur);
    return `paid ${eur}`;
  },
});
const store = memoryStore();
const manager = new ToolCallingManager({ store, tools: [pay], outbox: true });

/** The workflow: asks, sleeps without holding anything, and goes on when it is woken. */
async function workflow(conversation: string): Promise<string | undefined> {
  const reply = {
    role: 'assistant' as const,
    id: 'reply-1',
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'pay', input: { eur: 40 } }],
  };
  try {
    await manager.executeToolCalls({ id: conversation, messages: [], tools: [pay] }, reply);
  } catch (error) {
    if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
  }
  const pause = await new Promise<string>((resolve) => sleeping.set(conversation, resolve));
  const { outcomes } = await manager.resume(pause);
  return outcomes[0]?.result.content[0]?.text;
}

const done = workflow('order-17');
let waiting = await manager.confirmations.list({ callStates: ['awaiting'] });
while (waiting.items.length === 0) waiting = await manager.confirmations.list({ callStates: ['awaiting'] });
const [pause] = waiting.items;
assert.ok(pause);
await manager.confirmations.decide(pause.id, { '0.call-1': { type: 'approve' } }, { principal: { id: 'ann' } });
const report = await deliverWebhooks(store, { url, secret });
assert.deepEqual(report, { delivered: 2, failed: 0, givenUp: 0 });
assert.equal(await done, 'paid 40');
assert.deepEqual(runs, [40]);
receiver.close();
console.log('The workflow was woken by a signed message and paid once.');
