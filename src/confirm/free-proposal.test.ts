import { describe, expect, it } from 'vitest';
import type { Tool } from '../core/tool.ts';
import { tool } from '../schema/define-tool.ts';
import { memoryStore } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { ToolCallingManager } from './manager.ts';

function setUp(withStore: boolean) {
  const clock = manualClock();
  const ran: unknown[] = [];
  let asked = 0;
  const pay = tool({
    name: 'pay',
    input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    execute: (args) => {
      ran.push(args);
      return 'paid';
    },
  });
  const manager = new ToolCallingManager({
    ...(withStore ? { store: memoryStore() } : {}),
    clock,
    policy: () => {
      asked += 1;
      return 'allow';
    },
  });
  const conversation = { id: 'c', messages: [], tools: [pay], principal: { id: 'ada' } };
  const call = (to: string) => ({ toolCallId: 'x', toolName: 'pay', input: { to } });
  return { clock, ran, manager, conversation, call, asked: () => asked };
}

describe('a call that was proposed and runs a moment later', () => {
  for (const withStore of [true, false]) {
    const where = withStore ? 'with a store' : 'without';

    it(`is checked once, ${where}`, async () => {
      const { manager, conversation, call, ran, asked } = setUp(withStore);
      const proposal = await manager.propose(call('bob'), { conversation });
      expect(proposal).toEqual({ waits: false });
      const outcome = await manager.executeToolCall(call('bob'), { conversation, proposal });
      expect([outcome.status, asked(), ran]).toEqual(['succeeded', 1, [{ to: 'bob' }]]);
    });

    it(`is checked anew when it runs again, ${where}`, async () => {
      const { manager, conversation, call, asked } = setUp(withStore);
      const proposal = await manager.propose(call('bob'), { conversation });
      await manager.executeToolCall(call('bob'), { conversation, proposal });
      await manager.executeToolCall(call('bob'), { conversation, proposal });
      expect(asked()).toBe(2);
    });

    it(`is checked anew with other arguments, elsewhere, for another principal, by another manager, or later, ${where}`, async () => {
      const { manager, conversation, call, ran, asked, clock } = setUp(withStore);
      const other = setUp(withStore);
      const propose = async () => await manager.propose(call('bob'), { conversation });
      await manager.executeToolCall(call('eve'), { conversation, proposal: await propose() });
      expect([asked(), ran]).toEqual([2, [{ to: 'eve' }]]);
      await manager.executeToolCall(call('bob'), {
        conversation: { ...conversation, id: 'd' },
        proposal: await propose(),
      });
      expect(asked()).toBe(4);
      const principal = { id: 'eve' };
      await manager.executeToolCall(call('bob'), {
        conversation: { ...conversation, principal },
        proposal: await propose(),
      });
      expect(asked()).toBe(6);
      await other.manager.executeToolCall(call('bob'), { conversation, proposal: await propose() });
      expect(other.asked()).toBe(1);
      const late = await propose();
      clock.advance(5_001);
      await manager.executeToolCall(call('bob'), { conversation, proposal: late });
      expect(asked()).toBe(9);
    });
  }

  it('is checked anew when the proposal is a copy, or no proposal', async () => {
    const { manager, conversation, call, asked } = setUp(true);
    const proposal = await manager.propose(call('bob'), { conversation });
    await manager.executeToolCall(call('bob'), { conversation, proposal: { ...proposal } });
    await manager.executeToolCall(call('bob'), { conversation, proposal: 'yes' as never });
    expect(asked()).toBe(3);
  });

  it('never runs on the word of a proposal that waited', async () => {
    const { conversation, call } = setUp(true);
    const manager = new ToolCallingManager({ store: memoryStore(), policy: { pay: true } });
    const proposal = await manager.propose(call('bob'), { conversation });
    expect(proposal.waits).toBe(true);
    await expect(manager.executeToolCall(call('bob'), { conversation, proposal })).rejects.toThrow(
      /waits for a decision/,
    );
  });

  for (const withStore of [true, false]) {
    const where = withStore ? 'with a store' : 'without';

    it(`runs with the arguments that were checked, although its owner changed them since, ${where}`, async () => {
      const { manager, conversation, call, ran } = setUp(withStore);
      const proposed = call('bob');
      const proposal = await manager.propose(proposed, { conversation });
      proposed.input.to = 'eve';
      await manager.executeToolCall(call('bob'), { conversation, proposal });
      expect(ran).toEqual([{ to: 'bob' }]);
      // Of a parser that gives what it was given.
      const pay = conversation.tools[0] as Tool;
      const own = {
        ...conversation,
        tools: [{ ...pay, parse: (value: unknown) => ({ ok: true, value }) } as Tool],
      };
      const again = call('bob');
      const later = await manager.propose(again, { conversation: own });
      again.input.to = 'eve';
      await manager.executeToolCall(call('bob'), { conversation: own, proposal: later });
      expect(ran).toEqual([{ to: 'bob' }, { to: 'bob' }]);
    });

    it(`is not run when its tool is hidden, gone or forbidden by now, ${where}`, async () => {
      const { conversation, call, ran } = setUp(withStore);
      let permitted = true;
      const manager = new ToolCallingManager({
        ...(withStore ? { store: memoryStore() } : {}),
        policy: () => 'allow',
        hidden: 'refuse',
        authorise: () => permitted,
      });
      const propose = async () => await manager.propose(call('bob'), { conversation });
      const hidden = { ...conversation, shown: new Set<string>() };
      const gone = { ...conversation, tools: [] };
      for (const now of [hidden, gone])
        expect(
          (await manager.executeToolCall(call('bob'), { conversation: now, proposal: await propose() })).status,
        ).toBe('invalid');
      const proposal = await propose();
      permitted = false;
      expect((await manager.executeToolCall(call('bob'), { conversation, proposal })).status).toBe('invalid');
      expect(ran).toEqual([]);
    });

    it(`is checked anew when its tool is another one by now, ${where}`, async () => {
      const { conversation, call, ran } = setUp(withStore);
      const store = withStore ? { store: memoryStore() } : {};
      const manager = new ToolCallingManager(store);
      const free = conversation.tools[0] as Tool;
      const marked = { ...free, requiresConfirmation: true };
      const proposal = await manager.propose(call('bob'), { conversation });
      await expect(
        manager.executeToolCall(call('bob'), { conversation: { ...conversation, tools: [marked] }, proposal }),
      ).rejects.toThrow(/waits for a decision/);
      expect(ran).toEqual([]);
    });
  }

  it('is recorded and runs once where everything is recorded, whatever the proposal was asked to record', async () => {
    const { conversation, call, ran } = setUp(true);
    const manager = new ToolCallingManager({ store: memoryStore(), record: 'all' });
    const proposal = await manager.propose(call('bob'), { conversation, record: 'waiting' });
    await manager.executeToolCall(call('bob'), { conversation, proposal });
    await manager.executeToolCall(call('bob'), { conversation });
    expect(ran).toEqual([{ to: 'bob' }]);
  });

  it('does not count any more once the call is recorded', async () => {
    const { conversation, call, ran } = setUp(true);
    let verdict: 'allow' | 'confirm' = 'allow';
    const manager = new ToolCallingManager({ store: memoryStore(), policy: () => verdict });
    const early = await manager.propose(call('bob'), { conversation });
    const beside = await manager.propose(call('eve'), { conversation });
    verdict = 'confirm';
    await expect(manager.executeToolCall(call('bob'), { conversation })).rejects.toThrow(/waits for a decision/);
    await expect(manager.executeToolCall(call('bob'), { conversation, proposal: early })).rejects.toThrow(
      /waits for a decision/,
    );
    verdict = 'allow';
    await manager.propose(call('eve'), { conversation, record: 'all' });
    await manager.executeToolCall(call('eve'), { conversation, proposal: beside });
    await manager.executeToolCall(call('eve'), { conversation });
    expect(ran).toEqual([{ to: 'eve' }]);
  });

  it('is checked anew for a principal with other roles, and with other attributes', async () => {
    const { conversation, call, ran } = setUp(true);
    const manager = new ToolCallingManager({
      store: memoryStore(),
      policy: (_, { principal, attributes }) =>
        principal?.roles?.includes('admin') === true && attributes['from'] === 'desk' ? 'allow' : 'confirm',
    });
    const admin = { ...conversation, principal: { id: 'ada', roles: ['admin'] }, attributes: { from: 'desk' } };
    for (const [to, now] of [
      ['bob', { ...admin, principal: { id: 'ada', roles: [] } }],
      ['eve', { ...admin, attributes: { from: 'street' } }],
    ] as const) {
      const proposal = await manager.propose(call(to), { conversation: admin });
      expect(proposal.waits).toBe(false);
      await expect(manager.executeToolCall(call(to), { conversation: now, proposal })).rejects.toThrow(
        /waits for a decision/,
      );
    }
    expect(ran).toEqual([]);
  });

  it('is checked anew when the clock was set back', async () => {
    const { manager, conversation, call, clock, asked } = setUp(true);
    clock.advance(10_000);
    const proposal = await manager.propose(call('bob'), { conversation });
    clock.advance(-1);
    await manager.executeToolCall(call('bob'), { conversation, proposal });
    expect(asked()).toBe(2);
  });

  it('counts for one of two runs at once', async () => {
    const { manager, conversation, call, asked } = setUp(true);
    const proposal = await manager.propose(call('bob'), { conversation });
    const run = async () => await manager.executeToolCall(call('bob'), { conversation, proposal });
    await Promise.all([run(), run()]);
    expect(asked()).toBe(2);
  });

  it('is audited with the digest of the arguments that were checked, whatever the tool makes of them', async () => {
    const bodies: unknown[] = [];
    const store = {
      ...memoryStore(),
      durable: true,
      appendAudit: async (rows: readonly { readonly body: unknown }[]) => {
        for (const { body } of rows) bodies.push(body);
        return true;
      },
    };
    const { conversation, call } = setUp(false);
    const digests: unknown[] = [];
    for (const changes of [false, true]) {
      const pay = tool({
        name: 'pay',
        input: { type: 'object', properties: { to: { type: 'string' } } },
        execute: (args: { to?: string }) => {
          if (changes) args.to = 'somebody else';
          return 'paid';
        },
      });
      const manager = new ToolCallingManager({ store });
      await manager.executeToolCall(call('bob'), { conversation: { ...conversation, tools: [pay] } });
      await manager.close();
      digests.push((bodies.at(-1) as { digest: unknown }).digest);
    }
    expect(digests[0]).toMatch(/^sha256:/);
    expect(digests[1]).toBe(digests[0]);
  });
});
