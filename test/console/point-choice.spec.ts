import { beforeAll, expect, it } from '@jest/globals';
import { documentOf } from '../api/add-provider.js';
import { describeInBrowser } from './stage.js';

/** More than a page of a list may have. */
const count = 201;
const atOnce = 10;
const draft = 'ticketing_orbit_desk';
const documentOfDraft = documentOf(draft, 'ticketing_query_tickets', {
  fullname: 'Orbit Desk',
  facts: 'availability: in-development',
});
const label = 'Integration point (optional)';

describeInBrowser('the choice of an integration point', (stage) => {
  let accountId = '';
  const create = async (name: string, fullname: string, environments: object) =>
    await stage.call<{ id: string }>('POST', '/v1/integration-points', {
      name,
      fullname,
      connector: 'ticketing',
      environments,
    });
  const openWizard = async (provider: string) => {
    const page = await stage.open();
    await stage.tab.showTo(
      stage.token,
      `/integrations/new?account=${accountId}&provider=${provider}`,
    );
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    return page;
  };

  beforeAll(async () => {
    const account = { name: 'chooser', environment: 'test' };
    const made = await stage.call<{ account: { id: string } }>('POST', '/v1/accounts', account);
    accountId = made.result.account.id;
    await stage.call('POST', '/v1/customs', { data: documentOfDraft });
    const only = { test: ['ticketing_mock_ticketing'] };
    for (let from = 0; from < count; from += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          create(`point-${from + index}`, `Place ${from + index}`, only),
        ),
      );
    await create('z-last', 'Last of many places', { test: ['*'] });
    await create('z-production', 'Last of many in production', { prod: ['*'] });
    await create('z-chat', 'Last of many for others', { test: ['ticketing_github'] });
  });

  it('finds each of any number by a part of its name, and offers those that allow the system', async () => {
    const page = await openWizard('ticketing_mock_ticketing');
    const field = page.getByRole('combobox', { name: label });
    await stage.tab.expectInput(field, 'None');
    await field.fill('last of many');
    await page.getByRole('option', { name: 'Last of many places' }).waitFor();
    expect(await page.getByRole('listbox').getByRole('option').count()).toBe(1);
    await stage.tab.expectAccessible('the choice of an integration point in the wizard');
    await page.getByRole('option', { name: 'Last of many places' }).click();
    await stage.tab.expectInput(field, 'Last of many places');
    await page.getByText(/for customers in test are offered/).waitFor();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'The token of this integration' }).waitFor();
    const { result: point } = await stage.call<{ id: string }>(
      'GET',
      '/v1/integration-points/z-last',
    );
    const { result } = await stage.call<{ integration_point_id: string }[]>(
      'GET',
      `/v1/integrations/${accountId}`,
    );
    expect(result.map((one) => one.integration_point_id)).toEqual([point.id]);
  });

  it('is not asked where no integration point allows the system', async () => {
    await stage.call('DELETE', '/v1/integration-points/z-chat');
    const page = await openWizard('ticketing_jira');
    await page.getByRole('combobox', { name: label }).waitFor();
    const patch = [{ op: 'replace', path: '/environments/test', value: [] }];
    await stage.call('PATCH', '/v1/integration-points/z-last', patch);
    await page.reload();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    await page.getByRole('combobox', { name: label }).waitFor({ state: 'detached' });
  });

  it('is of points that name drafts, which their page marks', async () => {
    await create('drafts', 'Place of drafts', { test: ['*'] });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/points/drafts');
    const test = page.getByRole('group', { name: 'Customers in test may connect' }).first();
    await test.getByLabel('Only some').check();
    await test.getByLabel(/^Find a system/).fill('orbit');
    await test.getByLabel('Orbit Desk In development Not for production').check();
    const production = page
      .getByRole('group', { name: 'Customers in production may connect' })
      .first();
    await production.getByLabel('Only some').check();
    await production.getByRole('button', { name: 'Show them all the same' }).click();
    await production.getByLabel(/^Find a system/).fill('orbit');
    await production.getByLabel(/^Orbit Desk/).check();
    await production.getByText('Customers in production are offered Orbit Desk.').waitFor();
    await stage.tab.expectAccessible('an integration point that names a draft');
    await page.getByRole('button', { name: 'Save integration point' }).click();
    await page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    const { result } = await stage.call<object>('GET', '/v1/integration-points/drafts');
    expect(result).toMatchObject({ environments: { test: [draft], prod: [draft] } });
    await stage.tab.show(`/integrations/new?account=${accountId}&provider=${draft}`);
    await stage.tab.chooseFound(label, 'Place of drafts');
  });
});
