import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../catalog/catalogue-of.ts';
import { silentLogger } from '../core/logger.ts';
import type { Tool, ToolCallContext } from '../core/tool.ts';
import { compilePolicy } from './compile-policy.ts';
import type { PolicyInput } from './compile-policy.ts';
import { destructive, everything, riskJudge, unannotated } from './policies.ts';
import type { RiskModel } from './policies.ts';
import type { PolicyVerdict } from './types.ts';

const context: ToolCallContext = {
  key: '0.a',
  toolCallId: 'a',
  messages: [],
  attributes: {},
  signal: new AbortController().signal,
};

async function judge(
  policy: PolicyInput | undefined,
  options: Partial<Tool> = {},
  args: unknown = {},
): Promise<{ verdict: PolicyVerdict; failed: boolean }> {
  const tool: Tool = { name: 'delete_file', inputSchema: { type: 'object' }, execute: () => '', ...options };
  const registered = catalogueOf([tool]).tools[0];
  if (registered === undefined) throw new Error('No tool.');
  return compilePolicy(policy, silentLogger).judge(
    { key: '0.a', toolCallId: 'a', toolName: tool.name, arguments: args, tool: registered },
    context,
  );
}
const kind = async (...args: Parameters<typeof judge>): Promise<string> => {
  const { verdict } = await judge(...args);
  return verdict === 'allow' || verdict === 'confirm' ? verdict : 'deny' in verdict ? 'deny' : 'confirm';
};

describe('a table of rules', () => {
  it.each([
    [{ delete_file: true }, 'confirm'],
    [{ delete_file: false }, 'allow'],
    [{ delete_file: 'confirm' }, 'confirm'],
    [{ delete_file: { deny: 'no' } }, 'deny'],
    [{ 'delete_*': true }, 'confirm'],
    [{ '*_file': true }, 'confirm'],
    [{ '*ete*fi*': true }, 'confirm'],
    [{ '*': true }, 'confirm'],
    [{ 'delete_file*': true }, 'confirm'],
    [{ delete: true }, 'allow'],
    [{ 'Delete_*': true }, 'allow'],
    [{ 'delete_file_*': true }, 'allow'],
    [{ '*file*file': true }, 'allow'],
    [{ 'delete_f*_file': true }, 'allow'],
    [{ '*': false, 'delete_*': true }, 'confirm'],
    [{ '*': true, delete_file: false }, 'confirm'],
    [{ '*': true, delete_file: { deny: 'no' } }, 'deny'],
    [{}, 'allow'],
  ] as const)('%j says %s', async (rules, expected) => {
    expect(await kind(rules)).toBe(expected);
  });

  it('asks predicates with the arguments', async () => {
    const rules = { delete_file: (args: { readonly amount: number }) => args.amount > 100 };
    expect(await kind(rules, {}, { amount: 101 })).toBe('confirm');
    expect(await kind(rules, {}, { amount: 100 })).toBe('allow');
  });

  it('takes what predicates say as verdicts too, and nothing at all as confirm', async () => {
    expect(await kind({ delete_file: () => ({ deny: 'no' }) })).toBe('deny');
    expect(await kind({ delete_file: () => 'allow' }, { server: { name: 's', identity: 's' } })).toBe('allow');
    expect(await kind({ delete_file: (() => undefined) as never })).toBe('confirm');
    expect(await kind({ delete_file: { confirm: { approvals: 2 } } })).toBe('confirm');
    expect(await kind({ other: true, 'x*': true, '*x': true })).toBe('allow');
    expect(await kind({ 'delete_file*delete_file': true })).toBe('allow');
    expect(await kind({ '*e*e*': true })).toBe('confirm');
  });

  it('refuses rules that mean nothing', () => {
    for (const wrong of [null, 7, 'allowed', undefined, {}]) {
      expect(() => compilePolicy({ refund: wrong } as never, silentLogger)).toThrow(/"refund" must be/);
    }
    for (const wrong of [null, 'x'])
      expect(() => compilePolicy([wrong] as never, silentLogger)).toThrow(/Policy 1 is neither/);
    expect(() => compilePolicy([() => undefined, 7] as never, silentLogger)).toThrow(/Policy 2 is neither/);
    expect(() => compilePolicy({ refund: 'ask' } as never, silentLogger)).toThrow(/"refund" must be/);
    expect(() => compilePolicy(7 as never, silentLogger)).toThrow(/neither a function nor a table/);
  });
});

describe('several opinions', () => {
  it('lets the most restrictive count, whatever the order', async () => {
    const allow = (): 'allow' => 'allow';
    const deny = (): { deny: string } => ({ deny: 'no' });
    expect(await kind([allow, { delete_file: true }])).toBe('confirm');
    expect(await kind([{ delete_file: true }, allow])).toBe('confirm');
    expect(await kind([deny, allow, { delete_file: true }])).toBe('deny');
    expect(await kind([() => undefined, allow])).toBe('allow');
  });

  it('never waives the mark of a tool, and replaces the default only by a word', async () => {
    const foreign = { server: { name: 's', identity: 's' } };
    expect(await kind(() => 'allow', { requiresConfirmation: true })).toBe('confirm');
    expect(await kind({ delete_file: { deny: 'no' } }, { requiresConfirmation: true })).toBe('deny');
    expect(await kind(undefined, foreign)).toBe('confirm');
    expect(await kind(() => undefined, foreign)).toBe('confirm');
    expect(await kind({ delete_file: false }, foreign)).toBe('allow');
    expect(await kind(undefined, { requiresConfirmation: (args: { n: number }) => args.n > 1 }, { n: 2 })).toBe(
      'confirm',
    );
    expect(await kind(undefined, { requiresConfirmation: (args: { n: number }) => args.n > 1 }, { n: 1 })).toBe(
      'allow',
    );
  });

  it('counts a throw and nonsense as confirm', async () => {
    const broken = (): never => {
      throw new Error('away');
    };
    expect(await judge(broken)).toMatchObject({ failed: true, verdict: { confirm: { reason: 'The policy failed.' } } });
    expect(await judge([broken, () => ({ deny: 'no' })])).toEqual({ failed: true, verdict: { deny: 'no' } });
    expect(await kind((() => 'yes') as never)).toBe('confirm');
    expect(await kind((() => true) as never)).toBe('confirm');
  });

  it('joins what confirmations ask for into the strictest', async () => {
    const { verdict } = await judge([
      {
        delete_file: {
          confirm: { reason: 'a', editable: ['x', 'y'], approvals: 2, standingRules: true, acceptIn: 'client' },
        },
      },
      { delete_file: { confirm: { reason: 'b', editable: ['y', 'z'], approver: 'not-caller', standingRules: false } } },
    ]);
    expect(verdict).toEqual({
      confirm: { reason: 'a; b', editable: ['y'], approvals: 2, approver: 'not-caller', standingRules: false },
    });
  });
});

describe('the version', () => {
  const version = (policy?: PolicyInput): string => compilePolicy(policy, silentLogger).version;
  it('changes with the rules, their order, and what a policy says of itself', () => {
    const versions = [
      version(),
      version({ a: true }),
      version({ a: false }),
      version({ b: true }),
      version([{ a: true }, { b: true }]),
      version([{ b: true }, { a: true }]),
      version(Object.assign(() => undefined, { version: '1' })),
      version(Object.assign(() => undefined, { version: '2' })),
      version(destructive()),
      version(destructive({ deny: 'no' })),
    ];
    expect(new Set(versions).size).toBe(versions.length);
    expect(version({ a: true })).toBe(version({ a: true }));
  });
});

describe('ready-made policies', () => {
  const server = { name: 's', identity: 's', trust: 'annotations' as const };
  it('are about what their names say', async () => {
    expect(await kind(destructive(), { annotations: { destructiveHint: true } })).toBe('confirm');
    expect(await kind(destructive(), { server, annotations: { destructiveHint: false } })).toBe('allow');
    expect(await kind(destructive({ deny: 'no' }), { server, annotations: { destructiveHint: true } })).toBe('deny');
    expect(await kind(unannotated({ deny: 'no' }), { server })).toBe('deny');
    expect(await kind(unannotated({ deny: 'no' }), { server, annotations: { readOnlyHint: true } })).toBe('allow');
    expect(await kind(unannotated({ deny: 'no' }))).toBe('allow');
    expect(await kind(everything())).toBe('confirm');
  });

  const modelSaying = (answer: { type: string; probability?: number } | Error): RiskModel => ({
    provider: 'test',
    modelId: 'm',
    decide: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ answers: { q0: answer } })),
  });
  it.each([
    [{ type: 'yes-no', probability: 0.5 }, 'confirm'],
    [{ type: 'yes-no', probability: 0.49 }, 'allow'],
    [{ type: 'yes-no', probability: Number.NaN }, 'confirm'],
    [{ type: 'yes-no', probability: 7 }, 'confirm'],
    [{ type: 'refusal' }, 'confirm'],
    [new Error('away'), 'confirm'],
  ] as const)('a judge of risk that hears %j says %s, and never waives', async (answer, expected) => {
    const policy = riskJudge({ decisionModel: modelSaying(answer) });
    expect(await kind(policy)).toBe(expected);
    expect(await kind(policy, { requiresConfirmation: true })).toBe('confirm');
    expect(await kind([policy, { delete_file: { deny: 'no' } }])).toBe('deny');
  });
});
