import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConfig, startGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { connectClient } from '../gateway/gateway-client.ts';
import { referenceServer } from '../gateway/reference-servers.ts';
import { launchBrowser, noBrowser } from './browser.ts';

/** Where to put pictures of pages, for a person who wants to look. */
const shots = process.env['TOOLGATE_SCREENSHOTS'];

describe.skipIf(noBrowser !== undefined)(
  `the pages of a running gateway${noBrowser === undefined ? '' : ` (${noBrowser})`}`,
  () => {
    let directory = '';
    let gateway: Gateway;
    let browser: Browser;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'toolgate-inbox-'));
      const config = createConfig({
        port: 0,
        holdMs: 0,
        stateDirectory: join(directory, 'state'),
        mcpServers: {
          files: referenceServer('filesystem', directory),
          gone: { command: 'no-such-program-anywhere' },
        },
      });
      [gateway, browser] = await Promise.all([startGateway(config), launchBrowser()]);
      await gateway.settled();
    });
    afterAll(async () => {
      await browser.close();
      await gateway.close();
      await rm(directory, { recursive: true, force: true });
    });

    const shoot = async (page: Page, name: string): Promise<void> => {
      if (shots !== undefined) await page.screenshot({ path: join(shots, `gateway-${name}.png`), fullPage: true });
    };

    test('a call of a real client waits on the page, is approved there, runs once, and the page shows how it ended', async () => {
      const client = await connectClient(gateway);
      const path = join(directory, 'note.txt');
      const call = { name: 'write_file', arguments: { path, content: 'first line\nsecond line\u202e' } };
      const result = await client.callTool({ name: 'call_destructive_tool', arguments: call });
      expect(result.structuredContent).toMatchObject({ status: 'waiting' });

      const page = await browser.newPage();
      // Each look at the clock is a second later than the one before: no input counts as too early.
      await page.addInitScript('let seconds = 0; performance.now = () => (seconds += 1) * 1000');
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(gateway.startLink());
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { level: 1, name: 'Waiting for a decision' }).waitFor();
      await shoot(page, 'list');
      await page.getByRole('link', { name: 'write_file' }).click();
      await page.getByRole('heading', { level: 2, name: 'write_file' }).waitFor();
      expect(await page.getByRole('region', { name: 'Arguments' }).textContent()).toContain('second line⟦U+202E⟧');
      expect(await page.getByText('Look twice.').count()).toBe(1);
      await shoot(page, 'call');
      await expect(readFile(path)).rejects.toThrow('ENOENT');

      await page.getByRole('button', { name: 'Approve write_file' }).click();
      await page.getByText('It ran and succeeded.').waitFor();
      await shoot(page, 'done');
      expect(await readFile(path, 'utf8')).toBe('first line\nsecond line\u202e');

      await page.getByRole('link', { name: 'Tools' }).click();
      await page.getByRole('searchbox').fill('write a file');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('heading', { level: 2, name: /^1\s*write_file/ }).waitFor();
      await shoot(page, 'tools');
      await page.getByRole('link', { name: 'Servers' }).click();
      await page.getByText('Not available').waitFor();
      await shoot(page, 'servers');
      expect(complaints).toEqual([]);
      await page.close();
      await client.close();
    });

    test("a caller's token opens no page, as a form or as a header", async () => {
      const { caller, approver } = gateway.tokens as NonNullable<Gateway['tokens']>;
      const signIn = (token: string): Promise<Response> =>
        fetch(`${gateway.url}/login`, {
          method: 'POST',
          body: new URLSearchParams({ token, next: '/' }),
          headers: { origin: gateway.url },
          redirect: 'manual',
        });
      expect([(await signIn(caller)).status, (await signIn(approver)).status]).toEqual([401, 303]);
      const withHeader = await fetch(`${gateway.url}/`, {
        headers: { authorization: `Bearer ${caller}` },
        redirect: 'manual',
      });
      expect(withHeader.headers.get('location')).toMatch(/^\/login/);
    });
  },
);
