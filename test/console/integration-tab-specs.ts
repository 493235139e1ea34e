import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { connectGithub, readTicket } from './connect-github.js';
import type { Stage } from './stage.js';

const tabNames = ['Health', 'Requests', 'Mappings', 'Schedules', 'Webhooks', 'Settings', 'Tokens'];

const tabsOf = (page: Page) => page.getByRole('navigation', { name: 'Tabs of the integration' });
const currentTab = (page: Page) => tabsOf(page).locator('[aria-current=page]');

/** Specs of the tabs of an integration, and of what its first tab says of failures. */
export function integrationTabSpecs(stage: Stage): void {
  const connect = async (name: string, credential: string) => {
    const { id, accountId, token } = await connectGithub(stage, name, credential);
    return { id, address: `/integrations/${accountId}/${id}`, token };
  };
  const read = async (token: string) => (await readTicket(stage, token)).status;

  it('has a tab for each part, with an address, which the keyboard reaches and Back leaves', async () => {
    const { address } = await connect('tabbed', stage.githubSecret);
    const page = await stage.open();
    await stage.tab.showTo(stage.token, address);
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    const links = tabsOf(page).getByRole('link');
    expect(await links.allInnerTexts()).toEqual(tabNames);
    expect(await currentTab(page).innerText()).toBe('Health');
    await links.first().focus();
    for (const name of tabNames.slice(1)) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await currentTab(page).getByText(name).waitFor();
      expect(new URL(page.url()).searchParams.get('tab')).toBe(name.toLowerCase());
      await stage.tab.expectValue('document.activeElement.textContent', name);
    }
    await page.goBack();
    await currentTab(page).getByText('Settings').waitFor();
    await page.getByRole('button', { name: 'Save settings' }).waitFor();
    await page.reload();
    await currentTab(page).getByText('Settings').waitFor();
    await stage.tab.show(`${address}?tab=of-another-version`);
    await page.getByRole('heading', { name: 'Health' }).waitFor();
  });

  it.each([375, 1_280])(
    'shows every tab without scrolling sideways, %i pixels wide',
    async (width) => {
      const { address, token } = await connect(`wide-${width}`, stage.githubSecret);
      expect(await read(token)).toBe(200);
      const page = await stage.open({ width });
      await stage.tab.logOn(stage.token);
      const overflowing: string[] = [];
      for (const name of tabNames) {
        await stage.tab.show(`${address}?tab=${name.toLowerCase()}`);
        await currentTab(page).getByText(name).waitFor();
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
        const isWide =
          'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        if (await page.evaluate<boolean>(isWide)) overflowing.push(name);
      }
      expect(overflowing).toEqual([]);
    },
  );

  it('says in the provider’s own words why the last call failed, and which states it had', async () => {
    const { address, token } = await connect('said', stage.githubSecret);
    expect(await read(token)).toBe(200);
    const credential = { type: 'token', secret: 'wrong' };
    await stage.call('PATCH', `/v1${address}`, [
      { op: 'replace', path: '/provider_config/credential', value: credential },
    ]);
    expect(await read(token)).toBe(502);
    const page = await stage.open();
    await stage.tab.setClock();
    await stage.tab.showTo(stage.token, address);
    const failure = page.getByRole('region', { name: 'Last failure' });
    await stage.tab.expectPolled(failure.getByText('Failed, 502'));
    await failure.getByText(/refuses the credential “.+” crd_\w+: Bad credentials\.$/).waitFor();
    await failure.getByText('The provider answered 401 to').waitFor();
    const states = page.getByRole('region', { name: 'History of its state' }).getByRole('listitem');
    await stage.tab.expectPolled(states.nth(1));
    expect((await states.locator('.state').allInnerTexts()).map((one) => one.trim())).toEqual([
      'Credentials refused',
      'Healthy',
    ]);
    await states
      .nth(1)
      .getByText(/, for \d+ (seconds?|minutes?)$/)
      .waitFor();
    await states
      .first()
      .getByText(/GitHub Issues refuses .*: Bad credentials\.$/)
      .waitFor();
    await page.getByText(/^Changes of the last 30 days.* Nobody gets a mail: /).waitFor();
    await failure.getByRole('link', { name: 'The whole call' }).click();
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
  });
}
