import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of credentials that only the API could make: of bridges, of members, and of applications at providers. */
export function ownAccessSpecs(stage: Stage): void {
  it('creates a bridge, replaces its credential after a question, and deletes it', async () => {
    await stage.call('POST', '/v1/accounts', { name: 'plants', fullname: 'Plants' });
    const { result } = await stage.call<{ id: string }>('GET', '/v1/accounts/plants');
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/accounts/${result.id}`);
    const bridges = page.getByRole('region', { name: 'Bridges' });
    const dialog = page.getByRole('dialog');
    await bridges.getByRole('button', { name: 'New bridge' }).click();
    await dialog.getByLabel('Full name (optional)').fill('Plant North');
    await dialog.getByLabel('Labels').fill('plant, north');
    await stage.tab.expectAccessible('new bridge');
    await dialog.getByRole('button', { name: 'Create bridge' }).click();
    const credential = () =>
      dialog.getByLabel('Credential of the bridge', { exact: true }).innerText();
    const first = await credential();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I do not need it' }).click();
    const row = bridges.getByRole('row').filter({ hasText: 'Plant North' });
    await row.getByText('plant, north').waitFor();
    await row.getByRole('button', { name: 'Replace credential: Plant North' }).click();
    await dialog.getByText('Agents with the present credential are disconnected').waitFor();
    await dialog.getByRole('button', { name: 'Replace credential' }).click();
    expect(await credential()).not.toBe(first);
    await dialog.getByRole('button', { name: 'I do not need it' }).click();
    expect(await page.content()).not.toContain(first);
    await row.getByRole('button', { name: 'Delete Plant North' }).click();
    await dialog.getByRole('button', { name: 'Delete bridge' }).click();
    await bridges.getByText('None: the systems of the customer').waitFor();
  });

  it('changes the password of a viewer, and keeps their session and their page', async () => {
    const member = { name: 'changes@example.com', secret: 'a good password' };
    await stage.call('POST', '/v1/members', { ...member, role_binding: ['viewer'] });
    const path = `/v1/auth/logon/${stage.organization}`;
    type Logon = { auth_code: string; token: { access: { secret: string } } };
    const { result } = await stage.call<Logon>('POST', path, member);
    const page = await stage.open();
    await stage.tab.showTo(result.token.access.secret, '/members');
    await page.getByRole('button', { name: 'Change your password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Present password').fill('not my password');
    await dialog.getByLabel('New password').fill('another good password');
    await dialog.getByLabel('The same again').fill('another one');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('The two passwords are not the same.').waitFor();
    await dialog.getByLabel('The same again').fill('another good password');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('Is not the password of the member').waitFor();
    await stage.tab.expectAccessible('a new password, with a fault');
    await dialog.getByLabel('Present password').fill(member.secret);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^API/ }).click();
    await page.locator('.drawer').getByText('change_password').first().waitFor();
    expect(await page.content()).not.toContain('another good password');
    const secret = 'another good password';
    const { result: again } = await stage.call<Logon>('POST', path, { ...member, secret });
    expect(again.auth_code).toBe('success');
  });

  it('stores the application that “Connect with Linear” needs, and says where to register it', async () => {
    const { result: point } = await stage.call<{ id: string }>('POST', '/v1/integration-points', {
      name: 'applications',
      fullname: 'Help desk',
      connector: 'ticketing',
      environments: { test: ['*'], prod: ['*'] },
    });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/points/${point.id}`);
    const section = page.getByRole('region', { name: '“Connect with …”' });
    await section.getByText('None is stored').waitFor();
    await section.getByText(`${stage.url}/connect/oauth/callback`).waitFor();
    await section.getByRole('button', { name: 'Store an application' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('System').selectOption('ticketing_linear');
    await dialog.getByRole('button', { name: 'Store application' }).click();
    await dialog.getByText('This is needed.').first().waitFor();
    await stage.tab.expectAccessible('application at a provider, with faults');
    await dialog.getByLabel('Client ID').fill('client-of-ours');
    await dialog.getByLabel('Client secret').fill('a secret of the application');
    await dialog.getByRole('button', { name: 'Store application' }).click();
    await section.getByRole('rowheader', { name: 'Linear' }).waitFor();
    await stage.call('POST', '/v1/accounts', { name: 'linear-customer', fullname: 'Customer' });
    const made = await stage.call<{ token: string }>(
      'POST',
      '/v1/connect/linear-customer/sessions',
      { integration_point_id: point.id },
    );
    const session = await stage.call<{ authorizable: string[] }>(
      'GET',
      '/v1/connect/session',
      undefined,
      made.result.token,
    );
    expect(session.result.authorizable).toEqual(['ticketing_linear']);
    await section.getByRole('button', { name: 'Delete Application at Linear' }).click();
    await dialog.getByRole('button', { name: 'Delete application' }).click();
    await section.getByText('None is stored').waitFor();
  });
}
