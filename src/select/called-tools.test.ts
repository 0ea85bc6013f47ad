import { describe, expect, it } from 'vitest';
import { calledToolNames } from './called-tools.ts';

describe('calledToolNames', () => {
  it('reads calls and results of any message, and nothing else', () => {
    const names = calledToolNames([
      { role: 'user', content: 'use get_weather' },
      { role: 'user', content: [{ type: 'text', text: 'x', toolName: 'in_a_text' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolName: 'called', input: {} },
          { type: 'tool-call', toolName: 'called' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool-call', toolName: 'by_the_provider', providerExecuted: true }] },
      { role: 'tool', content: [{ type: 'tool-result', toolName: 'only_a_result', output: 'y' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolName: '' },
          { type: 'tool-call' },
          { type: 'tool-call', toolName: 7 as never },
        ],
      },
    ]);
    expect([...names]).toEqual(['called', 'by_the_provider', 'only_a_result']);
  });
});
