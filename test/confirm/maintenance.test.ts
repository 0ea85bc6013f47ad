import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../src/confirm/records.ts';
import type { ConfirmationStore } from '../../src/confirm/store-port.ts';
import { verifyAudit } from '../../src/confirm/verify-audit.ts';
import { deliverWebhooks, signWebhook } from '../../src/confirm/webhook-outbox.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { countingTool, replyOf } from './tools.ts';
import { failure, statuses, world } from './world.ts';

const secret = 'a secret of at least thirty-two bytes, for tests';
const approve = { type: 'approve' } as const;

/** A store in which somebody has meddled with the audit. */
function meddled(
  store: ConfirmationStore,
  change: (chain: string, rows: readonly AuditRow[]) => readonly AuditRow[],
): ConfirmationStore {
  return Object.assign(Object.create(store) as ConfirmationStore, {
    readAudit: async (chain: string, from: number) => {
      const rows: AuditRow[] = [];
      for (
        let page = await store.readAudit(chain, 1);
        page.length > 0;
        page = await store.readAudit(chain, rows.length + 1)
      )
        rows.push(...page);
      return change(chain, rows).filter((row) => row.sequence >= from);
    },
  });
}

describe('the audit', () => {
  it('verifies as written, also of free calls, and shows every kind of meddling', async () => {
    const [pay, read] = [countingTool('pay', { requiresConfirmation: true }), countingTool('read')];
    // Free calls are audited in durable stores only; this one says that it is.
    const durable = Object.assign(Object.create(memoryStore({ clock: manualClock() })) as ConfirmationStore, {
      durable: true,
    });
    const { store, pause, decide, execute, manager } = world([pay, read], { secret, store: durable });
    const { id } = await pause(replyOf(['a', 'pay']));
    await decide(id, { '0.a': approve });
    await manager.resume(id);
    await execute(replyOf(['f', 'read'], ['g', 'read']));
    expect(await manager.sweep()).toMatchObject({ checkpoint: true });
    const whole = await verifyAudit(store, { secret });
    expect(whole).toEqual({ chains: 3, rows: 6 + 2 + 1, checkpoints: 1, problems: [] });

    const cut = meddled(store, (chain, rows) => (chain === id ? rows.slice(0, -1) : rows));
    expect((await verifyAudit(cut)).problems).toContainEqual({ chain: id, sequence: 6, problem: 'missing-row' });
    const changed = meddled(store, (chain, rows) =>
      chain === id ? rows.map((row) => (row.sequence === 3 ? { ...row, at: 7 } : row)) : rows,
    );
    expect((await verifyAudit(changed)).problems).toContainEqual({ chain: id, sequence: 3, problem: 'changed-row' });
    const other = await verifyAudit(store, { secret: `${secret} of somebody else` });
    expect(other.problems).toEqual([{ chain: 'checkpoints', sequence: 1, problem: 'checkpoint-not-signed' }]);
    const rewritten = meddled(store, (chain, rows) =>
      chain === id ? rows.map((row) => ({ ...row, hash: row.hash.replace(/.$/, 'x') })) : rows,
    );
    expect((await verifyAudit(rewritten, { secret })).problems.map(({ problem }) => problem)).toContain(
      'checkpoint-not-met',
    );
  });
});

describe('a sweep', () => {
  it('settles what is overdue without anybody looking', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { clock, store, pause, manager } = world([tool], { expiresInMs: 1_000 });
    const { id } = await pause(replyOf(['a', 'pay']));
    const stop = manager.startSweeping(500);
    clock.advance(1_000);
    await expect.poll(async () => (await store.get(id)).value?.state).toBe('settled');
    stop();
    expect((await store.get(id)).value?.calls[0]?.state).toBe('expired');
  });

  it('erases what has ended after a while and keeps states and audit, then deletes it', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true, execute: () => 'a secret result' });
    const { clock, store, pause, decide, manager } = world([tool], {
      retention: { eraseAfterMs: 1_000, purgeAfterMs: 10_000 },
    });
    const { id } = await pause(replyOf(['a', 'pay', { card: 'a secret number' }]));
    const open = await pause(replyOf(['b', 'pay', { card: 'kept' }]));
    await decide(id, { '0.a': { type: 'approve', arguments: { card: 'another secret' } } });
    await manager.resume(id);
    expect(await manager.sweep()).toMatchObject({ erased: 0, purged: 0 });
    clock.advance(1_001);
    expect(await manager.sweep()).toMatchObject({ erased: 1, purged: 0 });
    expect(await manager.sweep()).toMatchObject({ erased: 0, purged: 0 });
    const pauseNow = (await store.get(id)).value;
    expect(JSON.stringify(pauseNow)).not.toContain('secret');
    expect(pauseNow).toMatchObject({
      erased: true,
      calls: [{ state: 'succeeded', toolName: 'pay', decision: { by: { principal: { id: 'bob' } } } }],
    });
    expect((await verifyAudit(store)).problems).toEqual([]);
    expect(statuses(await manager.resume(id))).toEqual(['succeeded']);
    clock.advance(10_000);
    expect(await manager.sweep()).toMatchObject({ purged: 1 });
    expect((await store.get(id)).value).toBeUndefined();
    expect((await store.get(open.id)).value?.state).toBe('open');
    expect(tool.runs).toHaveLength(1);
  });
});

describe('the outbox', () => {
  const key = 'a webhook secret of 24 bytes or more';
  it('tells of pauses, decisions and ends, signed, without arguments, again until it is heard', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { clock, store, pause, decide, manager } = world([tool], { outbox: true });
    const { id } = await pause(replyOf(['a', 'pay', { card: 'a secret number' }]));
    await decide(id, { '0.a': approve });
    await manager.resume(id);
    const heard: { readonly type: string; readonly id: string; readonly text: string }[] = [];
    let working = false;
    const fetch = ((_: URL, init: { readonly headers: Record<string, string>; readonly body: string }) => {
      const { headers, body } = init;
      const messageId = headers['webhook-id'] ?? '';
      const timestamp = Number(headers['webhook-timestamp']);
      expect(headers['webhook-signature']).toBe(signWebhook(new TextEncoder().encode(key), messageId, timestamp, body));
      if (!working) return Promise.resolve(new Response('no', { status: 503 }));
      heard.push({ type: (JSON.parse(body) as { type: string }).type, id: messageId, text: body });
      return Promise.resolve(new Response(null, { status: 204 }));
    }) as typeof globalThis.fetch;
    const options = { url: 'https://example.test/hook', secret: key, fetch };
    expect(await deliverWebhooks(store, options)).toEqual({ delivered: 0, failed: 4, givenUp: 0 });
    expect(await deliverWebhooks(store, options)).toEqual({ delivered: 0, failed: 0, givenUp: 0 });
    clock.advance(10_000);
    working = true;
    expect(await deliverWebhooks(store, options)).toEqual({ delivered: 4, failed: 0, givenUp: 0 });
    clock.advance(1_000_000);
    expect(await deliverWebhooks(store, options)).toEqual({ delivered: 0, failed: 0, givenUp: 0 });
    expect(heard.map(({ type }) => type).toSorted()).toEqual([
      'call.changed',
      'call.changed',
      'pause.created',
      'pause.settled',
    ]);
    expect(new Set(heard.map((message) => message.id)).size).toBe(4);
    expect(heard.map(({ text }) => text).join('')).not.toContain('secret');
  });

  it('gives up after so many attempts', async () => {
    const tool = countingTool('pay', { requiresConfirmation: true });
    const { clock, store, pause } = world([tool], { outbox: true });
    await pause(replyOf(['a', 'pay']));
    const options = {
      url: 'http://127.0.0.1:9/',
      secret: key,
      maxAttempts: 2,
      fetch: () => Promise.reject(new Error('no')),
    };
    expect(await deliverWebhooks(store, options)).toEqual({ delivered: 0, failed: 1, givenUp: 0 });
    clock.advance(10_000);
    expect(await deliverWebhooks(store, options)).toEqual({ delivered: 0, failed: 0, givenUp: 1 });
    clock.advance(1_000_000);
    expect(await deliverWebhooks(store, options)).toEqual({ delivered: 0, failed: 0, givenUp: 0 });
  });

  it('has the signature of the Standard Webhooks specification', () => {
    // The specification's own example.
    const key64 = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    expect(
      signWebhook(Uint8Array.from(Buffer.from(key64, 'base64')), 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body),
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('goes to https only, but for this machine, and wants a real secret', async () => {
    const { store } = world([]);
    for (const url of ['http://example.test/', 'ftp://127.0.0.1/', 'nonsense', 'file:///etc/passwd']) {
      expect((await failure(deliverWebhooks(store, { url, secret: key }))).code).toBe('invalid-option');
    }
    expect((await failure(deliverWebhooks(store, { url: 'https://example.test/', secret: 'short' }))).code).toBe(
      'invalid-option',
    );
  });
});
