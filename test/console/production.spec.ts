import { expect, it } from '@jest/globals';
import { describeInBrowser } from './stage.js';

const mock = 'Mock Ticketing';

describeInBrowser('customers in production', (stage) => {
  const create = async (name: string, environment: string) =>
    (
      await stage.call<{ account: { id: string } }>('POST', '/v1/accounts', {
        name,
        fullname: `Customer ${name}`,
        environment,
      })
    ).result.account.id;

  it('are offered no mock in the wizard, and one on purpose once their name is typed', async () => {
    const account = await create('live', 'prod');
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/integrations/new?account=${account}&mocks=shown`);
    await page.getByRole('button', { name: /^GitHub Issues/ }).waitFor();
    await page.getByText(/The customer is in production, and \d+ systems are not/).waitFor();
    const tiles = await page.locator('.tile').allInnerTexts();
    expect(tiles.filter((text) => /mock/i.test(text))).toEqual([]);
    await page.getByLabel('Find a system').fill('mock ticketing');
    await page.getByText('What is called like this is not for production.').waitFor();
    await page.getByRole('button', { name: 'Show them all the same' }).click();
    const tile = page.getByRole('button', { name: new RegExp(`^${mock}`) });
    await tile.getByText('Not for production').waitFor();
    await stage.tab.expectAccessible('the choice of a mock for production');
    await tile.click();
    await page.getByText(`Customer live is in production, and ${mock}`).waitFor();
    const before = await stage.integrations();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/records of a made-up company/).waitFor();
    await stage.tab.expectAccessible('the question before a mock in production');
    await dialog.getByRole('button', { name: 'Connect all the same' }).click();
    await dialog.getByText('Type live to go on.').waitFor();
    expect(await stage.integrations()).toEqual(before);
    await dialog.getByLabel('Type live to confirm').fill('live');
    await dialog.getByRole('button', { name: 'Connect all the same' }).click();
    await page.getByRole('heading', { name: 'The token of this integration' }).waitFor();
    await page.getByRole('button', { name: 'I do not need it' }).click();
    await page.getByRole('link', { name: 'Watch its health' }).click();
    await page.getByText('Mock in production').waitFor();
    await stage.tab.show(`/accounts/${account}`);
    await page.getByRole('row').getByText('Mock in production').waitFor();
    await stage.tab.expectAccessible('the account of a customer with a mock in production');
  });

  it('are asked for nothing more in test', async () => {
    const account = await create('trial', 'test');
    const page = await stage.open();
    await stage.tab.showTo(
      stage.token,
      `/integrations/new?account=${account}&provider=ticketing_mock_ticketing`,
    );
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'The token of this integration' }).waitFor();
    await page.getByRole('button', { name: 'I do not need it' }).click();
    await page.getByRole('link', { name: 'Watch its health' }).click();
    await page.getByRole('heading', { name: mock }).waitFor();
    expect(await page.getByText('Mock in production').count()).toBe(0);
  });

  it('are offered a mock by an integration point that names it, and everybody is told', async () => {
    await create('linked', 'prod');
    await stage.call('POST', '/v1/integration-points', {
      name: 'with-a-mock',
      connector: 'ticketing',
      environments: { prod: ['ticketing_github', 'ticketing_mock_ticketing'] },
    });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/points');
    await page.getByRole('link', { name: 'with-a-mock' }).click();
    await page.getByText(`Customers in production are offered ${mock}.`).waitFor();
    await page.getByRole('button', { name: /^Link for a customer/ }).click();
    const dialog = page.getByRole('dialog');
    await stage.tab.chooseFound('Customer', 'Customer linked', dialog);
    await dialog.getByText(/is in production, and will be offered/).waitFor();
    await stage.tab.expectAccessible('the link to a mock in production');
  });
});
