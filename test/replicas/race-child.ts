import { appendFileSync } from 'node:fs';
import { isToolgateError } from '../../src/core/errors.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import { countingTool, replyOf } from '../confirm/tools.ts';
import { openStore } from './open-store.ts';

/**
 * One of several processes that deliver the same replies and decisions to one store at the same time. Arguments: the store, the
 * journal, how many pauses, this process's number, how many processes. A store that is away is tried again.
 */
const [address = '', journal = '', pauses = '0', self = '0', processes = '1'] = process.argv.slice(2);

const store = openStore(address, { maxConnections: 3 });
const tool = countingTool('pay', {
  requiresConfirmation: true,
  execute(args: { readonly id: string }) {
    appendFileSync(journal, `${args.id}\n`);
    return 'paid';
  },
});
const manager = new ToolCallingManager({ store, tools: [tool], waitMs: 60_000, pollMs: 50 });
const conversation = { id: 'c', messages: [], tools: [tool], principal: { id: 'alice' } };

async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isToolgateError(error) || error.code !== 'store-failed' || attempt >= 60) throw error;
    }
  }
}

/** Three processes deliver each decision; the others leave it alone. */
async function deliver(index: number): Promise<void> {
  const turn = (Number(self) - index + Number(processes) * 1_000_000) % Number(processes);
  if (turn >= 3) return;
  const id = `r${index}`;
  const reply = { ...replyOf(['a', 'pay', { id }]), id };
  const thrown = await insist(() =>
    manager.executeToolCalls(conversation, reply).then(
      () => undefined,
      (error: unknown) => {
        if (isToolgateError(error) && error.code === 'confirmation-required') return error;
        throw error;
      },
    ),
  );
  const pauseId = (thrown?.data['pause'] as { readonly id?: string } | undefined)?.id;
  if (pauseId !== undefined) {
    await insist(() =>
      manager.confirmations.decide(pauseId, { '0.a': { type: 'approve' } }, { principal: { id: `bob${turn}` } }),
    );
  }
  const execution = await insist(() => manager.executeToolCalls(conversation, reply));
  if (execution.outcomes[0]?.status !== 'succeeded') throw new Error(`${id} ended as ${execution.outcomes[0]?.status}`);
}

let next = 0;
async function worker(): Promise<void> {
  while (next < Number(pauses)) {
    next += 1;
    await deliver(next - 1);
  }
}
await Promise.all(Array.from({ length: 3 }, worker));
await store.close();
