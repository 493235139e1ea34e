import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of a browser without a network, of a service that wants to be left alone, and of sessions that are renewed. */
export function connectionSpecs(stage: Stage): void {
  it('says that there is no network, keeps what was read, and goes on once there is one', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/accounts');
    await page.getByRole('rowheader').first().waitFor();
    await stage.tab.context.setOffline(true);
    await page.getByText('This browser has no network.').waitFor();
    expect(await page.getByRole('rowheader').count()).toBeGreaterThan(0);
    await stage.tab.expectAccessible('accounts, without a network');
    await stage.tab.context.setOffline(false);
    await page.getByText('This browser has no network.').waitFor({ state: 'detached' });
    await stage.tab.choose('Tokens');
    await page.getByRole('rowheader').first().waitFor();
    const { faults } = stage.tab; // The browser says on its console that requests failed meanwhile.
    faults.splice(0, Infinity, ...faults.filter((one) => !one.includes('ERR_INTERNET')));
  });

  it('counts down to the next try, and says whether a write that failed may be sent again', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    let answer = { status: 429, 'retry-after': '70' };
    await page.route('**/v1/tokens', (route) => {
      const { status, ...headers } = answer;
      if (route.request().method() !== 'POST') return route.continue();
      const body = { status, message: 'not now', instance: '/requests/x', occurred_at: '' };
      return route.fulfill({ status, headers, json: body });
    });
    await stage.tab.choose('Tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Try again in \d+ s\.$/).waitFor();
    answer = { status: 503, 'retry-after': '0' };
    await page.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Trying again is safe: it makes one record only.').waitFor();
  });

  it('renews the token of a member before it ends', async () => {
    const person = { name: 'renewed@example.com', secret: 'correct horse battery' };
    await stage.call('POST', '/v1/members', { ...person, role_binding: ['viewer'] });
    const page = await stage.open();
    // The token of a logon is valid for hours, so the page is told that this one ends soon.
    await page.route('**/v1/auth/logon/**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as {
        result: { token: { access: { expires: string } } };
      };
      body.result.token.access.expires = new Date(Date.now() + 121_000).toISOString();
      await route.fulfill({ response, json: body });
    });
    await stage.tab.show('/');
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByLabel('Organization').fill(stage.organization);
    await page.getByLabel('Member').fill(person.name);
    await page.locator('input[type=password]').fill(person.secret);
    const renewed = page.waitForResponse((one) => one.url().endsWith('/refresh'));
    await page.getByRole('button', { name: 'Log on', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const response = await renewed;
    expect(response.status()).toBe(200);
    const { result } = (await response.json()) as {
      result: { primary: { access: { secret: string } } };
    };
    await stage.tab.expectValue(
      "JSON.parse(sessionStorage.getItem('onefold.session')).token",
      result.primary.access.secret,
    );
    const used = page.waitForRequest((one) => one.url().includes('/v1/accounts'));
    await stage.tab.choose('Accounts');
    const { authorization } = await (await used).allHeaders();
    expect(authorization).toBe(`Bearer ${result.primary.access.secret}`);
    await page.getByRole('table').waitFor();
  });
}
