import { expect, test } from 'vitest';
import { createSessionSeal } from '../../src/inbox/session.ts';
import { desk, signIn, visitorWith } from './desk.ts';

const origin = 'http://localhost';

test('without a session every page leads to the sign-in, and back afterwards', async () => {
  const { app } = desk();
  const answer = await app.request('/pauses/x?a=1');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?next=%2Fpauses%2Fx%3Fa%3D1']);
  const signed = await app.request('/login', {
    method: 'POST',
    body: new URLSearchParams({ token: 'lea-secret', next: '/pauses/x?a=1' }),
    headers: { origin },
  });
  expect([signed.status, signed.headers.get('location')]).toEqual([303, '/pauses/x?a=1']);
  expect(signed.headers.get('set-cookie')).toMatch(
    /^toolgate_session=tg1\.[\w.%-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('the sign-in says where the token is to be found', async () => {
  const page = await (await desk().app.request('/login')).text();
  expect(page).toContain('Open the start link that was printed where toolgate was started (it works once)');
  expect(page).toContain('<code>tokens.json</code> of the state directory');
  expect(page).toContain('<code>npx toolgate inbox</code>');
});

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', '/\tx', 'javascript:alert(1)', 'evil'])(
  'signing in never leads to %s',
  async (next) => {
    const { app } = desk();
    const body = new URLSearchParams({ token: 'lea-secret', next });
    const answer = await app.request('/login', { method: 'POST', body, headers: { origin } });
    expect(answer.headers.get('location')).toBe('/');
    const page = await (await app.request(`/login?${new URLSearchParams({ next }).toString()}`)).text();
    expect(page).toContain('name="next" value="/"');
  },
);

test.each(['', 'wrong', 'lea-secret\nx: y', 'ü', 'x'.repeat(5000)])('the token %j opens nothing', async (token) => {
  const { app } = desk();
  const body = new URLSearchParams({ token, next: '/' });
  const answer = await app.request('/login', { method: 'POST', body, headers: { origin } });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
  expect(await answer.text()).toContain('not the approver&#39;s token');
});

test('a session ends with its time and with signing out; a changed one never counts', async () => {
  const here = desk({ inbox: { sessionMs: 60_000 } });
  const lea = await here.visitor();
  expect((await lea.get('/')).status).toBe(200);
  for (let index = 'toolgate_session='.length; index < lea.cookie.length; index += 7) {
    const other = lea.cookie[index] === 'A' ? 'B' : 'A';
    const changed = visitorWith(here.app, lea.cookie.slice(0, index) + other + lea.cookie.slice(index + 1));
    expect((await changed.get('/')).status).toBe(303);
  }
  here.clock.advance(60_001);
  expect((await lea.get('/')).status).toBe(303);
  const again = await here.visitor();
  const form = /name="form" value="([^"]+)"/.exec(await again.page('/'))?.[1] as string;
  const out = await again.post('/logout', { form });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('Max-Age=0')]);
});

test('a form counts only from an own page, with the token of the own session', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const [lea, tom, stranger] = await Promise.all([
    here.visitor(),
    here.visitor('tom-secret'),
    signIn(here.app, 'none'),
  ]);
  const path = `/pauses/${pause.id}`;
  const formOf = async (page: string) => /name="form" value="([^"]+)"/.exec(page)?.[1] as string;
  const form = await formOf(await lea.page(path));
  const fields = { call: '0', 'digest-0': pause.calls[0]?.digest ?? '', decision: 'approve', form };
  const target = `${path}/decide`;
  const tries = {
    'no token': await lea.post(target, { ...fields, form: '' }),
    'token of another person': await lea.post(target, { ...fields, form: await formOf(await tom.page(path)) }),
    'token of another session': await (await here.visitor()).post(target, fields),
    'the session itself as the token': await lea.post(target, { ...fields, form: lea.cookie.split('=')[1] ?? '' }),
    'another origin': await lea.post(target, fields, { origin: 'https://evil.example' }),
    'another port': await lea.post(target, fields, { origin: 'http://localhost:81' }),
    'another site, as the browser says': await lea.post(target, fields, { 'sec-fetch-site': 'cross-site' }),
    'same site, other host': await lea.post(target, fields, { 'sec-fetch-site': 'same-site', origin: 'null' }),
    'an origin without a name': await lea.post(target, fields, { origin: 'null' }),
    'no session': await stranger.post(target, fields),
  };
  expect(Object.fromEntries(Object.entries(tries).map(([name, answer]) => [name, answer.status]))).toEqual({
    'no token': 403,
    'token of another person': 403,
    'token of another session': 403,
    'the session itself as the token': 403,
    'another origin': 403,
    'another port': 403,
    'another site, as the browser says': 403,
    'same site, other host': 403,
    'an origin without a name': 403,
    'no session': 401,
  });
  expect((await here.manager.confirmations.get(pause.id))?.calls[0]?.state).toBe('awaiting');
  const own = await lea.post(target, fields, { origin: 'null', 'sec-fetch-site': 'same-origin' });
  expect(own.status).toBe(303);
});

test('a form token is worthless as a session', () => {
  const seal = createSessionSeal('a secret of at least thirty-two bytes');
  const session = { principal: { id: 'lea', roles: ['duty'] }, id: 'one', expiresAt: 10 };
  expect(seal.openSession(seal.formToken(session, 1), 2)).toBeUndefined();
  expect(seal.openSession(seal.sealSession(session, 1), 2)).toEqual(session);
  expect(seal.openSession(seal.sealSession(session, 1), 10)).toBeUndefined();
  const other = createSessionSeal('another secret of thirty-two bytes!!');
  expect(other.openSession(seal.sealSession(session, 1), 2)).toBeUndefined();
  expect(() => createSessionSeal('short')).toThrow('at least 32 bytes');
});

test('a start link signs in once, and only when its button is pressed', async () => {
  const codes = new Set(['k7']);
  const { app } = desk({ inbox: { redeemStartCode: (code) => (codes.delete(code) ? { id: 'lea' } : null) } });
  for (let look = 0; look < 3; look += 1) {
    const page = await app.request('/start?code=k7');
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
  }
  const press = () =>
    app.request('/start', { method: 'POST', body: new URLSearchParams({ code: 'k7' }), headers: { origin } });
  const first = await press();
  expect([first.status, first.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')]);
  const second = await press();
  expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
});

test('a link from elsewhere gets a page that loads itself again, so that the strict cookie comes along', async () => {
  const { app } = desk();
  const answer = await app.request('/pauses/x', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('http-equiv="refresh" content="0; url=/pauses/x?arrived=1"'),
  ]);
  const second = await app.request('/pauses/x?arrived=1', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(second.headers.get('location')).toMatch(/^\/login/);
});

test('who is authenticated by the host needs no session, but still a form token', async () => {
  const here = desk({ inbox: { authenticate: () => ({ id: 'lea' }) } });
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = visitorWith(here.app, '');
  const fields = { call: '0', 'digest-0': pause.calls[0]?.digest ?? '', decision: 'approve' };
  expect((await lea.post(`/pauses/${pause.id}/decide`, fields)).status).toBe(403);
  expect((await lea.press(`/pauses/${pause.id}`, { call: '0', decision: 'approve' })).status).toBe(303);
  expect(await lea.page('/')).not.toContain('Sign out');
});

test('every answer forbids frames, foreign code, caching and guessing of types', async () => {
  const here = desk();
  const lea = await here.visitor();
  const answers = await Promise.all([
    lea.get('/'),
    lea.get('/nothing'),
    here.app.request('/login'),
    here.app.request('/'),
  ]);
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'/);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  const page = await lea.page('/');
  expect(page).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=/);
  for (const [, address] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
    const asset = await here.app.request(address as string);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('the pages can be mounted under a path, and behind a proxy of another name', async () => {
  const here = desk({ inbox: { basePath: '/gate', publicOrigins: ['https://gate.example.com'] } });
  const answer = await here.app.request('/gate/login', {
    method: 'POST',
    body: new URLSearchParams({ token: 'lea-secret', next: '/gate/' }),
    headers: { origin: 'https://gate.example.com', 'x-forwarded-proto': 'https' },
  });
  expect(answer.headers.get('set-cookie')).toMatch(/Path=\/gate\/; HttpOnly; Secure; SameSite=Strict/);
  const lea = visitorWith(here.app, answer.headers.get('set-cookie')?.split(';')[0] ?? '');
  const page = await lea.page('/gate/');
  expect(page).toContain('Waiting for a decision');
  expect(
    [...page.matchAll(/(?:src|href|action)="([^"#]+)"/g)].every(([, address]) => address?.startsWith('/gate/')),
  ).toBe(true);
});
