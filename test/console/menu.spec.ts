import { expect, it } from '@jest/globals';
import type { PageOptions } from './console-page.js';
import { describeInBrowser } from './stage.js';

const groups = {
  Connect: ['Integrations', 'Accounts', 'Integration points', 'Providers', 'Custom providers'],
  Records: ['Explorer', 'Mappings', 'Mapping studio', 'Requests', 'Jobs', 'Webhooks'],
  Access: ['Tokens', 'Members and roles', 'Single sign-on', 'Audit'],
  Organization: ['Settings', 'Billing', 'Sub-organizations'],
};

describeInBrowser('the menu of the console', (stage) => {
  it.each<PageOptions>([
    { colorScheme: 'light', width: 1_600 },
    { colorScheme: 'dark', width: 1_600 },
    { colorScheme: 'light', width: 320 },
    { colorScheme: 'dark', width: 320 },
  ])(
    'has its entries in groups with names, $colorScheme and $width pixels wide',
    async (options) => {
      const page = await stage.open(options);
      await stage.tab.logOn(stage.token);
      const menu = page.getByRole('navigation', { name: 'Screens' });
      const fold = menu.getByRole('button', { name: 'Menu' });
      expect(await fold.isVisible()).toBe(options.width === 320);
      if (options.width === 320) {
        expect(await menu.getByRole('list').count()).toBe(0);
        await fold.click();
      }
      for (const [name, titles] of Object.entries(groups)) {
        const entries = menu.getByRole('list', { name, exact: true }).getByRole('link');
        expect([name, await entries.allInnerTexts()]).toEqual([name, titles]);
        expect(await entries.locator('.icon').count()).toBe(titles.length);
      }
      await stage.tab.expectAccessible('menu');
      const list = menu.getByRole('list', { name: 'Access', exact: true });
      await list.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
      if (options.width === 320) expect(await menu.getByRole('list').count()).toBe(0);
      else expect(await menu.locator('[aria-current=page]').allInnerTexts()).toEqual(['Audit']);
    },
  );

  it('goes from group to group by Tab, in the order that is seen', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const menu = page.getByRole('navigation', { name: 'Screens' });
    await menu.getByRole('link', { name: 'Overview', exact: true }).focus();
    for (const title of [...Object.values(groups).flat(), 'API reference', 'Documentation']) {
      await page.keyboard.press('Tab');
      await stage.tab.expectValue('document.activeElement.innerText', title);
    }
  });

  it('names the permission of each screen that the token may not use, and leads to none', async () => {
    const { secret } = await stage.createToken('account-manager');
    const page = await stage.open();
    await stage.tab.logOn(secret);
    const menu = page.getByRole('navigation', { name: 'Screens' });
    const audit = menu.getByRole('link', { name: /^Audit/, disabled: true });
    await audit.getByText('audit.list').waitFor();
    await menu.getByRole('link', { name: 'Accounts', exact: true }).waitFor();
    await audit.dispatchEvent('click');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await stage.tab.expectAccessible('menu with screens that are not permitted');
  });
});
