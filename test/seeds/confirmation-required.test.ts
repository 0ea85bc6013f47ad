import { describe, expect, it } from 'vitest';
import {
  ToolCallConfirmationRequiredError,
  ToolCallDecisions,
  ToolCallingManager,
  ToolgateError,
  isToolgateError,
  memoryStore,
  resultText,
  tool,
} from '../../src/index.ts';
import type { Reply } from '../../src/index.ts';

function desk() {
  const runs: string[] = [];
  const make = (name: string, marked: boolean) =>
    tool({
      name,
      input: { type: 'object', properties: { id: { type: 'number' } } },
      requiresConfirmation: marked,
      execute: ({ id }: { id: number }) => {
        runs.push(`${name} ${id}`);
        return `${name} ${id} done`;
      },
    });
  const conversation = {
    messages: [{ role: 'user', content: 'go' }],
    tools: [make('look', false), make('pay', true), make('refund', false)],
  };
  return { runs, conversation };
}

function reply(...calls: readonly (readonly [toolName: string, id: number])[]): Reply {
  return {
    role: 'assistant',
    content: calls.map(([toolName, id], index) => ({
      type: 'tool-call',
      toolCallId: `c${index}`,
      toolName,
      input: { id },
    })),
  };
}

async function thrownBy(run: () => Promise<unknown>): Promise<ToolCallConfirmationRequiredError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ToolCallConfirmationRequiredError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('ToolCallConfirmationRequiredError, as its description promises', () => {
  it('[confirmation.thrown] [confirmation.none-ran] is thrown when a call needs a confirmation and no decisions were given; nothing of the batch ran', async () => {
    const { runs, conversation } = desk();
    const manager = new ToolCallingManager();
    const error = await thrownBy(() =>
      manager.executeToolCalls(conversation, reply(['look', 1], ['pay', 2], ['look', 3])),
    );
    expect(error.toolCallIds).toEqual(['1.c1']);
    expect(runs).toEqual([]);
    await manager.executeToolCalls(conversation, reply(['look', 4]));
    expect(runs).toEqual(['look 4']);
  });

  it('[confirmation.policy] asks a policy which calls need one', async () => {
    const { runs, conversation } = desk();
    const manager = new ToolCallingManager({ policy: { refund: (args: { id: number }) => args.id > 100 } });
    await manager.executeToolCalls(conversation, reply(['refund', 5]));
    const error = await thrownBy(() => manager.executeToolCalls(conversation, reply(['refund', 500])));
    expect(error.toolCallIds).toEqual(['0.c0']);
    expect(runs).toEqual(['refund 5']);
  });

  it('[confirmation.order] [confirmation.keys] lists the keys in the order the model asked, as toolCallKeys gives them', async () => {
    const { conversation } = desk();
    const asked = reply(['pay', 3], ['look', 1], ['pay', 1], ['pay', 2]);
    const error = await thrownBy(() => new ToolCallingManager().executeToolCalls(conversation, asked));
    expect(error.toolCallIds).toEqual(['0.c0', '2.c2', '3.c3']);
    expect(ToolCallDecisions.toolCallKeys(asked)).toEqual(['0.c0', '1.c1', '2.c2', '3.c3']);
  });

  it.each([
    ['without a store', () => new ToolCallingManager()],
    ['with a store', () => new ToolCallingManager({ store: memoryStore() })],
  ])('[confirmation.run] lets the caller collect decisions and run the reply with them, %s', async (_name, make) => {
    const { runs, conversation } = desk();
    const manager = make();
    const asked = reply(['pay', 1], ['look', 2], ['pay', 3]);
    const own = { ...conversation, id: 'c' };
    const error = await thrownBy(() => manager.executeToolCalls(own, asked));
    const decisions = ToolCallDecisions.of(
      { '0.c0': { type: 'approve' }, '2.c2': { type: 'deny', message: 'too much' } },
      { by: { principal: { id: 'ann' } }, ...(error.pause?.id === undefined ? {} : { pauseId: error.pause.id }) },
    );
    const execution = await manager.executeToolCalls(own, asked, decisions);
    expect(execution.outcomes.map(({ key, status }) => [key, status])).toEqual([
      ['0.c0', 'succeeded'],
      ['1.c1', 'succeeded'],
      ['2.c2', 'denied'],
    ]);
    expect(resultText(execution.outcomes[2]?.result ?? { content: [] })).toContain('too much');
    expect(runs.toSorted()).toEqual(['look 2', 'pay 1']);
    expect(execution.messages.map(({ role, content }) => [role, content.length])).toEqual([['tool', 3]]);
  });

  it('[confirmation.constructor] is created for the keys that wait', () => {
    const error = new ToolCallConfirmationRequiredError(['0.a', '2.b']);
    expect(error).toBeInstanceOf(ToolgateError);
    expect(error.code).toBe('confirmation-required');
    expect(error.toolCallIds).toEqual(['0.a', '2.b']);
    expect(error.message).toContain('0.a, 2.b');
  });

  it('[confirmation.serialized] survives JSON and structuredClone', () => {
    const error = new ToolCallConfirmationRequiredError(['0.a'], { id: 'pause_1', expiresAt: 5 });
    for (const carried of [JSON.parse(JSON.stringify(error)) as unknown, structuredClone(error.toJSON()) as unknown]) {
      const back = ToolgateError.fromJSON(carried);
      expect(back).toBeInstanceOf(ToolCallConfirmationRequiredError);
      expect(isToolgateError(back)).toBe(true);
      expect((back as ToolCallConfirmationRequiredError).toolCallIds).toEqual(['0.a']);
      expect((back as ToolCallConfirmationRequiredError).pause).toEqual({ id: 'pause_1', expiresAt: 5 });
    }
  });
});
