import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Stage } from './stage.js';

interface Created {
  integration: { id: string; account_id: string };
  token: { access: { secret: string } };
}

/** Specs of links for customers, and of the end of integrations and credentials, against the mock of tickets. */
export function handOverSpecs(stage: Stage): void {
  const connect = async (account: string, point?: string) => {
    await stage.call('POST', '/v1/accounts', { name: account, fullname: `Account ${account}` });
    const { result } = await stage.call<Created>('POST', `/v1/integrations/${account}`, {
      name: `${account}-desk`,
      fullname: `Desk of ${account}`,
      ...(point === undefined ? {} : { integration_point_id: point }),
      provider_config: { type: 'ticketing_mock_ticketing', name: account },
    });
    return result;
  };
  const createPoint = async (name: string) => {
    const environments = { test: ['*'], prod: ['*'] };
    const body = { name, fullname: `Point ${name}`, connector: 'ticketing', environments };
    return (await stage.call<{ id: string }>('POST', '/v1/integration-points', body)).result.id;
  };
  /** Spends a link as its page does. @returns what the session of the page is for */
  const openLink = async (url: string) => {
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('link') ?? '';
    const answer = await stage.call<{
      session: { integration_id?: string; integration_point_id: string; account_id: string };
    }>('POST', '/v1/connect/session', undefined, token);
    return answer.result.session;
  };

  it('makes a link by which the customer renews the access of one integration, and shows it once', async () => {
    const point = await createPoint('renewed');
    const { integration } = await connect('handed', point);
    const page = await stage.open();
    await stage.tab.showTo(
      stage.token,
      `/integrations/${integration.account_id}/${integration.id}`,
    );
    await page.getByRole('button', { name: 'Let the customer renew the access' }).click();
    const dialog = page.getByRole('dialog');
    await stage.tab.expectAccessible('link for a customer');
    await dialog.getByLabel('Language of the page').selectOption('Deutsch');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const url = await dialog.getByLabel('Link for the customer', { exact: true }).innerText();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Copy: Link for the customer' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(new URL(url).hash);
    expect(await openLink(url)).toMatchObject({
      integration_id: integration.id,
      integration_point_id: point,
      account_id: integration.account_id,
    });
  });

  it('makes a link for a customer to connect a system, of the page of the account', async () => {
    const point = await createPoint('offered');
    const { integration } = await connect('invited');
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/accounts/${integration.account_id}`);
    await page.getByRole('button', { name: 'Link for the customer to connect' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText('Choose one.').waitFor();
    await stage.tab.chooseFound('Integration point', 'Point offered', dialog);
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const session = await openLink(
      await dialog.getByLabel('Link for the customer', { exact: true }).innerText(),
    );
    expect(session.integration_point_id).toBe(point);
    expect(session.integration_id ?? null).toBeNull();
  });

  it('resets the counters of an integration, and deletes it once its name is typed', async () => {
    const { integration, token } = await connect('ended');
    await stage.call('GET', '/v1/ticketing/tickets?limit=1', undefined, token.access.secret);
    const page = await stage.open();
    await stage.tab.setClock();
    await stage.tab.showTo(
      stage.token,
      `/integrations/${integration.account_id}/${integration.id}`,
    );
    const state = page.locator('.headline');
    await stage.tab.expectPolled(state.getByText('Healthy'));
    const tabs = page.getByRole('navigation', { name: 'Tabs of the integration' });
    const choose = (name: string) => tabs.getByRole('link', { name }).click();
    await choose('Mappings');
    await page.getByRole('region', { name: 'Mappings' }).getByText('all operations').waitFor();
    await choose('Tokens');
    await page.getByRole('rowheader', { name: /Token of ended-desk/ }).waitFor();
    await choose('Requests');
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByText('Requests per day').waitFor();
    await choose('Settings');
    await page.getByRole('button', { name: 'Reset counters' }).click();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await choose('Health');
    await state.getByText('New').waitFor();
    await choose('Settings');
    await page.getByRole('button', { name: 'Delete integration' }).click();
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Delete integration' });
    await remove.click();
    await dialog.getByText('Type ended-desk to delete it.').waitFor();
    expect(await stage.integrations()).toContain(integration.id);
    await dialog.getByLabel('Type ended-desk to confirm').fill('ended-desk');
    await remove.click();
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    expect(await stage.integrations()).not.toContain(integration.id);
  });

  it('stores, replaces and deletes a credential of an account, and names those who use it', async () => {
    await stage.call('POST', '/v1/accounts', { name: 'keys', fullname: 'Account keys' });
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const { result: account } = await stage.call<{ id: string }>('GET', '/v1/accounts/keys');
    await stage.tab.show(`/accounts/${account.id}`);
    await page.getByRole('button', { name: 'New credential' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name (optional)').fill('Issues, read only');
    await dialog.getByLabel('Kind').selectOption('Token');
    await dialog.getByRole('button', { name: 'Store credential' }).click();
    await dialog.getByText('This is needed.').waitFor();
    await dialog.getByLabel('Secret', { exact: true }).fill(stage.githubSecret);
    await dialog.getByRole('button', { name: 'Store credential' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Issues, read only' });
    await row.getByText('nobody').waitFor();
    const id = await row.locator('th code').innerText();
    const made = await stage.call<Created>('POST', '/v1/integrations/keys', {
      name: 'keys-issues',
      fullname: 'Issues by a stored key',
      provider_config: {
        type: 'ticketing_github',
        url: stage.githubUrl,
        repository: 'alderpoint/desk',
        credential: { type: 'token_id', value: id },
      },
    });
    await page.reload();
    await row.getByRole('link', { name: 'Issues by a stored key' }).waitFor();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByText('The service refuses to delete it').waitFor();
    await dialog.getByRole('button', { name: 'Delete credential' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await stage.call('DELETE', `/v1/integrations/keys/${made.result.integration.id}`);
    await page.reload();
    await row.getByText('nobody').waitFor();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByRole('button', { name: 'Delete credential' }).click();
    await page.getByText('The account has no credential of its own.').waitFor();
    await eventually(async () => {
      const { result } = await stage.call<unknown[]>('GET', '/v1/credentials/keys');
      expect(result).toEqual([]);
    });
  });
}
