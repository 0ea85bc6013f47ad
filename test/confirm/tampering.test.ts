import { describe, expect, it } from 'vitest';
import { ToolCallDecisions } from '../../src/confirm/tool-call-decisions.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import type { ToolCallConfirmationRequiredError } from '../../src/core/errors.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { countingTool, replyOf } from './tools.ts';
import { failure, statuses, user, world } from './world.ts';

const secret = 'a secret of at least thirty-two bytes, for tests';
const approve = { type: 'approve' } as const;

describe('a sealed token that is not exactly what was given out', () => {
  const clock = manualClock();
  const tool = countingTool('transfer', { requiresConfirmation: true });
  const manager = new ToolCallingManager({ secret, clock, expiresInMs: 60_000 });
  const alice = { id: 'c1', messages: user, tools: [tool], principal: { id: 'alice', tenant: 'shop' } };
  const reply = replyOf(['t1', 'transfer', { amount: 10 }]);
  const newToken = async (conversation = alice, from = manager): Promise<string> =>
    ((await failure(from.executeToolCalls(conversation, reply))) as ToolCallConfirmationRequiredError).pause?.token ??
    '';
  const present = (token: string, conversation = alice, content = reply, by = manager): Promise<string> =>
    by.executeToolCalls(conversation, content, ToolCallDecisions.of({ '0.t1': approve }, { token })).then(
      () => 'executed',
      (error: { code: string }) => error.code,
    );

  it('is refused with any of its bytes changed', async () => {
    const token = await newToken();
    const bytes = new TextEncoder().encode(token);
    for (let index = 0; index < bytes.length; index += 1) {
      for (const mask of [1, 2, 0x20, 0xff]) {
        const changed = Uint8Array.from(bytes, (byte, at) => (at === index ? byte ^ mask : byte));
        expect([index, mask, await present(new TextDecoder('latin1').decode(changed))]).toEqual([
          index,
          mask,
          'token-invalid',
        ]);
      }
    }
    expect(tool.runs).toHaveLength(0);
  });

  it('is refused cut short, made longer, empty, or put together from two', async () => {
    const [token, other] = [await newToken(), await newToken({ ...alice, id: 'c2' })];
    const [version, id, payload, mac] = token.split('.');
    const otherPayload = other.split('.')[2];
    const wrong = [
      '',
      '.',
      '...',
      `${token}.`,
      `${token}=`,
      ` ${token}`,
      `${version}.${id}.${otherPayload}.${mac}`,
      `${version}.${id}.${payload}.`,
      `${version}..${payload}.${mac}`,
      `tg2.${id}.${payload}.${mac}`,
    ];
    for (let length = 0; length < token.length; length += 1) wrong.push(token.slice(0, length));
    for (const given of wrong) expect([given, await present(given)]).toEqual([given, 'token-invalid']);
    expect(tool.runs).toHaveLength(0);
  });

  it('is refused for another principal, tenant, conversation, reply or key, and for nobody', async () => {
    const token = await newToken();
    const { principal: _, ...nobody } = alice;
    expect(await present(token, { ...alice, principal: { id: 'mallory', tenant: 'shop' } })).toBe('token-invalid');
    expect(await present(token, { ...alice, principal: { id: 'alice', tenant: '' } })).toBe('token-invalid');
    expect(await present(token, nobody as typeof alice)).toBe('token-invalid');
    expect(await present(await newToken(nobody as typeof alice))).toBe('token-invalid');
    expect(await present(token, { ...alice, id: 'c2' })).toBe('token-invalid');
    expect(await present(token, alice, replyOf(['t1', 'transfer', { amount: 11 }]))).toBe('token-invalid');
    expect(await present(token, alice, replyOf(['t1', 'transfer', { amount: 10 }], ['t2', 'transfer']))).toBe(
      'token-invalid',
    );
    const stranger = new ToolCallingManager({ secret: `${secret} of somebody else`, clock });
    expect(await present(await newToken(alice, stranger))).toBe('token-invalid');
    expect(tool.runs).toHaveLength(0);
  });

  it('is refused when it is past its time, and when the policy or the tool is another one', async () => {
    const token = await newToken();
    const changed = countingTool('transfer', { requiresConfirmation: true, description: 'Something else.' });
    const stricter = new ToolCallingManager({
      secret,
      clock,
      policy: Object.assign(() => 'confirm' as const, { version: '2' }),
    });
    expect(await present(token, { ...alice, tools: [changed] })).toBe('decision-stale');
    expect(await present(token, alice, reply, stricter)).toBe('decision-stale');
    clock.advance(60_000);
    expect(await present(token)).toBe('token-expired');
    expect([tool.runs.length, changed.runs.length]).toEqual([0, 0]);
  });

  it('is single-use with a store: delivered again it gives what is recorded and runs nothing', async () => {
    const pay = countingTool('transfer', { requiresConfirmation: true });
    const { pause, manager: stored, conversation } = world([pay], { secret });
    const { id, token } = await pause(reply);
    const decisions = ToolCallDecisions.of({ '0.t1': approve }, { token, pauseId: id });
    const first = await stored.executeToolCalls(conversation, reply, decisions);
    expect(statuses(first)).toEqual(['succeeded']);
    expect(await stored.executeToolCalls(conversation, reply, decisions)).toEqual(first);
    const forged = ToolCallDecisions.of({ '0.t1': approve }, { token: `${token}x`, pauseId: id });
    expect((await failure(stored.executeToolCalls(conversation, reply, forged))).code).toBe('token-invalid');
    expect(pay.runs).toHaveLength(1);
  });
});
