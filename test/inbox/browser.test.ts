import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Hono } from 'hono';
import { launchBrowser, listen, noBrowser } from './browser.ts';
import { desk } from './desk.ts';
import type { Desk } from './desk.ts';
import { fixedConfirmations } from './fixed-confirmations.ts';
import { inboxRoutes } from '../../src/inbox/routes.tsx';
import { pageFaults } from './page-faults.ts';
import { foundTools, scenes, upstreams } from './scenes.ts';

/** Where to put pictures of pages, for a person who wants to look. */
const shots = process.env['TOOLGATE_SCREENSHOTS'];

describe.skipIf(noBrowser !== undefined)(
  `the inbox in a real browser${noBrowser === undefined ? '' : ` (${noBrowser})`}`,
  { timeout: 120_000 },
  () => {
    let browser: Browser;
    let closers: (() => Promise<void>)[] = [];
    /** Everything that the pages complained about: refused resources, script errors. */
    let complaints: string[] = [];

    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser.close());
    afterEach(async () => {
      for (const close of closers.reverse()) await close();
      closers = [];
      const said = complaints;
      complaints = [];
      expect(said).toEqual([]);
    });

    const serveApp = async (app: Parameters<typeof listen>[0]): Promise<string> => {
      const server = await listen(app);
      closers.push(() => server.close());
      return server.url;
    };
    /** Hints until the page shows it: a hint that comes before the page listens is lost, as hints may be. */
    const expectSoon = async (listeners: ReadonlySet<() => void>, isThere: () => Promise<boolean>): Promise<void> => {
      await expect
        .poll(
          async () => {
            for (const listener of listeners) listener();
            return await isThere();
          },
          { timeout: 60_000, interval: 200 },
        )
        .toBe(true);
    };
    const openPage = async (options: BrowserContextOptions = {}, hear = true): Promise<Page> => {
      const context = await browser.newContext(options);
      closers.push(() => context.close());
      const page = await context.newPage();
      if (!hear) return page;
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        // Pages that refuse a decision have an error's status, and the browser logs it.
        if (message.type() === 'error' && !/status of 4(09|22)/.test(message.text())) complaints.push(message.text());
      });
      return page;
    };
    const signIn = async (page: Page, url: string, path = '/'): Promise<void> => {
      await page.goto(url + path);
      await page.getByLabel("Approver's token").fill('lea-secret');
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    const states = async (here: Desk, id: string): Promise<readonly string[] | undefined> =>
      (await here.manager.confirmations.get(id))?.calls.map(({ state }) => state);

    test('without JavaScript: sign in, look, deny with a reason, change arguments, decide several together, sign out', async () => {
      const here = desk();
      const url = await serveApp(here.app);
      const one = await here.pause([['write', { path: 'a' }]]);
      const three = await here.pause([
        ['write', { path: 'b', size: 1 }],
        ['remove', { path: 'c' }],
        ['remove', { path: 'd' }],
      ]);
      const page = await openPage({ javaScriptEnabled: false });
      await signIn(page, url);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Waiting for a decision');

      await page.getByRole('link', { name: 'write' }).click();
      const reason = page.getByLabel('Reason for a denial');
      await reason.fill('Not on a Friday.');
      await reason.press('Enter');
      expect(await states(here, one.id)).toEqual(['awaiting']);
      await page.getByRole('button', { name: 'Deny write' }).click();
      expect(await page.getByLabel('What became of it').textContent()).toMatch(/Denied by lea.*Not on a Friday\./);
      expect(await states(here, one.id)).toEqual(['denied']);

      await page.getByRole('link', { name: 'All calls' }).click();
      await page.getByRole('link', { name: '3 calls wait' }).click();
      const first = page.getByRole('article', { name: 'write' });
      await first.getByText('Change the arguments').click();
      const json = first.getByLabel('Arguments as JSON');
      await json.fill('{"path": 7}');
      await first.getByRole('button', { name: 'Approve with these arguments' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('Not recorded: this cannot be used.');
      expect(await json.inputValue()).toBe('{"path": 7}');
      await json.fill('{"path": "changed"}');
      await first.getByRole('button', { name: 'Approve with these arguments' }).click();
      for (const box of await page.getByLabel('Decide together with others').all()) await box.check();
      await page.getByRole('button', { name: 'Deny the ticked' }).click();
      expect(await states(here, three.id)).toEqual(['approved', 'denied', 'denied']);
      await here.resume(three.id);
      expect(here.runs).toEqual([{ path: 'changed' }]);

      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.goto(`${url}/pauses/${three.id}`);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in to decide');
    });

    test('with JavaScript: keys move and focus but never decide, early input is ignored, and the page follows the call to its end', async () => {
      const listeners = new Set<() => void>();
      const here = desk({
        inbox: {
          subscribe: (listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        },
      });
      const url = await serveApp(here.app);
      const pause = await here.pause([
        ['write', { path: 'a' }],
        ['remove', { path: 'b' }],
      ]);
      const page = await openPage();
      await page.addInitScript('performance.now = () => globalThis.testNow ?? 0');
      await signIn(page, url);
      await page.getByRole('heading', { level: 1, name: 'Waiting for a decision' }).waitFor();
      // Keys mean something once the page's script has run, which is before the load event.
      await page.waitForLoadState('load');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: '2 calls wait' }).waitFor();
      await page.waitForLoadState('load');

      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('a');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Approve remove');
      expect(await states(here, pause.id)).toEqual(['awaiting', 'awaiting']);
      await page.keyboard.press('Enter');
      expect(await page.evaluate('location.pathname')).toBe(`/pauses/${pause.id}`);
      expect(await states(here, pause.id)).toEqual(['awaiting', 'awaiting']);

      await page.evaluate('globalThis.testNow = 701');
      await page.keyboard.press('k');
      await page.keyboard.press('d');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Deny write');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'remove waits' }).waitFor();
      expect(await states(here, pause.id)).toEqual(['denied', 'awaiting']);

      // Letters that are typed into a field are text.
      await page.getByLabel('Reason for a denial').pressSequentially('a bad day');
      expect(await page.getByLabel('Reason for a denial').inputValue()).toBe('a bad day');
      await page.evaluate('globalThis.testNow = 701');
      await page.getByRole('button', { name: 'Approve remove' }).click();
      await page.getByText('It has not started yet.').waitFor();
      await here.resume(pause.id);
      await expectSoon(listeners, () => page.getByText('It ran and succeeded.').isVisible());
      expect(here.runs).toEqual([{ path: 'b' }]);
      await page.goto('about:blank');
    });

    test('a list that changed says so and moves nothing; times are shown in the zone of the reader', async () => {
      const listeners = new Set<() => void>();
      const here = desk({
        inbox: {
          subscribe: (listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        },
      });
      const url = await serveApp(here.app);
      const first = await here.pause([['write', { path: 'a' }]]);
      const page = await openPage({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
      await signIn(page, url);
      await page.getByRole('heading', { level: 1, name: 'Waiting for a decision' }).waitFor();
      await here.pause([['remove', { path: 'b' }]]);
      const news = page.getByRole('status').getByRole('link');
      await expectSoon(listeners, () => news.isVisible());
      expect(await page.locator('.row-card').count()).toBe(1);
      await news.click();
      await page.getByRole('link', { name: 'remove' }).waitFor();
      expect(await page.locator('.row-card').count()).toBe(2);
      await page.goto(`${url}/pauses/${first.id}`);
      expect(await page.locator('.until time').textContent()).toMatch(/^8 Jan 2026,? 0?9:00$/);
      await page.goto('about:blank');
    });

    test('two windows: the second one learns who was first, and the call runs once', async () => {
      const here = desk();
      const url = await serveApp(here.app);
      const pause = await here.pause([['write', { path: 'a' }]]);
      const [left, right] = [
        await openPage({ javaScriptEnabled: false }),
        await openPage({ javaScriptEnabled: false }),
      ];
      for (const page of [left, right]) await signIn(page, url, `/pauses/${pause.id}`);
      await left.getByRole('button', { name: 'Approve write' }).click();
      await here.resume(pause.id);
      await right.getByRole('button', { name: 'Deny write' }).click();
      expect(await right.getByRole('alert').textContent()).toContain('Already decided by lea');
      expect(await right.getByLabel('What became of it').textContent()).toContain('It ran and succeeded.');
      expect(here.runs).toHaveLength(1);
    });

    test('a foreign page can neither send a form, nor frame the inbox; a link from there keeps the person signed in', async () => {
      const here = desk();
      const url = await serveApp(here.app);
      const pause = await here.pause([['write', { path: 'a' }]]);
      // The foreign page's own complaints are expected.
      const page = await openPage({}, false);
      await signIn(page, url, `/pauses/${pause.id}`);
      const form = await page.locator('.decide input[name=form]').getAttribute('value');
      // Even with a stolen form token, and although another port of one host counts as the same site.
      const evil = new Hono();
      evil.get('/', (context) =>
        context.html(`<form method="post" action="${url}/pauses/${pause.id}/decide">
        <input name="form" value="${form}"><input name="call" value="0"><input name="decision" value="approve">
        <input name="digest-0" value="${pause.calls[0]?.digest}"><button>Win a prize</button></form>
        <iframe src="${url}/pauses/${pause.id}"></iframe>`),
      );
      const evilUrl = await serveApp(evil);
      await page.goto(evilUrl);
      const framed = await Promise.all(page.frames().map((frame) => frame.content()));
      expect(framed.join('')).not.toContain('Approve write');
      await page.getByRole('button', { name: 'Win a prize' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Refused');
      expect(await states(here, pause.id)).toEqual(['awaiting']);
      // `localhost` and `127.0.0.1` are two sites.
      await page.goto(evilUrl.replace('127.0.0.1', 'localhost'));
      await page.evaluate(
        `const link = document.createElement('a'); link.href = '${url}/'; document.body.append(link); link.click()`,
      );
      await page.getByRole('heading', { level: 1, name: 'Waiting for a decision' }).waitFor();
    });

    test.each([
      ['light', { colorScheme: 'light' as const, viewport: { width: 1180, height: 900 } }],
      ['dark', { colorScheme: 'dark' as const, viewport: { width: 1180, height: 900 } }],
      ['narrow', { colorScheme: 'light' as const, viewport: { width: 340, height: 700 } }],
    ])('every page is readable and labelled: %s', async (name, options) => {
      const now = Date.UTC(2026, 0, 1);
      const app = inboxRoutes({
        confirmations: fixedConfirmations(scenes(now)),
        authenticate: () => ({ id: 'lea' }),
        tools: () => foundTools,
        search: () => foundTools,
        upstreams: () => upstreams(now),
        audit: async () => [{ at: now, event: 'paused' }],
      });
      const url = await serveApp(app);
      const page = await openPage(options);
      for (const path of [
        '/login',
        '/',
        '/?state=done',
        '/pauses/refund',
        '/pauses/odd',
        '/pauses/unknown',
        '/pauses/done',
        '/history',
        '/tools?q=x',
        '/servers',
      ]) {
        await page.goto(url + path);
        expect({ path, faults: await page.evaluate(pageFaults) }).toEqual({ path, faults: [] });
      }
      const here = desk({ grants: ['lea'], inbox: { authenticate: () => ({ id: 'lea' }) } });
      const pause = await here.pause([['write', { path: 'a', size: 1 }]]);
      const by = { principal: { id: 'lea' } };
      await here.manager.rules.grant(pause.id, pause.calls[0]?.key ?? '', { arguments: 'any' }, by);
      await here.manager.rules.grant(pause.id, pause.calls[0]?.key ?? '', { arguments: { size: 'any' } }, by);
      const ruled = await serveApp(here.app);
      for (const path of ['/rules', `/pauses/${pause.id}/calls/0/rule?arguments=any`]) {
        await page.goto(ruled + path);
        expect({ path, faults: await page.evaluate(pageFaults) }).toEqual({ path, faults: [] });
        if (shots !== undefined)
          await page.screenshot({
            path: `${shots}/${name}${path.split('/').pop()?.split('?')[0]}.png`,
            fullPage: true,
          });
      }
    });
  },
);
