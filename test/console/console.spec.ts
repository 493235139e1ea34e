import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, createMigratedDatabase, inBrowser, startChromium } from '#test/harness';
import type { TestDatabase } from '#test/harness';
import { type Running, startApp } from '../e2e/processes.js';
import { newFolder } from '../e2e/onefold.js';
import { ConsolePage, type PageOptions } from './console-page.js';

const run = promisify(execFile);

(chromiumPath ? describe : describe.skip)(inBrowser('the console'), () => {
  let database: TestDatabase;
  let onefold: Running;
  let browser: Browser;
  let url: string;
  let printed: string;
  let token: string;
  let integrationToken: string;
  let tab: ConsolePage;
  const folder = newFolder();

  beforeAll(async () => {
    database = await createMigratedDatabase();
    onefold = startApp('standalone', ['--port', '0'], {
      DATABASE_URL: database.url,
      DATA_FOLDER: folder,
    });
    browser = await startChromium();
    [, printed = ''] = await onefold.says(/^Console: (\S+)$/m, 120_000);
    [, token = ''] = await onefold.says(/^Organization token: (\S+)$/m);
    [, integrationToken = ''] = await onefold.says(/^Integration token: (\S+)$/m);
    url = new URL(printed).origin;
  }, 150_000);
  afterAll(async () => {
    await browser?.close();
    await onefold?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    const { faults } = tab;
    await tab.close();
    expect(faults).toEqual([]);
  });

  const open = async (options?: PageOptions) => {
    tab = await ConsolePage.open(browser, url, options);
    return tab.page;
  };

  async function call<Result>(method: string, path: string, body?: unknown, by = token) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect([path, response.ok, response.ok ? '' : text]).toEqual([path, true, '']);
    return (text === '' ? {} : JSON.parse(text)) as { result: Result };
  }

  async function createToken(permission_set: string): Promise<{ id: string; secret: string }> {
    const { result } = await call<{ id: string; primary: { access: { secret: string } } }>(
      'POST',
      '/v1/tokens',
      { permission_set, resources: { organizations: { ids: ['*'] } } },
    );
    return { id: result.id, secret: result.primary.access.secret };
  }

  it('shows the logon at the printed address, and the overview after the printed token', async () => {
    const page = await open();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Log on to the console' }).waitFor();
    expect(page.url()).toBe(printed);
    await tab.pasteToken(token);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: /^\d+ New$/ }).waitFor();
    expect(await page.title()).toBe('Overview · Onefold console');
  });

  it('refuses an integration token with the API that it is for, and sends nothing', async () => {
    const page = await open();
    await tab.show('/');
    await tab.pasteToken(integrationToken);
    await page.getByRole('alert').getByText('It is for the connector API').waitFor();
    expect(tab.requests).toEqual([]);
  });

  it('takes a token from the fragment, which is gone before the first request', async () => {
    const page = await open();
    await page.addInitScript(`
      const send = window.fetch;
      window.fetch = (...args) => {
        (window.addresses ??= []).push(location.href);
        return send(...args);
      };
    `);
    await tab.show(`/integrations#token=${token}`);
    await page.getByRole('heading', { name: 'Integrations' }).waitFor();
    const addresses = await page.evaluate<string[]>('window.addresses');
    expect(new Set(addresses)).toEqual(new Set([`${printed}integrations`]));
  });

  it('keeps the token in this tab only', async () => {
    const page = await open();
    await tab.logOn(token);
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const other = await tab.context.newPage();
    await other.goto(printed);
    await other.getByRole('heading', { name: 'Log on to the console' }).waitFor();
    await page.getByRole('button', { name: 'Log off' }).click();
    await page.getByRole('heading', { name: 'Log on to the console' }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('onefold.session')")).toBeNull();
  });

  it('logs on by a password, and says what a wrong one and a lock mean', async () => {
    const member = { name: 'ada@example.com', secret: 'correct horse battery' };
    await call('POST', '/v1/members', { ...member, role_binding: ['viewer'] });
    const page = await open();
    await tab.show('/');
    await page.getByRole('tab', { name: 'Password' }).click();
    const logOn = async (secret: string) => {
      await page.getByLabel('Organization').fill('root');
      await page.getByLabel('Member').fill(member.name);
      await page.locator('input[type=password]').fill(secret);
      await page.getByRole('button', { name: 'Log on', exact: true }).click();
    };
    await logOn(member.secret);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText(member.name, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Log off' }).click();
    await page.getByRole('tab', { name: 'Password' }).click();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await logOn('wrong');
      await page.getByRole('button', { name: 'Log on', exact: true }).waitFor();
      await page
        .getByRole('alert')
        .getByText(/is wrong|is locked/)
        .waitFor();
    }
    await logOn(member.secret);
    await page.getByRole('alert').getByText('is locked after five wrong passwords').waitFor();
  }, 60_000);

  it('shows the requests of an integration as bars and as a table with the same numbers', async () => {
    for (let count = 0; count < 3; count += 1)
      await fetch(`${url}/v1/ticketing/tickets?limit=1`, {
        headers: { authorization: `Bearer ${integrationToken}` },
      });
    const page = await open();
    await tab.logOn(token);
    await page.getByRole('link', { name: 'Integrations', exact: true }).click();
    await page.getByRole('link', { name: 'Service desk' }).click();
    await page.getByRole('heading', { name: 'Service desk' }).waitFor();
    await page.getByText('Healthy').first().waitFor({ timeout: 20_000 });
    await page.getByText('Show as a table').click();
    const cells = page.getByRole('table').locator('tbody td:nth-of-type(1)');
    const sum = async () =>
      (await cells.allInnerTexts()).reduce((total, text) => total + Number(text), 0);
    await expect(sum()).resolves.toBe(3);
    const bars = await page.evaluate(
      "[...document.querySelectorAll('rect.succeeded')].filter((bar) => Number(bar.getAttribute('height')) > 0).length",
    );
    expect(bars).toBe(await cells.count());
  }, 60_000);

  it('goes back through screens and filters, and moves the focus to the heading', async () => {
    const page = await open();
    await tab.logOn(token);
    await page.getByRole('link', { name: /New$/ }).click();
    await page.getByRole('heading', { name: 'Integrations' }).waitFor();
    expect(new URL(page.url()).search).toBe('?state=new');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Integrations');
    await page.getByLabel('State').selectOption('failing');
    await page.getByText('No integration is in the state “Failing”').waitFor();
    await page.goBack();
    await page.getByRole('table').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await tab.show('/nothing');
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor();
  });

  it('lists every request with a command that gets the same status', async () => {
    const page = await open();
    await tab.logOn(token);
    await tab.show('/integrations/acc_none/int_none');
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: /^API/ }).click();
    const entries = page.locator('.drawer li');
    const sent = tab.requests.slice(-(await entries.count()));
    expect(await entries.count()).toBeGreaterThan(2);
    expect(sent).toContain('GET /v1/accounts');
    for (const entry of await entries.all()) {
      const shown = await entry.locator('.status').innerText();
      const command = (await entry.locator('.command code').innerText()).replace(
        'curl -s',
        "curl -s -o /dev/null -w '%{http_code}'",
      );
      const { stdout } = await run('sh', ['-c', command], {
        env: { PATH: '/usr/bin:/bin', TOKEN: token },
      });
      expect([command, stdout]).toEqual([command, shown]);
      expect(command).not.toContain(token);
    }
  });

  it('keeps a form when the session ends, and sends it after the next logon', async () => {
    const short = await createToken('administrator');
    const page = await open();
    await tab.logOn(short.secret);
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('acme');
    await page.getByLabel('Full name').fill('شركة Acme');
    await call('DELETE', `/v1/tokens/${short.id}`);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Log on again' }).waitFor();
    await tab.pasteToken(token);
    await page.getByRole('rowheader', { name: 'شركة Acme' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('disables a write that the token may not make, names its permission, and sends nothing more', async () => {
    const viewer = await createToken('viewer');
    const page = await open();
    await tab.logOn(viewer.secret);
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('not-allowed');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Ask an administrator for the permission accounts.create.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const create = page.getByRole('button', { name: 'New account' });
    await page.getByText('Needs the permission accounts.create.').waitFor();
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    const before = tab.requests.length;
    await create.dispatchEvent('click');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(tab.requests.slice(before)).toEqual([]);
  });

  it.each<PageOptions>([
    { colorScheme: 'light', width: 1_600 },
    { colorScheme: 'dark', width: 320 },
  ])(
    'is accessible, $colorScheme and $width pixels wide',
    async (options) => {
      const page = await open(options);
      await tab.show('/');
      await tab.pasteToken('ofi_x');
      await page.getByRole('alert').waitFor();
      await tab.expectAccessible('logon, failed');
      await tab.logOn(token);
      await page.getByRole('link', { name: /New$/ }).waitFor();
      await tab.expectAccessible('overview');
      await page.getByRole('link', { name: 'Integrations', exact: true }).click();
      await page.getByRole('table').waitFor();
      await tab.expectAccessible('integrations');
      await page.getByRole('link', { name: 'Service desk' }).click();
      await page.getByRole('button', { name: 'Verify now' }).click();
      await page.getByText('Checked').waitFor();
      await tab.expectAccessible('integration');
      await page.getByRole('link', { name: 'Accounts' }).click();
      await page.getByRole('table').waitFor();
      await page.getByRole('button', { name: 'New account' }).click();
      await tab.expectAccessible('new account');
      await page.keyboard.press('Escape');
      await page.getByLabel('Name contains').fill('100%_nobody');
      await page.getByText('No account has a name that contains').waitFor();
      await tab.expectAccessible('accounts, empty');
      await page.getByRole('link', { name: 'Tokens' }).click();
      await page.getByRole('table').waitFor();
      await page.getByRole('button', { name: /^API/ }).click();
      await tab.expectAccessible('tokens, with the requests');
      await tab.show('/integrations/acc_none/int_none');
      await page.getByRole('alert').waitFor();
      await tab.expectAccessible('integration, failed');
    },
    60_000,
  );
});
