import { expect, it } from '@jest/globals';
import { ownAccessSpecs } from './own-access-specs.js';
import { describeInBrowser } from './stage.js';

describeInBrowser('what was a dead end in the console', (stage) => {
  ownAccessSpecs(stage);
  it('makes a link to renew the access of a system that was connected without an integration point', async () => {
    const { result } = await stage.call<{ id: string; account_id: string; category: string }[]>(
      'GET',
      '/v1/integrations?limit=200',
    );
    const found = result.find(({ category }) => category === 'siem');
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/integrations/${found?.account_id}/${found?.id}`);
    await page.getByRole('button', { name: 'Let the customer renew the access' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('which offers customers nothing else').waitFor();
    await stage.tab.expectAccessible('link for a system without an integration point');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const url = await dialog.getByLabel('Link for the customer', { exact: true }).innerText();
    const link = new URLSearchParams(new URL(url).hash.slice(1)).get('link') ?? '';
    const opened = await stage.call<{ session: { integration_id: string } }>(
      'POST',
      '/v1/connect/session',
      undefined,
      link,
    );
    expect(opened.result.session.integration_id).toBe(found?.id);
  });

  it('makes a token of an integration, which calls it', async () => {
    const { result } = await stage.call<{ id: string; account_id: string }[]>(
      'GET',
      '/v1/integrations?filter=name[eq]service-desk',
    );
    const [desk] = result;
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/integrations/${desk?.account_id}/${desk?.id}?tab=tokens`);
    const tokens = page.getByRole('region', { name: 'Tokens' });
    await tokens.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name (optional)').fill('backend-2');
    await stage.tab.expectAccessible('new token of an integration');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = await dialog.getByLabel('Token', { exact: true }).innerText();
    const response = await fetch(`${stage.url}/v1/ticketing/tickets?limit=1`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(response.status).toBe(200);
    await dialog.getByRole('button', { name: 'I do not need it' }).click();
    await tokens.getByText('backend-2').first().waitFor();
  });

  it('changes the address and the events of a webhook, and refuses to undo the change of somebody else', async () => {
    const { result } = await stage.call<{ id: string }>('POST', '/v1/organization/webhooks', {
      name: 'feed',
      fullname: 'Feed',
      environment: 'test',
      filters: ['all'],
      url: 'https://hooks.example.com/old',
      secret: { value: 'an-example-of-32-characters-long' },
    });
    const path = `/v1/organization/webhooks/${result.id}`;
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/webhooks/${result.id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.getByLabel('Address').fill('https://hooks.example.com/new');
    await dialog.getByLabel('account_create').check();
    await stage.tab.expectAccessible('change of a webhook');
    await dialog.getByRole('button', { name: 'Save webhook' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('https://hooks.example.com/new').waitFor();
    const { result: stored } = await stage.call<{ filters: string[] }>('GET', path);
    expect(stored.filters).toEqual(['account_create']);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.getByLabel('Address').fill('https://hooks.example.com/mine');
    await stage.call('PATCH', path, [
      { op: 'replace', path: '/url', value: 'https://hooks.example.com/theirs' },
    ]);
    await dialog.getByRole('button', { name: 'Save webhook' }).click();
    await dialog.getByRole('alert').waitFor();
    const { result: kept } = await stage.call<{ url: string }>('GET', path);
    expect(kept.url).toBe('https://hooks.example.com/theirs');
  });
});
