import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { PageOptions } from './console-page.js';
import { readDownload } from './read-download.js';
import { describeInBrowser } from './stage.js';

describeInBrowser('the screens of the organization', (stage) => {
  const open = async (path: string, token = stage.token) => {
    const page = await stage.open();
    await stage.tab.showTo(token, path);
    return page;
  };

  it('makes an integration point for some systems, changes it, and deletes it once nobody uses it', async () => {
    const page = await open('/points');
    await page.getByText('There are no integration points yet.').waitFor();
    await page.getByRole('button', { name: 'New integration point' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create integration point' }).click();
    await dialog.getByText('This is needed.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('help-desk');
    await dialog.getByLabel('Full name (optional)').fill('Help desk');
    const production = dialog
      .getByRole('group', { name: 'Customers in production may connect' })
      .first();
    // Mocks are not for customers, unless somebody says so.
    await production.getByText(/\d+ that are not for production are left out/).waitFor();
    expect(await production.getByLabel('Jira Cloud', { exact: true }).isChecked()).toBe(true);
    expect(await production.getByLabel('Jira Cloud (mock)').count()).toBe(0);
    await production.getByRole('button', { name: 'Show them all the same' }).click();
    await production.getByLabel('Jira Cloud (mock)').check();
    await production.getByText('Customers in production are offered Jira Cloud (mock).').waitFor();
    await production.getByLabel('Every system of the domain that is for production').check();
    await production.getByText(/Customers are not offered \d+ others/).waitFor();
    await production.getByLabel('Only some').check();
    await production.getByLabel(/^Find a system/).fill('github issues');
    await production.getByLabel(/^GitHub Issues(?! \(mock)/).check();
    await dialog.getByRole('button', { name: 'Create integration point' }).click();
    await page.getByRole('heading', { name: 'Help desk' }).waitFor();
    const read = async () => {
      const { result } = await stage.call<object>('GET', '/v1/integration-points/help-desk');
      return result;
    };
    const environments = { test: ['*'], prod: ['ticketing_github'] };
    expect(await read()).toMatchObject({ connector: 'ticketing', environments });
    const { result: made } = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    const { result } = await stage.call<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${made[0]?.id}`,
      {
        fullname: 'Desk of the point',
        integration_point_id: 'help-desk',
        provider_config: { type: 'ticketing_mock_ticketing', name: 'desk' },
      },
    );
    await page.getByLabel('Full name', { exact: true }).fill('Service desk of customers');
    await page.getByRole('button', { name: 'Save integration point' }).click();
    await page.getByRole('heading', { name: 'Service desk of customers' }).waitFor();
    expect(await read()).toMatchObject({ fullname: 'Service desk of customers', environments });
    await page.reload();
    await page.getByRole('link', { name: 'Desk of the point' }).waitFor();
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete integration point' }).first().click();
      await dialog.getByLabel('Type help-desk to confirm').fill('help-desk');
      await dialog.getByRole('button', { name: 'Delete integration point' }).click();
    };
    await remove();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await stage.call('DELETE', `/v1/integrations/${made[0]?.id}/${result.integration.id}`);
    await remove();
    await page.getByText('There are no integration points yet.').waitFor();
  });

  it('shows what is wrong beside the fields, too, when something is wrong with one of them', async () => {
    const page = await open('/points');
    const wrong = (id: string, message: string) => ({
      message,
      type: 'urn:onefold:problem:bad-request',
      status: 400,
      occurred_at: '2026-01-12T08:30:00Z',
      instance: '/requests/1',
      context: { parameter: { id, location: 'body' } },
    });
    const cause = [wrong('/name', 'the name is taken'), wrong('/environments/prod', 'is too long')];
    await page.route('**/v1/integration-points', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            contentType: 'application/problem+json',
            body: JSON.stringify({ ...wrong('/name', 'two fields are wrong'), cause }),
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'New integration point' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('help-desk');
    await dialog.getByRole('button', { name: 'Create integration point' }).click();
    await dialog.getByText('The name is taken.', { exact: true }).waitFor();
    const beside = dialog.getByRole('alert');
    await beside.waitFor();
    expect(await beside.textContent()).toContain('is too long');
  });

  it('overwrites no integration point that somebody else has changed', async () => {
    await stage.call('POST', '/v1/integration-points', {
      name: 'shared-point',
      connector: 'ticketing',
      environments: { test: ['*'] },
    });
    const page = await open('/points');
    await page.getByRole('link', { name: 'shared-point' }).click();
    await page.getByLabel('Description').fill('mine');
    const theirs = [{ op: 'add', path: '/description', value: 'theirs' }];
    await stage.call('PATCH', '/v1/integration-points/shared-point', theirs);
    await page.getByRole('button', { name: 'Save integration point' }).click();
    await page.getByText('Somebody else has changed this integration point meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Show what they have saved' }).click();
    await stage.tab.expectInput(page.getByLabel('Description'), 'theirs');
    await stage.call('DELETE', '/v1/integration-points/shared-point');
  });

  it('adds an identity provider, keeps its secret when it is changed, and deletes it', async () => {
    const page = await open('/sign-on');
    await page.getByText('No identity provider is configured.').waitFor();
    const { result } = await stage.call<{ oidc: { redirect_uri: string } }>('GET', '/v1/auth/meta');
    await page.getByText(result.oidc.redirect_uri).waitFor();
    await page.getByRole('button', { name: 'New identity provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Company identity');
    await dialog.getByLabel('Issuer').fill('https://identity.example.com');
    await dialog.getByLabel('Client ID').fill('onefold');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await dialog.getByText('This is needed.').waitFor();
    expect(stage.tab.writes).toEqual([]);
    expect(await dialog.getByLabel('Client secret').getAttribute('type')).toBe('password');
    await dialog.getByLabel('Client secret').fill('a-secret-of-the-client');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    const unasked = dialog.getByLabel('Save it without asking the issuer');
    await unasked.check();
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await page.getByRole('rowheader', { name: 'Company identity' }).waitFor();
    await page.getByRole('button', { name: 'Change Company identity' }).click();
    await stage.tab.expectInput(dialog.getByLabel('Client ID'), 'onefold');
    expect(await page.content()).not.toContain('a-secret-of-the-client');
    await dialog.getByLabel('Client ID').fill('onefold-2');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await unasked.check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const stored = await stage.call<{ identity_provider: object; name: string }[]>(
      'GET',
      '/v1/auth/sso',
    );
    expect(stored.result[0]?.identity_provider).toMatchObject({ client_id: 'onefold-2' });
    await page.getByRole('button', { name: 'Delete Company identity' }).click();
    const name = stored.result[0]?.name ?? '';
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await dialog.getByRole('button', { name: 'Delete identity provider' }).click();
    await page.getByText('No identity provider is configured.').waitFor();
  });

  it('makes a sub-organization with its token, shown once, and deletes it once its name is typed', async () => {
    const page = await open('/sub-organizations');
    await page.getByText('There are no sub-organizations.').waitFor();
    await page.getByRole('button', { name: 'New sub-organization' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('acme-france');
    await dialog.getByLabel('Full name (optional)').fill('Acme France');
    await dialog.getByRole('button', { name: 'Create sub-organization' }).dblclick();
    await page.getByRole('heading', { name: 'The first token of Acme France' }).waitFor();
    const secret = await dialog.locator('.secret code').first().innerText();
    const theirs = await stage.call<{ name: string }>('GET', '/v1/organization', undefined, secret);
    expect(theirs.result.name).toBe('acme-france');
    await dialog.getByRole('button', { name: 'I do not need it' }).click();
    await page.getByRole('rowheader', { name: 'Acme France' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Delete Acme France' }).click();
    await dialog.getByRole('button', { name: 'Delete sub-organization' }).click();
    await dialog.getByText('Type acme-france to delete it.').waitFor();
    await dialog.getByLabel('Type acme-france to confirm').fill('acme-france');
    await dialog.getByRole('button', { name: 'Delete sub-organization' }).click();
    await page.getByText('There are no sub-organizations.').waitFor();
  });

  it('shows what each integration has used, and saves the report as it is', async () => {
    const sent = await fetch(`${stage.url}/v1/ticketing/tickets?limit=1`, {
      headers: { authorization: `Bearer ${stage.integrationToken}` },
    });
    expect(sent.ok).toBe(true);
    const page = await open('/billing');
    // Requests are counted a moment later.
    await eventually(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Billing' }).waitFor();
      await page
        .getByText(/^Counted up to|Counted up to|No integration was used/)
        .first()
        .waitFor();
      expect(await page.getByRole('cell', { name: /service.desk/i }).count()).toBe(1);
    });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const download = await saved;
    const text = await readDownload(download);
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^${stage.organization}-\\d{4}-\\d\\d\\.csv$`),
    );
    const [names, line] = text.split('\r\n');
    expect(names).toContain('integration_name');
    expect(line).toContain('ticketing_mock_ticketing');
  });

  it('shows a customer with what is connected, and changes name and labels unless somebody else has', async () => {
    const account = { name: 'one-customer', fullname: 'One customer', labels: ['emea'] };
    const made = await stage.call<{ account: { id: string } }>('POST', '/v1/accounts', account);
    const { id } = made.result.account;
    await stage.call('POST', '/v1/integrations/one-customer', {
      fullname: 'Desk of one customer',
      provider_config: { type: 'ticketing_mock_ticketing', name: 'desk' },
    });
    const body = { fullname: 'A key', config: { type: 'token', secret: 'a-secret-of-theirs' } };
    await stage.call('POST', `/v1/credentials/${id}`, body);
    const page = await open('/accounts');
    await page.getByRole('link', { name: 'One customer', exact: true }).click();
    await page.getByRole('heading', { name: 'One customer' }).waitFor();
    await page.getByRole('link', { name: 'Desk of one customer' }).waitFor();
    await page.getByRole('rowheader', { name: 'A key' }).waitFor();
    expect(await page.content()).not.toContain('a-secret-of-theirs');
    await page.getByLabel('Labels').fill('emea, gold, gold');
    await page.getByLabel('Full name').fill('One good customer');
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByRole('heading', { name: 'One good customer' }).waitFor();
    const { result } = await stage.call<object>('GET', `/v1/accounts/${id}`);
    expect(result).toMatchObject({ labels: ['emea', 'gold'], fullname: 'One good customer' });
    await page.getByLabel('Full name').fill('Mine');
    const theirs = [{ op: 'replace', path: '/fullname', value: 'Theirs' }];
    await stage.call('PATCH', `/v1/accounts/${id}`, theirs);
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByText('Somebody else has changed this account meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Show what they have saved' }).click();
    await stage.tab.expectInput(page.getByLabel('Full name'), 'Theirs');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type one-customer to confirm').fill('one-customer');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });

  it('names the permission of every write to a viewer, and sends nothing', async () => {
    const viewer = await stage.createToken('viewer');
    const point = { name: 'viewed', connector: 'ticketing', environments: { test: ['*'] } };
    await stage.call('POST', '/v1/integration-points', point);
    const { result: accounts } = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    const page = await open('/', viewer.secret);
    const writes: [path: string, button: string, permission: string][] = [
      ['/points', 'New integration point', 'integration_points.create'],
      ['/points/viewed', 'Save integration point', 'integration_points.patch'],
      ['/points/viewed', 'Delete integration point', 'integration_points.delete'],
      [`/accounts/${accounts[0]?.id}`, 'Save account', 'accounts.patch'],
      [`/accounts/${accounts[0]?.id}`, 'Delete account', 'accounts.delete'],
      ['/sub-organizations', 'New sub-organization', 'suborgs.create'],
    ];
    for (const [path, button, permission] of writes) {
      await stage.tab.show(path);
      const write = page.getByRole('button', { name: button, exact: true });
      await page.getByText(`, ${permission}.`).first().waitFor();
      expect([path, await write.getAttribute('aria-disabled')]).toEqual([path, 'true']);
      await write.dispatchEvent('click');
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
    expect(stage.tab.writes).toEqual([]);
    await stage.call('DELETE', '/v1/integration-points/viewed');
  });

  it.each<PageOptions>([
    { colorScheme: 'light', width: 1_600 },
    { colorScheme: 'dark', width: 320 },
  ])('are accessible, $colorScheme and $width pixels wide', async (options) => {
    const page = await stage.open(options);
    const { tab } = stage;
    await tab.logOn(stage.token);
    for (const [path, text] of emptyScreens) {
      await tab.show(path);
      await page.getByText(text).first().waitFor();
      await tab.expectAccessible(`${path}, empty`);
    }
    for (const path of ['/points/int_none', '/accounts/acc_none']) {
      await tab.show(path);
      await page.getByRole('alert').waitFor();
      await tab.expectAccessible(`${path}, failed`);
    }
    const point = {
      name: 'a11y',
      connector: 'ticketing',
      environments: { prod: ['ticketing_jira'] },
    };
    await stage.call('POST', '/v1/integration-points', point);
    await tab.show('/points/a11y');
    await page.getByLabel('Jira', { exact: false }).first().waitFor();
    await tab.expectAccessible('an integration point');
    await tab.show('/points');
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: 'New integration point' }).click();
    await page.getByRole('button', { name: 'Create integration point' }).click();
    await page.getByText('This is needed.').waitFor();
    await tab.expectAccessible('a new integration point with faults');
    await stage.call('DELETE', '/v1/integration-points/a11y');
    const config = { type: 'oidc', issuer_url: 'https://id.example.com', client_id: 'x' };
    const sso = { fullname: 'Identity', config: { ...config, client_secret: 'secret-of-it' } };
    const made = await stage.call<{ id: string }>('POST', '/v1/auth/sso', sso);
    await tab.show('/sign-on');
    await page.getByRole('rowheader', { name: 'Identity' }).waitFor();
    await tab.expectAccessible('single sign-on');
    await page.getByRole('button', { name: 'New identity provider' }).click();
    await page.getByLabel('Kind').selectOption('saml');
    await page.getByRole('button', { name: 'Add identity provider' }).click();
    await page.getByText('This is needed.').first().waitFor();
    await tab.expectAccessible('a new identity provider with faults');
    await stage.call('DELETE', `/v1/auth/sso/${made.result.id}`);
    await tab.show('/sub-organizations');
    await page.getByRole('button', { name: 'New sub-organization' }).click();
    await tab.expectAccessible('a new sub-organization');
    const { result } = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    await tab.show(`/accounts/${result[0]?.id}`);
    await page.getByRole('link', { name: 'Service desk' }).waitFor();
    await tab.expectAccessible('account');
    await tab.show('/billing');
    await page
      .getByText(/Counted up to|No integration was used/)
      .first()
      .waitFor();
    await tab.expectAccessible('billing');
    // A slow answer: lines in place of what is awaited, with a word for those who see none.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v1/integration-points**', async (route) => {
      await held;
      await route.continue();
    });
    await tab.show('/points');
    await page.getByText('Loading …').waitFor({ state: 'attached' });
    await tab.expectAccessible('integration points, slow');
    release();
    await page.getByText('There are no integration points yet.').waitFor();
  });
});

const emptyScreens: readonly (readonly [path: string, text: string])[] = [
  ['/points', 'There are no integration points yet.'],
  ['/sign-on', 'No identity provider is configured.'],
  ['/sub-organizations', 'There are no sub-organizations.'],
];
