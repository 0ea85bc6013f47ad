import { expect, test } from 'vitest';
import { desk } from './desk.ts';
import type { Desk, Visitor } from './desk.ts';

const states = async ({ manager }: Desk, id: string): Promise<readonly string[] | undefined> =>
  (await manager.confirmations.get(id))?.calls.map(({ state }) => state);

const hidden = (page: string, name: string): string =>
  [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].findLast(
    ([, found]) => found === name,
  )?.[2] ?? '';

/** Presses "Grant this rule" on the page that was shown for these choices. */
async function grant(
  lea: Visitor,
  path: string,
  choices: Readonly<Record<string, string | string[]>>,
  more = {},
): Promise<Response> {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(choices)) for (const value of [values].flat()) query.append(name, value);
  const page = await lea.page(`${path}?${query.toString()}`);
  const fields = { form: hidden(page, 'form'), digest: hidden(page, 'digest'), denied: hidden(page, 'denied') };
  return lea.post(path, { ...choices, ...fields, ...more });
}

test('AP-28 a rule granted from one call decides the others that it covers, is recorded as theirs, and leaves the rest open', async () => {
  const here = desk({ grants: ['lea'] });
  const pause = await here.pause([
    ['write', { path: 'a' }],
    ['write', { path: 'b' }],
    ['remove', { path: 'a' }],
  ]);
  const lea = await here.visitor();
  const path = `/pauses/${pause.id}/calls/0/rule`;
  expect(await lea.page(`/pauses/${pause.id}`)).toContain(path);
  const page = await lea.page(`${path}?arguments=any`);
  expect(page).toContain('matches <strong>2</strong>');
  expect(page).toContain('2 wait now and would be approved at once');
  expect(await states(here, pause.id)).toEqual(['awaiting', 'awaiting', 'awaiting']);

  const done = await grant(lea, path, { arguments: 'any', conversation: 'this' });
  expect([done.status, done.headers.get('location')]).toEqual([303, '/rules']);
  expect(await states(here, pause.id)).toEqual(['approved', 'approved', 'awaiting']);
  expect(await lea.page(`/pauses/${pause.id}`)).toContain('<strong>Approved</strong> by a standing rule of lea');
  const rules = await here.manager.rules.list('');
  expect(rules).toMatchObject([
    { originalName: 'write', anyArguments: true, conversation: 'talk', from: { pauseId: pause.id, key: '0.c1' } },
  ]);
  expect(await lea.page('/rules')).toContain('any arguments at all');
});

test('without a choice a rule reaches exactly as far as the call it was made from', async () => {
  const here = desk({ grants: ['lea'] });
  const pause = await here.pause([['write', { path: 'a', size: 1 }]]);
  const lea = await here.visitor();
  await grant(lea, `/pauses/${pause.id}/calls/0/rule`, {
    arguments: 'all of them',
    days: '4000',
    principal: 'x',
    conversation: '',
  });
  expect(await here.manager.rules.list('')).toMatchObject([
    {
      match: { path: '"a"', size: '1' },
      anyArguments: false,
      conversation: 'talk',
      principal: 'bot',
      expiresAt: here.clock.now() + 30 * 86_400_000,
    },
  ]);
});

test('single arguments may be set free', async () => {
  const here = desk({ grants: ['lea'] });
  const pause = await here.pause([['write', { path: 'a', size: 1 }]]);
  const lea = await here.visitor();
  await grant(lea, `/pauses/${pause.id}/calls/0/rule`, {
    free: ['1'],
    conversation: 'all',
    principal: 'everybody',
    days: '7',
  });
  expect(await here.manager.rules.list('')).toMatchObject([
    {
      match: { path: '"a"', size: null },
      conversation: null,
      principal: null,
      expiresAt: here.clock.now() + 7 * 86_400_000,
    },
  ]);
});

test('when people denied calls that the rule covers, it is granted only after that was seen', async () => {
  const here = desk({ grants: ['lea'] });
  const denied = await here.pause([['write', { path: 'secrets' }]]);
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  await lea.press(`/pauses/${denied.id}`, { call: '0', decision: 'deny' });
  const path = `/pauses/${pause.id}/calls/0/rule`;
  expect(await lea.page(`${path}?arguments=any`)).toContain('People denied 1 of these calls.');
  const unread = await grant(lea, path, { arguments: 'any' });
  expect([unread.status, await unread.text()]).toEqual([
    409,
    expect.stringContaining('people denied calls that it covers'),
  ]);
  const outdated = await grant(lea, path, { arguments: 'any' }, { read: 'yes', denied: '0' });
  expect(outdated.status).toBe(409);
  const changed = await grant(lea, path, { arguments: 'any' }, { read: 'yes', digest: 'other' });
  expect(changed.status).toBe(409);
  expect(await here.manager.rules.list('')).toEqual([]);
  expect((await grant(lea, path, { arguments: 'any' }, { read: 'yes' })).status).toBe(303);
  expect(await here.manager.rules.list('')).toHaveLength(1);
});

test('granting is a right of its own; revoking ends a rule; another tenant sees and ends nothing', async () => {
  const here = desk({ grants: ['lea'] });
  const pause = await here.pause([['write', { path: 'a' }]]);
  const path = `/pauses/${pause.id}/calls/0/rule`;
  const [lea, tom, eve] = await Promise.all([here.visitor(), here.visitor('tom-secret'), here.visitor('eve-secret')]);
  const refused = await tom.get(path);
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining('You are not among those who may grant'),
  ]);
  expect((await eve.get(path)).status).toBe(404);
  await grant(lea, path, {});
  const [rule] = await here.manager.rules.list('');
  expect(await eve.page('/rules')).toContain('There is no standing rule.');
  const form = async (visitor: Visitor): Promise<string> => hidden(await visitor.page('/rules'), 'form');
  expect(
    (await eve.post('/rules/revoke', { rule: rule?.id ?? '', form: hidden(await eve.page('/rules'), 'form') })).status,
  ).toBe(403);
  expect(await here.manager.rules.list('')).toHaveLength(1);
  expect((await lea.post('/rules/revoke', { rule: rule?.id ?? '', form: await form(lea) })).status).toBe(303);
  expect(await here.manager.rules.list('')).toEqual([]);
  expect(await lea.page('/rules')).toContain('Revoked');
  expect((await here.pause([['write', { path: 'a' }]])).calls[0]?.state).toBe('awaiting');
});

test('without the port there is neither page nor link', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  expect((await lea.get('/rules')).status).toBe(404);
  expect(await lea.page(`/pauses/${pause.id}`)).not.toContain('standing rule');
});
