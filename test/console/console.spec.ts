import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { chromiumPath, eventually, inBrowser } from '#test/harness';
import { logonRefusalSpecs } from './logon-refusal-specs.js';
import { logonSpecs } from './logon-specs.js';
import { memberSpecs } from './member-specs.js';
import { paletteSpecs } from './palette-specs.js';
import { startConsole } from './served-console.js';
import { type Stage, useStage } from './stage.js';
import { tokenSpecs } from './token-specs.js';
import { watchSpecs } from './watch-specs.js';

const run = promisify(execFile);

(chromiumPath ? describe : describe.skip)(inBrowser('the console'), () => {
  const stage = useStage(startConsole);

  it('shows the logon at the printed address, and the overview after the printed token', async () => {
    const page = await stage.open();
    await page.goto(stage.url);
    await page.getByRole('heading', { name: 'Log on to the console' }).waitFor();
    expect(page.url()).toBe(stage.printed);
    await stage.tab.pasteToken(stage.token);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: /^\d+ New$/ }).waitFor();
    await stage.tab.expectValue('document.title', 'Overview · Onefold console');
  });

  it('refuses an integration token with the API that it is for, and sends nothing', async () => {
    const page = await stage.open();
    await stage.tab.show('/');
    await stage.tab.pasteToken(stage.integrationToken);
    await page.getByRole('alert').getByText('It is for the connector API').waitFor();
    expect(stage.tab.requests).toEqual([]);
  });

  it('takes a token from the fragment, which is gone before the first request', async () => {
    const page = await stage.open();
    await page.addInitScript(`
      const send = window.fetch;
      window.fetch = (...args) => {
        (window.addresses ??= []).push(location.href);
        return send(...args);
      };
    `);
    await stage.tab.show(`/integrations#token=${stage.token}`);
    await page.getByRole('button', { name: 'Log on', exact: true }).click();
    await page.getByRole('heading', { name: 'Integrations' }).waitFor();
    const addresses = await page.evaluate<string[]>('window.addresses');
    expect(new Set(addresses)).toEqual(new Set([`${stage.printed}integrations`]));
  });

  it('keeps the token in this tab only', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const other = await stage.tab.context.newPage();
    await other.goto(stage.printed);
    await other.getByRole('heading', { name: 'Log on to the console' }).waitFor();
    await page.getByRole('button', { name: 'Log off', exact: true }).click();
    await page.getByRole('heading', { name: 'Log on to the console' }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('onefold.session')")).toBeNull();
  });

  it('logs on by a password, and says what a wrong one and a lock mean', async () => {
    const member = { name: 'ada@example.com', secret: 'correct horse battery' };
    await stage.call('POST', '/v1/members', { ...member, role_binding: ['viewer'] });
    const page = await stage.open();
    await stage.tab.show('/');
    await page.getByRole('tab', { name: 'Password' }).click();
    const logOn = async (secret: string) => {
      await page.getByLabel('Organization').fill(stage.organization);
      await page.getByLabel('Member').fill(member.name);
      await page.locator('input[type=password]').fill(secret);
      await page.getByRole('button', { name: 'Log on', exact: true }).click();
    };
    await logOn(member.secret);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText(member.name, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Log off', exact: true }).click();
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
  });

  it('shows the requests of an integration as bars and as a table with the same numbers', async () => {
    for (let count = 0; count < 3; count += 1)
      await fetch(`${stage.url}/v1/ticketing/tickets?limit=1`, {
        headers: { authorization: `Bearer ${stage.integrationToken}` },
      });
    const page = await stage.open();
    await stage.tab.setClock();
    await stage.tab.showTo(stage.token, '/integrations');
    await page.getByRole('link', { name: 'Service desk' }).click();
    await page.getByRole('heading', { name: 'Service desk' }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Tabs of the integration' });
    await tabs.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('Show as a table').click();
    const chart = page.locator('figure').getByRole('table');
    await chart.getByRole('columnheader', { name: 'p95' }).waitFor();
    const cells = chart.locator('tbody td:nth-of-type(1)');
    const bars =
      "[...document.querySelectorAll('rect.succeeded')].filter((bar) => Number(bar.getAttribute('height')) > 0).length";
    // The requests may be counted one after the other.
    await stage.tab.afterPolls(async () => {
      const counts = (await cells.allInnerTexts()).map(Number);
      expect(counts.reduce((total, count) => total + count, 0)).toBe(3);
      expect(await page.evaluate(bars)).toBe(counts.length);
      const times = await chart.locator('tbody td:nth-of-type(n + 3)').allInnerTexts();
      expect(times.filter((one) => !/^\d+(\.\d)? m?s$/.test(one))).toEqual([]);
      expect(times).toHaveLength(2 * counts.length);
    });
  });

  it('goes back through screens and filters, and moves the focus to the heading', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    await page.getByRole('link', { name: /New$/ }).click();
    await page.getByRole('heading', { name: 'Integrations' }).waitFor();
    expect(new URL(page.url()).search).toBe('?state=new');
    await stage.tab.expectValue('document.activeElement.textContent', 'Integrations');
    await page.getByLabel('State').selectOption('failing');
    await page.getByText('No integration is in the state “Failing”').waitFor();
    await page.goBack();
    await page.getByRole('table').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await stage.tab.show('/nothing');
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor();
  });

  it('lists every request with a command that gets the same status', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/integrations/acc_none/int_none');
    await page.getByRole('alert').first().waitFor();
    await stage.tab.choose('Accounts');
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: /^API/ }).click();
    // All at once: the page goes on asking, which moves the entries.
    const entries = await eventually(async () => {
      const shown = await page.evaluate<[status: string, command: string][]>(`
        [...document.querySelectorAll('.drawer li')].map((entry) =>
          ['.status', '.command code'].map((part) => entry.querySelector(part).innerText))`);
      expect(shown.map(([status]) => status)).not.toContain('…');
      return shown;
    });
    expect(entries.length).toBeGreaterThan(2);
    expect(entries.filter(([, text]) => text.includes(`${stage.url}/v1/accounts`))).not.toEqual([]);
    for (const [shown, text] of entries) {
      const command = text.replace('curl -s', "curl -s -o /dev/null -w '%{http_code}'");
      const { stdout } = await run('sh', ['-c', command], {
        env: { PATH: '/usr/bin:/bin', TOKEN: stage.token },
      });
      expect([command, stdout]).toEqual([command, shown]);
      expect(command).not.toContain(stage.token);
    }
  });

  it('keeps a form when the session ends, and sends it after the next logon', async () => {
    const short = await stage.createToken('administrator');
    const page = await stage.open();
    await stage.tab.showTo(short.secret, '/accounts');
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('acme');
    await page.getByLabel('Full name').fill('شركة Acme');
    await stage.call('DELETE', `/v1/tokens/${short.id}`);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Log on again' }).waitFor();
    await stage.tab.pasteToken(stage.token);
    await page.getByRole('rowheader', { name: 'شركة Acme' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('disables every write that the token may not make, names the permission, and sends nothing', async () => {
    const viewer = await stage.createToken('viewer');
    const page = await stage.open();
    await stage.tab.logOn(viewer.secret);
    const [account = '', integration = ''] = await anIntegration(stage);
    const writes: [path: string, button: string, permission: string][] = [
      ['/accounts', 'New account', 'accounts.create'],
      ['/integrations', 'Connect a system', 'integrations.create'],
      [`/integrations/${account}/${integration}`, 'Verify now', 'integrations.verify'],
      ['/tokens', 'New token', 'tokens.create'],
      [
        `/explorer?integration=${account}/${integration}&operation=ticketing_query_tickets`,
        'Send',
        'tokens.create_integration',
      ],
    ];
    for (const [path, button, permission] of writes) {
      await stage.tab.show(path);
      const write = page.getByRole('button', { name: button, exact: true });
      await page.getByText(`, ${permission}.`).first().waitFor();
      expect([path, await write.getAttribute('aria-disabled')]).toEqual([path, 'true']);
      const before = stage.tab.writes.length;
      await write.dispatchEvent('click');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(stage.tab.writes.slice(before)).toEqual([]);
    }
  });

  logonSpecs(stage);
  logonRefusalSpecs(stage);
  watchSpecs(stage);
  paletteSpecs(stage);
  tokenSpecs(stage);
  memberSpecs(stage);
});

/** Ids of the account and the integration that the first start has made. */
async function anIntegration(stage: Stage): Promise<[account: string, integration: string]> {
  const { result } = await stage.call<{ id: string; account_id: string; name: string }[]>(
    'GET',
    '/v1/integrations?limit=200',
  );
  const desk = result.find(({ name }) => name === 'service-desk');
  return [desk?.account_id ?? '', desk?.id ?? ''];
}
