import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Receiver } from '#test/harness';
import type { Stage } from './stage.js';

/** Specs of what lists can be limited to, of what the overview says beside the states, and of the secret of a webhook. */
export function listSpecs(stage: Stage): void {
  it('limits the integrations to a domain, a provider and an account, and counts them when asked', async () => {
    await stage.call('POST', '/v1/accounts', { name: 'limited', fullname: 'Account limited' });
    await stage.call('POST', '/v1/integrations/limited', {
      name: 'limited-desk',
      fullname: 'Desk of limited',
      provider_config: { type: 'ticketing_mock_ticketing', name: 'limited' },
    });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/integrations');
    await page.getByLabel('Domain').selectOption('Chat');
    const names = page.locator('tbody th');
    await names.filter({ hasText: 'Desk of limited' }).waitFor({ state: 'detached' });
    await names.first().waitFor();
    await page.getByRole('button', { name: 'Count all' }).click();
    await page.getByText(/^\d+ in all\.$/).waitFor();
    expect(await page.getByText(/^\d+ in all\.$/).innerText()).toBe(
      `${await names.count()} in all.`,
    );
    await page.getByLabel('Domain').selectOption('Ticketing');
    await stage.tab.chooseFound('Provider', 'Mock Ticketing');
    await stage.tab.chooseFound('Account', 'Account limited');
    await names.filter({ hasText: 'Desk of limited' }).waitFor();
    expect(await names.count()).toBe(1);
    await page.getByLabel('State').selectOption('Healthy');
    await page.getByText('No integration is like this.').waitFor();
    await page.goBack();
    await names.filter({ hasText: 'Desk of limited' }).waitFor();
  });

  it('finds integrations by name or customer, orders them, and verifies those that are chosen', async () => {
    await stage.call('POST', '/v1/accounts', { name: 'searched', fullname: 'Searched 100% GmbH' });
    const made = async (name: string, fullname: string, provider_config: object) =>
      (
        await stage.call<{ token: { access: { secret: string } } }>(
          'POST',
          '/v1/integrations/searched',
          { name, fullname, provider_config },
        )
      ).result.token.access.secret;
    await made('works', 'Aardvark desk', { type: 'ticketing_mock_ticketing', name: 'works' });
    const refused = await made('refused', 'Refused desk', {
      type: 'ticketing_github',
      repository: 'alderpoint/desk',
      url: stage.githubUrl,
      credential: { type: 'token', secret: 'wrong' },
    });
    await fetch(`${stage.url}/v1/ticketing/tickets`, {
      headers: { authorization: `Bearer ${refused}` },
    });
    const page = await stage.open();
    await stage.tab.setClock();
    await stage.tab.showTo(stage.token, '/integrations');
    await page.getByLabel('Name or customer contains').fill('searched 100%');
    const names = page.locator('tbody th');
    await stage.tab.afterPolls(async () => {
      expect(await names.allInnerTexts()).toEqual(['Refused desk', 'Aardvark desk']);
      expect(await page.getByRole('cell', { name: 'Credentials refused' }).count()).toBe(1);
    });
    await page.getByLabel('Order').selectOption('Name');
    await stage.tab.afterPolls(async () =>
      expect(await names.allInnerTexts()).toEqual(['Aardvark desk', 'Refused desk']),
    );
    expect(new URL(page.url()).searchParams.get('order')).toBe('name');
    await page.getByLabel('All of this page').check();
    await page.getByLabel('Choose Aardvark desk').uncheck();
    await page.getByRole('button', { name: 'Verify the chosen one' }).waitFor();
    await page.getByLabel('Choose Aardvark desk').check();
    await page.getByRole('button', { name: 'Verify the chosen 2' }).click();
    const checks = page.getByRole('region', { name: 'Checks' });
    await checks.getByText('2 checked, 1 failed.').waitFor();
    expect(await checks.getByRole('link').allInnerTexts()).toEqual([
      'Refused desk',
      'Aardvark desk',
    ]);
    await stage.tab.expectAccessible('integrations, some verified');
    await page.getByRole('cell', { name: 'Searched 100% GmbH' }).first().waitFor();
    await stage.tab.show('/accounts/searched');
    await page.getByLabel('Name contains').first().fill('aard');
    await names.filter({ hasText: 'Refused desk' }).waitFor({ state: 'detached' });
    await names.filter({ hasText: 'Aardvark desk' }).waitFor();
    await stage.tab.expectAccessible('integrations of an account');
  });

  it('says on the overview which tokens end soon, and lists tokens by their kind', async () => {
    const body = {
      fullname: 'Ends in ten days',
      permission_set: 'viewer',
      token_ttl: '240h',
      resources: { organizations: { ids: ['*'] } },
    };
    await stage.call('POST', '/v1/tokens', body);
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const ending = page.getByRole('region', { name: /^Tokens that end/ });
    await ending.getByText('Ends in ten days').waitFor();
    await page.getByRole('region', { name: 'Last alarms' }).waitFor();
    await stage.tab.choose('Tokens');
    await page.getByLabel('Kind').selectOption('Of integrations');
    const row = page.getByRole('rowheader', { name: /Ends in ten days/ });
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Kind').selectOption('Of programs, for the organization');
    await row.waitFor();
    await page.getByRole('cell', { name: 'viewer the whole organization' }).first().waitFor();
  });

  it('keeps the open record of the trail in the address', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/audit');
    await page.locator('.trail summary').nth(1).click();
    const detail = page.locator('.detail');
    await detail.waitFor();
    const address = page.url();
    expect(address).toContain('open=');
    await page.reload();
    await detail.waitFor();
    expect(await page.locator('.trail > li').nth(1).locator('.detail').count()).toBe(1);
  });

  it('replaces the secret of a webhook, by which the next delivery is signed, and checks a signature in the page', async () => {
    const receiver = await Receiver.start();
    try {
      const made = await stage.call<{ id: string }>('POST', '/v1/organization/webhooks', {
        name: 'signed',
        fullname: 'Signed',
        environment: 'test',
        filters: ['all'],
        url: receiver.url,
        secret: { value: 'an-example-of-32-characters-long' },
      });
      let signature: string | undefined;
      let body = '';
      receiver.answer = (request, response) => {
        const { headers } = request;
        signature = String(headers['x-onefold-signature']);
        body = request.body;
        response.writeHead(204).end();
      };
      const page = await stage.open();
      await stage.tab.showTo(stage.token, `/webhooks/${made.result.id}`);
      await page.getByRole('button', { name: 'Replace secret' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Replace secret' }).click();
      const secret = await dialog.getByLabel('Secret', { exact: true }).innerText();
      await dialog.getByRole('button', { name: 'I do not need it' }).click();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.locator('ol.lines').getByText('Delivered', { exact: true }).first().waitFor();
      const hex = createHmac('sha256', secret).update(body).digest('hex');
      expect(signature).toBe(`sha256=${hex}`);
      await page.getByText('Check a signature').first().click();
      await page.getByLabel('Secret', { exact: true }).fill(secret);
      await page.getByLabel('x-onefold-signature').fill(`sha256=${hex}`);
      await page.getByLabel('Body, as your receiver got it').fill(body);
      await page.getByRole('button', { name: 'Check this signature' }).click();
      await page.getByText('It is right').waitFor();
      await stage.tab.expectAccessible('webhook with a signature');
      await page.getByLabel('Body, as your receiver got it').fill(`${body} `);
      await page.getByRole('button', { name: 'Check this signature' }).click();
      await page.getByText('It is not the signature').waitFor();
      await page.getByRole('button', { name: 'Send deliveries again' }).click();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('They are sent again').first().waitFor({ state: 'attached' });
      await stage.call('DELETE', `/v1/organization/webhooks/${made.result.id}`);
    } finally {
      await receiver.stop();
    }
  });
}
