import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '#test/harness';
import { connectGithub, type ConnectedGithub, readTicket } from './connect-github.js';
import type { Stage } from './stage.js';

/** Specs of the page of an integration and of deleting an account, against the fake of a provider. */
export function integrationSpecs(stage: Stage): void {
  const connect = (name: string, credential = stage.githubSecret) =>
    connectGithub(stage, name, credential);
  const read = (token: string) => readTicket(stage, token);
  const openPage = async (
    { accountId, id }: ConnectedGithub,
    tab = 'health',
    heading = 'Health',
  ) => {
    const page = await stage.open();
    await stage.tab.setClock();
    await stage.tab.showTo(stage.token, `/integrations/${accountId}/${id}?tab=${tab}`);
    await page.getByRole('heading', { name: heading }).waitFor();
    return page;
  };
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save settings' }).click();
  };

  it('makes it demand confirmations of dangerous operations', async () => {
    const connected = await connect('confirming');
    const page = await openPage(connected, 'settings', 'Settings');
    const field = page.getByLabel('Confirm dangerous operations');
    await field.selectOption('true');
    await save(page);
    await page.getByText('Saved. “Verify now”').waitFor();
    const { accountId, id } = connected;
    const read = async () => {
      const { result } = await stage.call<{ confirm_dangerous_actions?: boolean }>(
        'GET',
        `/v1/integrations/${accountId}/${id}`,
      );
      return result.confirm_dangerous_actions;
    };
    expect(await read()).toBe(true);
    await field.selectOption('false');
    await save(page);
    await eventually(async () => expect(await read()).toBeUndefined());
  });

  it('shows what the provider changes', async () => {
    const connected = await connect('changed');
    const page = await stage.open();
    await page.route(`**/v1/status/*/${connected.id}`, async (route) => {
      const response = await route.fetch();
      const { result } = (await response.json()) as { result: object };
      const seen = new Date().toISOString();
      const times = { first_seen_at: seen, last_seen_at: seen };
      const operation = 'ticketing_query_tickets';
      const drift = [
        { kind: 'sunset', operation, date: seen, link: 'https://docs.example.com/end', ...times },
        { kind: 'new_field', operation, path: 'fields.sla[].owner', ...times },
      ];
      await route.fulfill({ json: { result: { ...result, drift } } });
    });
    await stage.tab.showTo(stage.token, `/integrations/${connected.accountId}/${connected.id}`);
    await page.getByRole('heading', { name: 'Changes of the provider' }).waitFor();
    await page.getByText('The provider says that this ends.').waitFor();
    await page.getByText('fields.sla[].owner').waitFor();
    const link = page.getByRole('link', { name: 'Read about it' });
    expect(await link.getAttribute('href')).toBe('https://docs.example.com/end');
  });

  it('shows without a reload that a provider refuses a credential', async () => {
    const connected = await connect('turned');
    expect((await read(connected.token)).status).toBe(200);
    const page = await stage.open();
    await stage.tab.setClock();
    await stage.tab.showTo(stage.token, '/integrations');
    const row = page.getByRole('row').filter({ hasText: 'Issues of turned' });
    await stage.tab.expectPolled(row.getByText('Healthy'));
    stage.github.engine.faults.add({ kind: 'status', status: 401, times: 3 });
    expect((await read(connected.token)).ok).toBe(false);
    stage.github.engine.faults.clear();
    await stage.tab.expectPolled(row.getByText('Credentials refused'));
    await row.getByRole('link').click();
    await page.getByText('The customer has to act.').waitFor();
    await page
      .getByText(/GitHub Issues refuses/)
      .first()
      .waitFor();
  });

  it('replaces a secret that is refused, after which the check passes and the next call is good', async () => {
    const connected = await connect('replaced', 'wrong');
    expect((await read(connected.token)).ok).toBe(false);
    const page = await openPage(connected);
    await stage.tab.expectPolled(page.getByText('Credentials refused'));
    await page.getByRole('button', { name: /^Replace secret: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This is needed.').waitFor();
    expect(await dialog.getByLabel('Secret').getAttribute('type')).toBe('password');
    await dialog.getByLabel('Secret').fill(stage.githubSecret);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The secret is replaced. “Verify now”').waitFor();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The provider accepts the configuration.').waitFor();
    expect((await read(connected.token)).status).toBe(200);
    await stage.tab.expectPolled(page.locator('.headline').getByText('Healthy'));
    expect(await page.content()).not.toContain(stage.githubSecret);
  });

  it('shows who saves an integration second what differs, and writes only their own fields', async () => {
    const connected = await connect('shared');
    const path = `/v1/integrations/${connected.accountId}/${connected.id}`;
    const stored = async () =>
      (await stage.call<{ fullname: string; provider_config: { repository: string } }>('GET', path))
        .result;
    const page = await openPage(connected, 'settings', 'Settings');
    await page.getByLabel('Full name', { exact: true }).fill('Mine');
    const body = [
      { op: 'replace', path: '/fullname', value: 'Theirs' },
      { op: 'replace', path: '/provider_config/repository', value: 'alderpoint/archive' },
    ];
    await stage.call('PATCH', path, body);
    await save(page);
    const rows = page.getByRole('alert').getByRole('row');
    await rows.filter({ hasText: 'Mine' }).waitFor();
    expect((await rows.allInnerTexts()).map((one) => one.split(/\s*\t\s*/))).toEqual([
      ['Field', 'Before', 'Theirs', 'Yours'],
      ['Full name', 'Issues of shared', 'Theirs', 'Mine'],
      ['Repository', 'alderpoint/desk', 'alderpoint/archive', 'alderpoint/desk'],
    ]);
    expect((await stored()).fullname).toBe('Theirs');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('Saved. “Verify now”').waitFor();
    expect(await stored()).toMatchObject({
      fullname: 'Mine',
      provider_config: { repository: 'alderpoint/archive' },
    });
    await stage.tab.expectInput(page.getByLabel('Repository'), 'alderpoint/archive');
    await stage.call('PATCH', path, [{ op: 'replace', path: '/fullname', value: 'Theirs again' }]);
    await page.getByLabel('Full name', { exact: true }).fill('Never');
    await save(page);
    await page.getByRole('button', { name: 'Take theirs, drop mine' }).click();
    await stage.tab.expectInput(page.getByLabel('Full name', { exact: true }), 'Theirs again');
    expect((await stored()).fullname).toBe('Theirs again');
  });

  it('deletes an account once its name is typed, and says what goes with it', async () => {
    const connected = await connect('leaving');
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/accounts');
    await page.getByRole('button', { name: 'Delete Account leaving' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('one integration: Issues of leaving').waitFor();
    await dialog.getByText('no credentials of the account').waitFor();
    await dialog.getByText('one token: programs that use it are refused').waitFor();
    const confirm = dialog.getByLabel('Type leaving to confirm');
    await confirm.fill('Leaving');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.locator('p.wrong', { hasText: 'Type leaving to delete' }).waitFor();
    expect(stage.tab.writes).toEqual([]);
    await confirm.fill('leaving');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('rowheader', { name: 'Account leaving' }).waitFor({ state: 'detached' });
    await eventually(async () => expect((await read(connected.token)).status).toBe(401));
  });
}
