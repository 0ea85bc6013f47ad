// Checked by `tsc`: what the adapter keeps of the tools' types, and what must not compile.
import { generateText, streamText, tool } from 'ai';
import type { LanguageModel } from 'ai';
import { generateText as generateText6, streamText as streamText6, tool as tool6 } from 'ai6';
import type { LanguageModel as LanguageModel6 } from 'ai6';
import { memoryStore } from 'toolgate';
import { aiSdk } from 'toolgate/ai-sdk';
import { z } from 'zod';

declare const model: LanguageModel;
declare const model6: LanguageModel6;

export async function version7(): Promise<void> {
  const refund = tool({
    description: 'Pays money back.',
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    execute: async ({ amount }) => ({ paid: amount }),
  });
  const g = aiSdk({ tools: { refund }, store: memoryStore() });
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const result = await generateText({ model, ...g.forTurn({ conversation: 'c', system: 'Be kind.', messages }) });
  for (const call of result.toolCalls) {
    if (call.dynamic === true) continue;
    const name: 'refund' = call.toolName;
    const to: string = call.input.to;
    // @ts-expect-error: an amount is a number
    const wrong: string = call.input.amount;
    void [name, to, wrong];
  }
  for (const part of result.toolResults) {
    if (part.dynamic === true) continue;
    const paid: number = part.output.paid;
    void paid;
  }
  streamText({ model, tools: g.tools, prepareStep: g.prepareStep, prompt: 'Hello' });
  // @ts-expect-error: tools are needed
  aiSdk({ store: memoryStore() });
  // @ts-expect-error: a prefix would rename the SDK's tools
  aiSdk({ tools: { refund }, store: memoryStore(), prefix: 'always' });
}

export async function version6(): Promise<void> {
  const refund = tool6({
    description: 'Pays money back.',
    inputSchema: z.object({ to: z.string() }),
    execute: async ({ to }) => to.length,
  });
  const g = aiSdk({ tools: { refund }, store: memoryStore() });
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const result = await generateText6({ model: model6, ...g.forTurn({ conversation: 'c', messages }) });
  for (const part of result.toolResults) {
    if (part.dynamic === true) continue;
    const length: number = part.output;
    void length;
  }
  streamText6({ model: model6, tools: g.tools, prepareStep: g.prepareStep, prompt: 'Hello' });
}
