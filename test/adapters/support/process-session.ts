import type { ConfirmationStore } from 'toolgate';
import type { AdapterDriver, AdapterSession } from 'toolgate/testing';

/** A session of a driver with one gated tool, the same in every process; `ran` notes each run of it. */
export async function sessionOf(
  framework: string,
  store: ConfirmationStore,
  ran: string[],
  state?: string,
): Promise<AdapterSession> {
  const drivers: Record<string, () => Promise<AdapterDriver>> = {
    langchain: async () => (await import('../drivers/langchain.ts')).langchainDriver(),
    mastra: async () => (await import('../drivers/mastra.ts')).mastraDriver(),
  };
  const driver = await drivers[framework]?.();
  if (driver === undefined) throw new Error(`No driver ${framework}.`);
  const call = { toolCallId: 'r', toolName: 'refund', input: { to: 'ada' } };
  const inputSchema = { type: 'object', properties: { to: { type: 'string' } } };
  return await driver.open({
    tools: [
      {
        name: 'refund',
        description: 'Pays money back.',
        inputSchema,
        execute: (args: { readonly to: string }) => {
          ran.push(args.to);
          return `paid ${args.to}`;
        },
      },
    ],
    // The default clock is the real one.
    options: { store, selection: false, confirm: { policy: { refund: true }, waitMs: 10_000, pollMs: 20 } } as never,
    script: state === undefined ? [{ calls: [call] }] : [{ text: 'done' }],
    conversation: 'c',
    principal: { id: 'caller' },
    streaming: false,
    ...(state === undefined ? {} : { state }),
  });
}
