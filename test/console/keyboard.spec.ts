import { expect, it } from '@jest/globals';
import { Keyboard } from './keyboard.js';
import { describeInBrowser, type Stage } from './stage.js';

/** The five jobs of the design of the console, without a pointer. */
describeInBrowser('without a pointer, and with the focus always in sight,', (stage) => {
  it('somebody logs on, and compares the tickets of two systems in the explorer', async () => {
    await stage.call('POST', '/v1/accounts', { name: 'two' });
    await stage.call('POST', '/v1/integrations/two', {
      name: 'two',
      fullname: 'Issues of two',
      provider_config: {
        type: 'ticketing_github',
        url: stage.githubUrl,
        repository: 'alderpoint/desk',
        credential: { type: 'token', secret: stage.githubSecret },
      },
    });
    const page = await stage.open();
    await stage.tab.show('/');
    await stage.tab.expectFocus('Organization token');
    const keys = new Keyboard(stage.tab);
    await keys.expectVisible();
    await page.keyboard.insertText(stage.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await keys.press('Explorer');
    await page.getByText('Choose an integration').waitFor();
    await keys.type('Integration', 'Service desk');
    await page.getByRole('option', { name: 'Service desk' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Query tickets/ }).waitFor();
    await keys.press(/^Query tickets/);
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await keys.press('Send');
    await page.getByRole('group', { name: 'Records' }).waitFor();
    await keys.press('Compare two systems');
    await page.getByRole('combobox', { name: 'Second integration' }).waitFor();
    await keys.type('Second integration', 'Issues of two');
    await page.getByRole('option', { name: 'Issues of two' }).waitFor();
    await page.keyboard.press('Enter');
    await keys.press('Send to both');
    await page.getByLabel('Fields of both systems').waitFor();
    await keys.expectVisible();
  });

  it('somebody connects the system of a customer', async () => {
    const { page, keys } = await logOn(stage);
    const before = await stage.integrations();
    await keys.press('Integrations');
    await page.getByRole('table').waitFor();
    await keys.press('Connect a system');
    await page.getByRole('button', { name: 'Demo account' }).waitFor();
    await keys.press(/^Demo account/);
    await page.getByLabel('Find a system').waitFor();
    await keys.type('Find a system', 'github issues');
    await keys.press(/^GitHub Issues$/m);
    await page.getByLabel('Repository').waitFor();
    await keys.type('Repository', 'alderpoint/desk');
    await keys.type('Secret', stage.githubSecret);
    await keys.press(/One optional field/);
    await keys.type('URL', stage.githubUrl);
    await keys.press('Connect');
    await page.getByRole('heading', { name: 'The token of this integration' }).waitFor();
    await keys.press('I do not need it');
    await page.getByRole('heading', { name: /is connected/ }).waitFor();
    await keys.expectVisible();
    expect(await stage.integrations()).toHaveLength(before.length + 1);
  });

  it('somebody finds out why a system fails, and replaces its secret', async () => {
    await stage.call('POST', '/v1/accounts', { name: 'keys' });
    const { result } = await stage.call<{ token: { access: { secret: string } } }>(
      'POST',
      '/v1/integrations/keys',
      {
        name: 'keys',
        fullname: 'Issues of keys',
        provider_config: {
          type: 'ticketing_github',
          url: stage.githubUrl,
          repository: 'alderpoint/desk',
          credential: { type: 'token', secret: 'wrong' },
        },
      },
    );
    await fetch(`${stage.url}/v1/ticketing/tickets?limit=1`, {
      headers: { authorization: `Bearer ${result.token.access.secret}` },
    });
    const { page, keys } = await logOn(stage);
    await keys.press('Integrations');
    await page.getByRole('table').waitFor();
    await keys.press('Issues of keys');
    await stage.tab.expectPolled(page.getByText('Credentials refused'));
    await keys.press(/^Replace secret: /);
    await page.getByRole('dialog').getByLabel('Secret').waitFor();
    await keys.type('Secret', stage.githubSecret);
    await page.keyboard.press('Enter');
    await page.getByText('The secret is replaced. “Verify now”').waitFor();
    await keys.press('Verify now');
    await page.getByText('Checked').waitFor();
    await keys.expectVisible();
  });

  it('somebody changes what a field means, for one customer', async () => {
    const { page, keys } = await logOn(stage);
    await keys.press('Mapping studio');
    await page.getByText('Choose the integration').waitFor();
    await keys.type('Integration', 'Service desk');
    await page.getByRole('option', { name: 'Service desk' }).waitFor();
    await page.keyboard.press('Enter');
    await keys.type('Operation', 'ticketing_query_tickets');
    await page.getByLabel('Document').waitFor();
    await keys.press('Take a record of the customer');
    await page.getByLabel('Result of new mapping', { exact: true }).waitFor();
    await keys.to(/^Document(?!ation)/);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(
      "engine: bloblang_direct\nversion: '1.0'\ntemplates:\n  default: |\n    root = this\n    root.level = 42\n",
    );
    await page.keyboard.press('Escape');
    await page.getByLabel('Result of new mapping').getByText('"level": 42').waitFor();
    await keys.type(/^Name/, 'by-keys');
    await keys.press('Save for this integration only');
    await page.getByText('Saved for this integration').first().waitFor();
    await keys.expectVisible();
  });

  it('somebody invites a member, and reads who did it', async () => {
    const { page, keys } = await logOn(stage);
    await keys.press('Members and roles');
    await page.getByRole('button', { name: 'Invite a member' }).waitFor();
    await keys.press('Invite a member');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').waitFor();
    await page.keyboard.type('keys@example.com');
    await keys.press('Invite');
    await dialog.getByLabel('Link of the invitation', { exact: true }).waitFor();
    await keys.press('Copy: Link of the invitation');
    await keys.press('Done');
    await page.getByRole('row').filter({ hasText: 'keys@example.com' }).waitFor();
    await keys.press('Audit');
    await page.locator('.trail > li').first().waitFor();
    await keys.press(/^(What changed|Details)/);
    await page.locator('.trail .detail').first().waitFor();
    await keys.expectVisible();
  });
});

async function logOn(stage: Stage) {
  const page = await stage.open();
  await stage.tab.setClock();
  await stage.tab.logOn(stage.token);
  return { page, keys: new Keyboard(stage.tab) };
}
