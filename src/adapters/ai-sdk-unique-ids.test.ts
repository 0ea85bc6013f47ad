import { describe, expect, it } from 'vitest';
import { uniqueCallIds } from './ai-sdk-unique-ids.ts';

const call = (toolCallId: string) => ({ type: 'tool-call', toolCallId });

describe('uniqueCallIds', () => {
  it('renames the second call of one id and calls without one, and nothing else of the model', async () => {
    const model = uniqueCallIds({
      modelId: 'm',
      doGenerate: async () => ({ content: [{ type: 'text' }, call('x'), call('x'), call('')], usage: 1 }),
    });
    expect(model.modelId).toBe('m');
    expect(await model.doGenerate()).toEqual({
      content: [{ type: 'text' }, call('x'), call('x-2'), call('call-1')],
      usage: 1,
    });
    const again = await model.doGenerate();
    expect(again.content[1]).toEqual(call('x'));
  });

  it('renames what streams in of a call together with the call', async () => {
    const parts = [
      { type: 'tool-input-start', id: 'x' },
      call('x'),
      { type: 'tool-input-start', id: 'x' },
      { type: 'tool-input-delta', id: 'x' },
      call('x'),
      { type: 'finish' },
    ];
    const model = uniqueCallIds({
      doStream: async () => ({
        stream: new ReadableStream<object>({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      }),
    });
    const seen: object[] = [];
    const { stream } = await model.doStream();
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) seen.push(next.value);
    expect(seen).toEqual([
      { type: 'tool-input-start', id: 'x' },
      call('x'),
      { type: 'tool-input-start', id: 'x-2' },
      { type: 'tool-input-delta', id: 'x-2' },
      call('x-2'),
      { type: 'finish' },
    ]);
  });
});
