import { beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumPath, inBrowser } from '#test/harness';
import { useStage } from './stage.js';

/** More than a page of a list may have. */
const maxPage = 200;
const atOnce = 10;
/** Number of records on a page of the console. */
const pageSize = 50;

(chromiumPath ? describe : describe.skip)(inBrowser('more accounts than a page has'), () => {
  const stage = useStage();
  let accountId = '';

  beforeAll(async () => {
    const names = Array.from({ length: maxPage + 1 }, (_, index) => `many-${index}`);
    const create = (name: string, fullname: string) =>
      stage.call<{ account: { id: string } }>('POST', '/v1/accounts', { name, fullname });
    for (let from = 0; from < names.length; from += atOnce)
      await Promise.all(names.slice(from, from + atOnce).map((name) => create(name, name)));
    accountId = (await create('the-last', 'Last of many')).result.account.id;
    const provider_config = { type: 'ticketing_mock_ticketing' };
    const body = { name: 'desk', fullname: 'Desk of the last', provider_config };
    await stage.call('POST', `/v1/integrations/${accountId}`, body);
  });

  it('name each account in the audit trail, and find each operation and member', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/audit');
    const trail = page.getByRole('region', { name: 'Records of the audit trail' });
    await stage.tab.chooseFound('Operation', 'accounts_create');
    await trail.getByText('Last of many', { exact: true }).first().waitFor();
    expect(await trail.getByText(accountId, { exact: true }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Who' }).fill('nobody has this name');
    await page.getByText('No member has a name like this.').waitFor();
  });

  it('are all found by filters and dialogs', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/integrations');
    await stage.tab.chooseFound('Account', 'Last of many');
    await page.locator('tbody th').filter({ hasText: 'Desk of the last' }).waitFor();
    expect(new URL(page.url()).searchParams.get('account')).toBe(accountId);
    await stage.tab.choose('Tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await stage.tab.chooseFound('Account', 'Last of many', page.getByRole('dialog'));
    await page.getByText(/in the account Last of many, for 90 days/).waitFor();
  });

  it('are all offered for a link of an integration point, which says that one is needed', async () => {
    const { result } = await stage.call<{ id: string }>('POST', '/v1/integration-points', {
      name: 'many',
      connector: 'ticketing',
      environments: { test: ['*'], prod: ['*'] },
    });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/points/${result.id}`);
    await page.getByRole('button', { name: /^Link for a customer/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText('Choose one.').waitFor();
    await stage.tab.chooseFound('Customer', 'Last of many', dialog);
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await page.getByRole('heading', { name: 'The link for the customer' }).waitFor();
  });

  it('have pages of credentials, and name who uses one of the last', async () => {
    const keys = Array.from({ length: pageSize + 1 }, (_, index) => `Key ${index + 100}`);
    let last = '';
    for (const fullname of keys) {
      const body = { fullname, config: { type: 'token', secret: stage.githubSecret } };
      const { result } = await stage.call<{ id: string }>(
        'POST',
        `/v1/credentials/${accountId}`,
        body,
      );
      last = result.id;
    }
    const { result: made } = await stage.call<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${accountId}`,
      {
        fullname: 'User of the last key',
        provider_config: {
          type: 'ticketing_github',
          url: stage.githubUrl,
          repository: 'alderpoint/desk',
          credential: { type: 'token_id', value: last },
        },
      },
    );
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/accounts/${accountId}`);
    const credentials = page.getByRole('region', { name: 'Credentials' });
    await credentials.getByRole('rowheader', { name: 'Key 100' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Pages of credentials' })
      .getByRole('button', { name: 'Next' })
      .click();
    const row = credentials.getByRole('row').filter({ hasText: keys.at(-1) ?? '' });
    await row.getByRole('link', { name: 'User of the last key' }).waitFor();
    await stage.tab.show(`/integrations/${accountId}/${made.integration.id}`);
    await page.getByText(`${keys.at(-1)}`).waitFor();
  });

  it('leave “Go to” the way to providers, webhooks, members, points, mappings and actions', async () => {
    const webhook = await stage.call<{ id: string }>('POST', '/v1/organization/webhooks', {
      name: 'feed',
      fullname: 'Feed of the palette',
      filters: ['all'],
      url: `${stage.githubUrl}/hooks`,
      secret: { value: 'an-example-of-32-characters-long' },
    });
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const goTo = async (text: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /by name or id/ }).fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    await goTo('of the palette', /Feed of the palette Webhook/);
    await page.getByRole('heading', { name: 'Feed of the palette' }).waitFor();
    await goTo(webhook.result.id, /Feed of the palette Webhook/);
    await goTo('github iss', /^GitHub Issues Provider$/);
    await page.getByRole('heading', { name: 'GitHub Issues', level: 1 }).waitFor();
    for (const [text, action, title] of [
      ['new acc', /New account Action/, 'New account'],
      ['new tok', /New token Action/, 'New token'],
      ['run a', /Run a job Action/, 'Run a job'],
    ] as const) {
      await goTo(text, action);
      await page.getByRole('dialog').getByRole('heading', { name: title }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});
