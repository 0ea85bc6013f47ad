import { appendFileSync } from 'node:fs';
import { ToolCallConfirmationRequiredError } from '../../src/core/errors.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import { withFaultPoints } from '../../src/testing/fault-points.ts';
import { countingTool, replyOf } from '../confirm/tools.ts';
import { openStore } from './open-store.ts';

/**
 * Goes through full cycles until it is cut off. Arguments: the store, the journal, the fault point, and the number of the first
 * cycle. It tells its parent of each step that it was told itself, and dies by SIGKILL at the fault point.
 */
const [address = '', journal = '', point = '', name = ''] = process.argv.slice(2);

function die(): void {
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way; nothing more may happen.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
const reached = (at: string): void => {
  if (at === point) die();
};

const store = withFaultPoints(openStore(address), reached);
const tool = countingTool('pay', {
  requiresConfirmation: true,
  execute(args: { readonly id: string }, context) {
    reached('before:run');
    appendFileSync(journal, `${args.id} ${context.idempotencyKey}\n`);
    reached('during:run');
    return 'paid';
  },
});
const manager = new ToolCallingManager({ store, tools: [tool], leaseMs: 4_000 });
const conversation = { id: 'c', messages: [], tools: [tool], principal: { id: 'alice' } };
const reply = { ...replyOf(['a', 'pay', { id: name }]), id: name };

const error = await manager.executeToolCalls(conversation, reply).then(
  () => undefined,
  (thrown: unknown) => thrown,
);
if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
process.stdout.write(`paused ${error.pause?.id}\n`);
await manager.confirmations.decide(error.pause?.id ?? '', { '0.a': { type: 'approve' } }, { principal: { id: 'bob' } });
process.stdout.write('decided\n');
const run = manager.resume(error.pause?.id ?? '', {
  // The end of the run is a moment of its own, before the outcome is written.
  execute: async (args, context, registered) => {
    const result = await (registered.tool.execute(args as never, context) as Promise<unknown>);
    reached('after:run');
    return result;
  },
});
await run;
process.stdout.write('done\n');
await store.close();
