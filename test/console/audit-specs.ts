import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '#test/harness';
import type { Stage } from './stage.js';

/** Specs of the audit trail: what it shows of a change, how it is filtered and paged, and who may not read it. */
export function auditSpecs(stage: Stage): void {
  const rowsOf = (page: Page) => page.locator('.trail > li');

  it('leads from an integration to who changed it, with what it was before and after', async () => {
    await stage.call('POST', '/v1/accounts', { name: 'traced', fullname: 'Traced' });
    const { result } = await stage.call<{ integration: { id: string; account_id: string } }>(
      'POST',
      '/v1/integrations/traced',
      {
        name: 'traced',
        fullname: 'Issues of traced',
        provider_config: {
          type: 'ticketing_github',
          url: stage.githubUrl,
          repository: 'alderpoint/desk',
          credential: { type: 'token', secret: 'canary-of-the-trail' },
        },
      },
    );
    const { id, account_id: account } = result.integration;
    const path = `/v1/integrations/${account}/${id}`;
    const rename = (value: string) =>
      stage.call('PATCH', path, [{ op: 'replace', path: '/fullname', value }]);
    await rename('Renamed');
    const page = await stage.open();
    await stage.tab.setClock();
    await stage.tab.showTo(stage.token, `/integrations/${account}/${id}`);
    await page.getByRole('link', { name: 'Who changed it' }).click();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    expect(new URL(page.url()).searchParams.get('record')).toBe(id);
    const changed = rowsOf(page).filter({ hasText: 'integrations_patch' });
    await changed.getByText(/^What changed/).click();
    const cells = async () =>
      (await changed.getByRole('row').allInnerTexts()).map((one) => one.split(/\s*\t\s*/));
    await changed.getByRole('cell', { name: 'Issues of traced' }).waitFor();
    expect(await cells()).toEqual([
      ['Field', 'Before', 'After'],
      ['fullname', 'Issues of traced', 'Renamed'],
    ]);
    const created = rowsOf(page).filter({ hasText: 'integrations_create' });
    await created.getByText(/^What changed/).click();
    await created.getByRole('row', { name: 'provider_config/credential/secret hidden' }).waitFor();
    expect(await page.content()).not.toContain('canary-of-the-trail');
    await rename('Renamed again');
    const news = page.getByRole('button', { name: /^Show \d+ new$/ });
    await stage.tab.expectPolled(news);
    await news.click();
    await changed.nth(1).waitFor();
  });

  it('is filtered by operation, record and time, and paged; the address has all of it', async () => {
    const { result } = await stage.call<{ account: { id: string } }>('POST', '/v1/accounts', {
      name: 'paged',
      fullname: 'Paged',
    });
    const { id } = result.account;
    for (let count = 1; count <= 52; count += 1)
      await stage.call('PATCH', '/v1/accounts/paged', [
        { op: 'replace', path: '/fullname', value: `Paged ${count}` },
      ]);
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/audit');
    await stage.tab.chooseFound('Operation', 'accounts_patch');
    await page.getByRole('searchbox', { name: 'Record' }).fill(id);
    await page.getByRole('searchbox', { name: 'Record' }).press('Enter');
    await rowsOf(page).nth(49).waitFor();
    await page
      .getByText(/^What changed/)
      .first()
      .click();
    await page.getByRole('row', { name: 'fullname Paged 51 Paged 52' }).waitFor();
    const first = await rowsOf(page).locator('summary .unseen').allInnerTexts();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    const second = await eventually(async () => {
      const shown = await rowsOf(page).locator('summary .unseen').allInnerTexts();
      expect(shown).toHaveLength(2);
      return shown;
    });
    expect(new Set(first).size).toBe(50);
    expect(first.filter((one) => second.includes(one))).toEqual([]);
    const shown = page.url();
    await page.reload();
    await rowsOf(page).nth(1).waitFor();
    expect(page.url()).toBe(shown);
    await page.getByLabel('From', { exact: true }).fill('2100-01-01T00:00');
    await page.getByText('No record of the trail is like this.').waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    await rowsOf(page).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('names the permission to somebody who may not read the trail, and asks for none of it', async () => {
    const manager = await stage.createToken('account-manager');
    const page = await stage.open();
    await stage.tab.logOn(manager.secret);
    // The menu leads nowhere then, and an address or the palette still does.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /by name or id/ }).fill('Audit');
    await page.getByRole('option', { name: /^Audit/ }).click();
    await page.getByText('Needs the permission “Audit: list”, audit.list.').waitFor();
    expect(stage.tab.requests).not.toContain('GET /v1/audit/organizations');
  });
}
