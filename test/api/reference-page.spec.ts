import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { chromiumPath, connectChromium, inBrowser } from '#test/harness';
import { type Service, startService } from './service.js';

(chromiumPath ? describe : describe.skip)(inBrowser('the API reference in a browser'), () => {
  let service: Service;
  let browser: Browser;
  let integrationToken: string;
  let page: Page;
  /** Everything that must not happen: messages on the console, violations of the policy, requests to other hosts. */
  let faults: string[];

  beforeAll(async () => {
    service = await startService();
    const account = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {
      name: 'demo',
    });
    await service.call('POST', `/v1/integrations/${account.result.account.id}`, {
      name: 'people',
      provider_config: { type: 'identity_okta_mock', dataset: 'basic_v0' },
    });
    const created = await service.call<{ token: { access: { secret: string } } }>(
      'POST',
      `/v1/integrations/${account.result.account.id}`,
      { name: 'desk', provider_config: { type: 'ticketing_mock_ticketing' } },
    );
    integrationToken = created.result.token.access.secret;
    browser = await connectChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function openPage(width: number, path: string): Promise<void> {
    page = await browser.newPage({ viewport: { width, height: 900 } });
    faults = [];
    page.on('console', (message) => {
      const isDeprecation = message.text().startsWith('Deprecated: '); // A message of the library about any
      // underscore in an id.
      if (message.type() === 'error' && !isDeprecation) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => {
      faults.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== service.url) faults.push(request.url());
    });
    await page.goto(`${service.url}${path}`);
  }
  afterEach(() => page.close());

  const useToken = async (token: string) => {
    await page.getByLabel('Token for requests').fill(token);
    await page.getByRole('button', { name: 'Use' }).click();
  };

  describe.each([1_280, 375])('%i pixels wide', (width) => {
    it('shows both APIs without a token, asks nothing and loads nothing from outside', async () => {
      await openPage(width, '/reference');
      await page.getByRole('heading', { name: /Onefold management API/ }).waitFor();
      await page.locator('#operations-tag-accounts').waitFor();
      await page.getByRole('link', { name: 'Connector API' }).click();
      await page.getByRole('heading', { name: /Onefold connector API/ }).waitFor();
      await page.locator('#operations-tag-ticketing').waitFor();
      await page.getByLabel('Group').selectOption('storage');
      await page.locator('#operations-tag-storage').waitFor();
      expect(await page.locator('body').innerText()).not.toMatch(/swagger|smartbear/i);
      expect(await page.locator('.topbar').count()).toBe(0);
      expect(faults).toEqual([]);
    });

    it('sends the request of the printed address with the Integration token of the field', async () => {
      await openPage(width, '/reference/?api=connector#/ticketing/ticketing_query_tickets');
      const execute = page.getByRole('button', { name: 'Execute' });
      await execute.waitFor();
      await useToken(integrationToken);
      await execute.click();
      const body = page.locator('.live-responses-table .response-col_description');
      await body.getByText('ITS-1001').first().waitFor();
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);
      expect(faults).toEqual([]);
    });
  });

  it('keeps the token for this tab, and for this tab only', async () => {
    await openPage(1_280, '/reference/');
    await useToken(service.administrator.access);
    await page.getByText('until this tab is closed').waitFor();
    await page.reload();
    await page.getByText('until this tab is closed').waitFor();
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    await page.getByRole('button', { name: 'Forget' }).click();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('lets the holder of an Organization token choose an integration, and try it', async () => {
    await openPage(1_280, '/reference/');
    await useToken(service.administrator.access);
    const choice = page.getByLabel('Integration', { exact: true });
    await choice.waitFor();
    const groups = (await choice.locator('optgroup').all()).map(
      async (group) => `${await group.getAttribute('label')}: ${await group.textContent()}`,
    );
    const offered = await Promise.all(groups);
    expect(offered).toEqual([
      expect.stringMatching(/^identity: people \(/),
      'ticketing: desk (Mock Ticketing)',
    ]);
    const people = offered[0]?.replace('identity: ', '') ?? '';
    await choice.selectOption({ label: 'desk (Mock Ticketing)' });
    await page.getByRole('heading', { name: /Onefold connector API/ }).waitFor();
    await page.getByText('Requests are sent to desk').waitFor();
    await page.getByText('/v1/ticketing/tickets', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Execute' }).click();
    const body = page.locator('.live-responses-table .response-col_description');
    await body.getByText('ITS-1001').first().waitFor();
    await choice.selectOption({ label: people });
    await page.getByText('Requests are sent to people').waitFor();
    await page.locator('#operations-tag-identity').waitFor();
    expect(faults).toEqual([]);
  });

  it('says why no integration can be chosen', async () => {
    await openPage(1_280, '/reference/');
    await useToken('ofo_unknown');
    await page.getByText('The integrations of the Organization token cannot be used').waitFor();
    expect(await page.getByLabel('Integration', { exact: true }).isVisible()).toBe(false);
  });

  it('shows the API that a token is for, and says what is not a token', async () => {
    await openPage(1_280, '/reference/');
    await useToken('hunter2');
    await page.getByText('This is not a token of either API').waitFor();
    await useToken(integrationToken);
    await page.getByRole('heading', { name: /Onefold connector API/ }).waitFor();
    await page.getByText('with the Integration token ofi_').waitFor();
  });
});
