import { expect, it } from 'vitest';
import { countingTool } from '../../test/confirm/tools.ts';
import { testPolicy } from './test-policy.ts';

it('says what would have been asked, run and denied, and runs nothing', async () => {
  const refund = countingTool('refund', {
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  });
  const wipe = countingTool('wipe');
  const results = await testPolicy(
    { refund: (args: { amount: number }) => args.amount > 100, wipe: { deny: 'never' } },
    [refund, wipe],
    [
      { toolName: 'refund', input: { amount: 100 } },
      { toolName: 'refund', input: '{"amount":101}' },
      { toolName: 'refund', input: {} },
      { toolName: 'wipe' },
      { toolName: 'absent' },
    ],
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(['run', 'ask', 'invalid', 'denied', 'unknown-tool']);
  expect(results[3]?.reason).toContain('never');
  expect([refund.runs.length, wipe.runs.length]).toEqual([0, 0]);
});
