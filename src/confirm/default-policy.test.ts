import { describe, expect, it } from 'vitest';
import type { Tool, ToolAnnotations } from '../core/tool.ts';
import { defaultVerdict, isDestructive, isIdempotent, isUnannotated } from './default-policy.ts';

const tool = (from: 'own' | 'stranger' | 'trusted', annotations?: ToolAnnotations): Tool => ({
  name: 't',
  inputSchema: { type: 'object' },
  execute: () => '',
  ...(annotations === undefined ? {} : { annotations }),
  ...(from === 'own'
    ? {}
    : { server: { name: 's', identity: 's', ...(from === 'trusted' ? { trust: 'annotations' as const } : {}) } }),
});

describe('who is believed', () => {
  it.each([
    // from, hints, waits by default, unannotated, destructive, idempotent
    ['own', undefined, false, false, false, false],
    ['own', {}, false, false, false, false],
    ['own', { destructiveHint: true }, false, false, true, false],
    ['own', { destructiveHint: false }, false, false, false, false],
    ['own', { destructiveHint: true, readOnlyHint: true }, false, false, false, true],
    ['own', { idempotentHint: true }, false, false, false, true],
    ['own', { readOnlyHint: true }, false, false, false, true],
    ['own', { idempotentHint: false }, false, false, false, false],
    ['stranger', undefined, true, true, true, false],
    ['stranger', { readOnlyHint: true }, true, true, true, false],
    ['stranger', { destructiveHint: false }, true, true, true, false],
    ['stranger', { destructiveHint: true }, true, false, true, false],
    ['stranger', { idempotentHint: true }, true, true, true, false],
    ['trusted', undefined, true, true, true, false],
    ['trusted', { title: 'x' }, true, true, true, false],
    ['trusted', { readOnlyHint: true }, false, false, false, true],
    ['trusted', { readOnlyHint: false }, true, false, true, false],
    ['trusted', { destructiveHint: false }, false, false, false, false],
    ['trusted', { destructiveHint: true }, true, false, true, false],
    ['trusted', { destructiveHint: true, readOnlyHint: true }, true, false, true, true],
    ['trusted', { destructiveHint: false, idempotentHint: true }, false, false, false, true],
  ] as const)('%s with %j', (from, hints, waits, unannotated, destructive, idempotent) => {
    const given = tool(from, hints);
    expect([
      defaultVerdict(given) !== 'allow',
      isUnannotated(given),
      isDestructive(given),
      isIdempotent(given),
    ]).toEqual([waits, unannotated, destructive, idempotent]);
  });

  it('says why', () => {
    expect(defaultVerdict(tool('stranger'))).toEqual({
      confirm: { reason: 's does not say what this tool may change.' },
    });
    expect(defaultVerdict(tool('stranger', { readOnlyHint: true }))).toEqual({
      confirm: {
        reason:
          's says that this tool only reads; its word is not believed until the configuration says "trust": "annotations".',
      },
    });
    expect(defaultVerdict(tool('stranger', { readOnlyHint: false, destructiveHint: false }))).toEqual({
      confirm: {
        reason:
          's says that this tool destroys nothing; its word is not believed until the configuration says "trust": "annotations".',
      },
    });
    expect(defaultVerdict(tool('trusted', { title: 'x' }))).toEqual({
      confirm: { reason: 's does not say what this tool may change.' },
    });
    expect(defaultVerdict(tool('trusted', { destructiveHint: true }))).toEqual({
      confirm: { reason: 'This tool may destroy or overwrite.' },
    });
  });
});
