import { describe, expect, it } from 'vitest';
import { tellNotes } from './mastra-notes.ts';

function told(result: unknown, providerMetadata?: unknown, state = 'result'): unknown[] {
  const updated: unknown[] = [];
  const toolInvocation = { state, toolCallId: 'a', toolName: 'pay', args: {}, result };
  const parts = [
    { type: 'text', text: 'x' },
    { type: 'tool-invocation', toolInvocation, providerMetadata },
  ];
  tellNotes(
    [
      { role: 'user', content: 'Pay.' },
      { role: 'assistant', content: { parts } },
    ],
    { updateToolInvocation: (part: unknown) => updated.push(part) },
    () => 'Changed.',
  );
  return updated;
}

describe('tellNotes', () => {
  it('puts the note in front of a text, and beside anything else', () => {
    expect(told('paid')).toMatchObject([{ toolInvocation: { result: 'Changed.\npaid' } }]);
    expect(told({ paid: 1 })).toMatchObject([
      { toolInvocation: { result: { note: 'Changed.', result: { paid: 1 } } } },
    ]);
    expect(told('paid', undefined, 'call')).toEqual([]);
  });

  it('adds it to what a tool has the model read in place of the result', () => {
    const outputs = [
      { type: 'text', value: 'ok' },
      { type: 'content', value: [{ type: 'text', text: 'ok' }] },
      { type: 'json', value: { ok: true } },
    ];
    const read = outputs.map((modelOutput) => {
      const [part] = told('paid', { other: 1, mastra: { kept: 2, modelOutput } });
      return (part as { providerMetadata: { mastra: unknown } }).providerMetadata;
    });
    expect(read).toEqual([
      { other: 1, mastra: { kept: 2, modelOutput: { type: 'text', value: 'Changed.\nok' } } },
      {
        other: 1,
        mastra: {
          kept: 2,
          modelOutput: {
            type: 'content',
            value: [
              { type: 'text', text: 'Changed.' },
              { type: 'text', text: 'ok' },
            ],
          },
        },
      },
      {
        other: 1,
        mastra: { kept: 2, modelOutput: { type: 'json', value: { note: 'Changed.', result: { ok: true } } } },
      },
    ]);
  });
});
