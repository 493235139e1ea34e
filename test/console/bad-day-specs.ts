import { expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { until } from '#test/harness';
import type { Stage } from './stage.js';

const manyAccounts = 1_000_000;
const scripts = [
  ['bad-day-arabic', 'شركة الأمل 42'],
  ['bad-day-hebrew', 'חברת ‮תקווה‬ (צפון)'],
  ['bad-day-override', 'Acme ‮cod.exe'],
  ['bad-day-japanese', '株式会社 希望'],
  ['bad-day-emoji', '👩‍👩‍👧‍👦 Família & <b>Filhos</b>'],
  ['bad-day-thai', 'บริษัทความหวังจำกัดมหาชนที่ไม่มีช่องว่างระหว่างคำเลยแม้แต่ที่เดียว'],
  ['bad-day-marks', 'Z̴͇͆a̷̙͝l̶̤̈́g̵͉̈́o̸̗͝'],
] as const;

/** Specs of days on which something is wrong: no service, a permission that was taken away, very long lists, names of every script. */
export function badDaySpecs(stage: Stage): void {
  it('keeps a form while the service is down, and makes one record once it is back', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/accounts');
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('bad-day-down');
    await page.getByLabel('Full name').fill('Down');
    let isDown = true;
    // Refuses, then answers too late: the account is stored, and nobody is told.
    let isLost = false;
    await page.route('**/v1/**', async (route) => {
      if (!isDown) return route.continue();
      if (isLost && route.request().method() === 'POST') {
        await route.fetch();
        isLost = false;
      }
      return route.abort('connectionrefused');
    });
    const create = page.getByRole('button', { name: 'Create account' });
    await create.click();
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.getByText('The service did not respond').waitFor();
    expect(await page.getByLabel('Full name').inputValue()).toBe('Down');
    isLost = true;
    await create.click();
    // The problem of before goes and comes again, faster than somebody can look.
    await until(() => !isLost);
    await alert.getByText('The service did not respond').waitFor();
    isDown = false;
    await create.click();
    await page.getByRole('rowheader', { name: 'Down' }).waitFor();
    const { result } = await stage.call<unknown[]>(
      'GET',
      `/v1/accounts?filter=${encodeURIComponent('fullname[eq]Down')}`,
    );
    expect(result).toHaveLength(1);
    isDown = true;
    await page.reload();
    await alert
      .or(page.getByRole('alert'))
      .first()
      .getByText('The service did not respond')
      .waitFor();
    await stage.tab.expectAccessible('accounts, without the service');
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('table').waitFor();
    // The browser says on its console that these requests failed.
    const refused = stage.tab.faults.filter((one) => one.includes('net::ERR_CONNECTION_REFUSED'));
    stage.tab.faults.splice(
      0,
      Infinity,
      ...stage.tab.faults.filter((one) => !refused.includes(one)),
    );
  }, 180_000);

  it('keeps a form when a permission is taken away meanwhile, and names it', async () => {
    const person = { name: 'meanwhile@example.com', secret: 'correct horse battery' };
    const made = await stage.call<{ member: { id: string } }>('POST', '/v1/members', {
      ...person,
      role_binding: ['administrator'],
    });
    const page = await stage.open();
    await stage.tab.show('/');
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByLabel('Organization').fill(stage.organization);
    await page.getByLabel('Member').fill(person.name);
    await page.locator('input[type=password]').fill(person.secret);
    await page.getByRole('button', { name: 'Log on', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await stage.tab.choose('Accounts');
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('bad-day-meanwhile');
    await page.getByLabel('Full name').fill('Meanwhile');
    const roles = [{ op: 'replace', path: '/role_binding', value: ['viewer'] }];
    await stage.call('PATCH', `/v1/members/${made.result.member.id}`, roles);
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create account' });
    await create.click();
    await page
      .getByText('Ask an administrator for the permission “Accounts: create”, accounts.create.')
      .waitFor();
    expect(await page.getByLabel('Full name').inputValue()).toBe('Meanwhile');
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    const before = stage.tab.writes.length;
    await create.dispatchEvent('click');
    expect(stage.tab.writes.length).toBe(before);
    await page.keyboard.press('Escape');
    await page.getByText('Needs the permission “Accounts: create”, accounts.create.').waitFor();
  }, 180_000);

  it('asks for pages alone of a list of a million accounts, and finds one of them by name', async () => {
    const page = await stage.open();
    let sent = 0;
    const account = (index: number) => {
      const name = `a${String(index).padStart(7, '0')}`;
      return {
        id: `acc_${name}`,
        name,
        fullname: `Customer ${index}`,
        organization_id: 'org_x',
        environment: 'test',
        labels: [],
        created_at: new Date(0).toISOString(),
        updated_at: new Date(0).toISOString(),
      };
    };
    await page.route(/\/v1\/accounts(?:\?|$)/, async (route: Route) => {
      const { searchParams } = new URL(route.request().url());
      const limit = Number(searchParams.get('limit') ?? manyAccounts);
      const wanted = /Customer (\d+)/.exec(searchParams.getAll('filter').join())?.[1];
      const first = Number((searchParams.get('start_after') ?? 'a-1').slice(1)) + 1;
      const found = wanted === undefined ? manyAccounts - first : 1;
      const length = Math.min(limit, found);
      sent += length;
      const begin = wanted === undefined ? first : Number(wanted);
      await route.fulfill({
        json: { result: Array.from({ length }, (_, index) => account(begin + index)) },
      });
    });
    await stage.tab.showTo(stage.token, '/accounts');
    const rows = page.getByRole('row');
    await page.getByRole('link', { name: 'Customer 49', exact: true }).waitFor();
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Customer 99', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByRole('link', { name: 'Customer 0', exact: true }).waitFor();
    await page.getByLabel('Name contains').fill('Customer 999999');
    await page.getByRole('link', { name: 'Customer 999999', exact: true }).waitFor();
    expect(await rows.count()).toBe(2);
    await stage.tab.choose('Tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await stage.tab.chooseFound('Account', 'Customer 999998');
    await page.keyboard.press('Escape');
    await stage.tab.choose('Integrations');
    await page.getByRole('button', { name: 'Connect a system' }).click();
    await page.getByRole('button', { name: /^Customer 0\b/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /by name or id/ }).fill('Customer 123456');
    await page.getByRole('option', { name: /Customer 123456/ }).waitFor();
    expect(sent).toBeLessThan(2_000);
  }, 180_000);

  it.each([
    { colorScheme: 'light' as const, width: 1_280 },
    { colorScheme: 'dark' as const, width: 320 },
  ])(
    'shows names of every script as they are, $width pixels wide',
    async (options) => {
      const known = await stage.call<{ name: string }[]>('GET', '/v1/accounts?limit=200');
      const there = new Set(known.result.map(({ name }) => name));
      for (const [name, fullname] of scripts)
        if (!there.has(name)) await stage.call('POST', '/v1/accounts', { name, fullname });
      const page = await stage.open(options);
      await stage.tab.showTo(stage.token, '/accounts?name=');
      for (const [, fullname] of scripts) {
        await page.getByLabel('Name contains').fill([...fullname].slice(0, 3).join(''));
        // The name is alone in an element that isolates it, so that it turns nothing around it.
        const isolated = page.locator('th bdi').filter({ hasText: fullname });
        await isolated.waitFor();
        expect(await isolated.textContent()).toBe(fullname);
        expect(await page.locator('th b').count()).toBe(0);
      }
      await page.getByLabel('Name contains').fill('');
      await page.getByRole('row').nth(2).waitFor();
      await stage.tab.expectAccessible('accounts with names of every script');
    },
    180_000,
  );
}
