import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, connectChromium, freePort, inBrowser, lockNetwork } from '#test/harness';
import { addOrganization } from '../e2e/add-organization.js';
import { type Onefold, startDistributed } from '../e2e/onefold.js';
import { type Running, startApp } from '../e2e/processes.js';
import { ConsolePage } from './console-page.js';

const inChromium = chromiumPath ? describe : describe.skip;

inChromium(inBrowser('the console of a distributed installation'), () => {
  jest.setTimeout(600_000);
  let onefold: Onefold;
  let own: Running;
  let browser: Browser;
  let token: string;
  let release: () => Promise<void>;
  let tab: ConsolePage | undefined;
  const urls = { gateway: '', console: '' };

  beforeAll(async () => {
    urls.console = `http://127.0.0.1:${await freePort()}`;
    const env = { CONSOLE: 'yes', CONNECT: 'yes', CORS_ORIGINS: urls.console };
    onefold = await startDistributed(env, { worker: false });
    urls.gateway = onefold.env?.['PUBLIC_URL'] ?? '';
    const { DATABASE_URL: database = '' } = onefold.env ?? {};
    ({ access: token } = await addOrganization(database, onefold.keyFile, 'console'));
    const { hostname, port } = new URL(urls.console);
    const settings = { API_URL: urls.gateway, HOST: hostname, PORT: port, OBSERVE_PORT: '0' };
    own = startApp('console', [], settings);
    [browser] = await Promise.all([connectChromium(), own.says(/"message":"ready"/)]);
    release = await lockNetwork('shared');
  });
  afterEach(async () => {
    await tab?.close();
  });
  afterAll(async () => {
    await browser?.close();
    await own?.stop();
    await onefold?.stop();
    await release?.();
  });

  it.each(['gateway', 'console'] as const)(
    'calls the API from the files that the %s serves: reads, writes, and commands to copy',
    async (server) => {
      tab = await ConsolePage.open(browser, urls[server], { origins: [urls.gateway] });
      const { page } = tab;
      await tab.logOn(token);
      await tab.choose('Accounts');
      await page.getByRole('button', { name: 'New account' }).click();
      await page.getByLabel('Name', { exact: true }).fill(`made-by-${server}`);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page
        .getByRole('cell', { name: `made-by-${server}` })
        .first()
        .waitFor();
      await tab.choose('Settings');
      await page.getByText(`${urls.gateway}/connect/embed-1.js`).waitFor();
      await page.getByLabel('Allowed origins').fill('https://app.example.com');
      await page.getByRole('button', { name: 'Check what browsers are told' }).click();
      await page.getByText('Is refused until you save it').waitFor();
      expect(tab.requests).toEqual(expect.arrayContaining(['POST /v1/accounts']));
      const drawer = page.getByRole('region', { name: 'API requests of this tab' });
      await drawer.getByRole('button', { name: /^API/ }).click();
      await drawer.getByText(`'${urls.gateway}/v1/accounts'`).first().waitFor();
      expect(tab.faults).toEqual([]);
    },
  );

  it('is served with the same headers in both forms, but for where its requests may go', async () => {
    const answers = await Promise.all(
      Object.values(urls).map((url) => fetch(`${url}/console/integrations/int_1`)),
    );
    const policies = answers.map(({ status, headers }) => {
      expect(status).toBe(200);
      const {
        date: _date,
        'content-security-policy': policy = '',
        ...rest
      } = {
        ...Object.fromEntries(headers),
      };
      return { policy: policy.replace(/connect-src[^;]*/, ''), rest, whole: policy };
    });
    const [gateway, console] = policies;
    expect(console?.policy).toBe(gateway?.policy);
    const named = (of: Record<string, string> = {}) => Object.keys(of).sort();
    expect(named(console?.rest)).toEqual(named(gateway?.rest));
    expect(console?.whole).toContain(`connect-src 'self' ${urls.gateway};`);
    expect(console?.rest).toMatchObject({
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('says in its configuration where the API is, and has nothing but files', async () => {
    const configuration = async (url: string) =>
      (await (await fetch(`${url}/console/config.json`)).json()) as object;
    expect(await configuration(urls.console)).toEqual({ api_url: urls.gateway });
    expect(await configuration(urls.gateway)).toEqual({});
    const at = async (path: string, options: RequestInit = {}) => {
      const { status, headers } = await fetch(`${urls.console}${path}`, {
        redirect: 'manual',
        ...options,
      });
      return [status, headers.get('location')];
    };
    expect(await at('/')).toEqual([302, '/console/']);
    expect(await at('/console')).toEqual([302, '/console/']);
    expect(await at('/console/assets/none.js')).toEqual([404, null]);
    expect(await at('/v1/organization')).toEqual([404, null]);
    expect(await at('/console/', { method: 'POST' })).toEqual([405, null]);
    expect(await at('/console/', { method: 'HEAD' })).toEqual([200, null]);
  });

  it('refuses an address of the API that is none', async () => {
    const wrong = startApp('console', [], { API_URL: 'https://api.example.com/v1' });
    expect((await wrong.exited).code).toBe(1);
    expect(wrong.output()).toContain('API_URL must be an address without a path');
  });
});
