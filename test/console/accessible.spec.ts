import { beforeAll, it } from '@jest/globals';
import type { PageOptions } from './console-page.js';
import { describeInBrowser } from './stage.js';
import { visitIntegrationTabs, visitNewScreens } from './visits.js';

describeInBrowser('the console', (stage) => {
  beforeAll(async () => {
    const member = { name: 'ada@example.com', secret: 'correct horse battery' };
    await stage.call('POST', '/v1/members', { ...member, role_binding: ['viewer'] });
    await stage.createToken('viewer');
  });

  it.each<PageOptions>([
    { colorScheme: 'light', width: 1_600 },
    { colorScheme: 'dark', width: 320 },
  ])('is accessible, $colorScheme and $width pixels wide', async (options) => {
    const page = await stage.open(options);
    await stage.tab.show('/');
    await stage.tab.pasteToken('ofi_x');
    await page.getByRole('alert').waitFor();
    await stage.tab.expectAccessible('logon, failed');
    await stage.tab.logOn(stage.token);
    await page.getByRole('link', { name: /New$/ }).waitFor();
    await stage.tab.expectAccessible('overview');
    await stage.tab.choose('Integrations');
    await page.getByRole('table').waitFor();
    await stage.tab.expectAccessible('integrations');
    await page.getByRole('link', { name: 'Service desk' }).click();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Checked').waitFor();
    await stage.tab.expectAccessible('integration');
    await visitIntegrationTabs(stage);
    await stage.tab.choose('Accounts');
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: 'New account' }).click();
    await stage.tab.expectAccessible('new account');
    await page.keyboard.press('Escape');
    await page.getByLabel('Name contains').fill('100%_nobody');
    await page.getByText('No account has a name that contains').waitFor();
    await stage.tab.expectAccessible('accounts, empty');
    await stage.tab.choose('Tokens');
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: /^API/ }).click();
    await stage.tab.expectAccessible('tokens, with the requests');
    await stage.tab.show('/integrations/acc_none/int_none');
    await page.getByRole('alert').waitFor();
    await stage.tab.expectAccessible('integration, failed');
  });

  it.each<PageOptions>([
    { colorScheme: 'dark', width: 1_600 },
    { colorScheme: 'light', width: 320 },
  ])(
    'is accessible where something is made, $colorScheme and $width pixels wide',
    async (options) => {
      await stage.open(options);
      await stage.tab.logOn(stage.token);
      await visitNewScreens(stage);
    },
  );
});
