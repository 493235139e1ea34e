import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

interface Role {
  id: string;
  name: string;
  fullname: string;
  permission_set: string;
  resources?: unknown;
}

/** Specs of the roles that an organization makes for itself. */
export function roleSpecs(stage: Stage): void {
  const roles = async () => (await stage.call<Role[]>('GET', '/v1/roles?limit=200')).result;
  const roleOf = async (fullname: string) =>
    (await roles()).find((one) => one.fullname === fullname);
  const open = async (token = stage.token) => {
    const page = await stage.open();
    await stage.tab.showTo(token, '/members');
    await page.getByRole('rowheader', { name: 'Viewer' }).waitFor();
    return page;
  };

  it('shows the menu and the operations of a role before anybody has it', async () => {
    const page = await open();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'As this role: Member' }).click();
    const menu = dialog.getByRole('list', { name: 'Menu' });
    const closed = menu.locator('.closed');
    await closed.filter({ hasText: 'Audit' }).getByText('audit.list').waitFor();
    await closed.filter({ hasText: 'Webhooks' }).getByText('webhooks.list').waitFor();
    await menu.getByText('Accounts', { exact: true }).waitFor();
    expect(await closed.getByText('Accounts', { exact: true }).count()).toBe(0);
    const records = dialog.getByRole('row').filter({ hasText: 'integrations' }).first();
    expect(await records.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringContaining('list_account'),
      expect.stringContaining('create'),
    ]);
    await stage.tab.expectAccessible('preview of a role');
    await dialog.getByRole('button', { name: 'Close' }).click();
    // A token of this role has the same menu as the preview.
    const { secret } = await stage.createToken('member');
    await page.getByRole('button', { name: 'As this role: Member' }).click();
    await closed.getByText('audit.list').waitFor();
    const needed = await closed.locator('code').allInnerTexts();
    expect(needed).toContain('audit.list');
    await page.goto(`${stage.printed}#token=${secret}`);
    await page.getByRole('button', { name: 'Log on', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const own = page.getByRole('navigation', { name: 'Screens' }).locator('.disabled code');
    await own.getByText('audit.list').waitFor();
    expect(await own.allInnerTexts()).toEqual(needed);
  });

  it('makes a role, gives it to a member, changes it, and deletes it, after which the member has it no longer', async () => {
    await stage.call('POST', '/v1/members', {
      name: 'rosa@example.com',
      fullname: 'Rosa',
      secret: 'a first password',
      role_binding: ['viewer'],
    });
    const page = await open();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New role' }).click();
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await dialog.getByText('This is needed.').waitFor();
    await stage.tab.expectAccessible('new role, with a fault');
    await dialog.getByLabel('Name').fill('Support');
    await dialog.getByLabel('Permits').selectOption('account-manager');
    await dialog.getByLabel('Environment').selectOption('test');
    await dialog.getByLabel('Domain').selectOption('ticketing');
    await dialog.getByText('Holds in all test accounts, in the domain ticketing only.').waitFor();
    await dialog.getByRole('button', { name: 'Create role' }).dblclick();
    const row = page.getByRole('row').filter({ hasText: 'your own' });
    await row.getByRole('rowheader', { name: 'Support' }).waitFor();
    const made = await roleOf('Support');
    expect((await roles()).filter(({ fullname }) => fullname === 'Support')).toHaveLength(1);
    expect(made).toMatchObject({
      permission_set: 'account-manager',
      resources: {
        accounts: { ids: ['*'], environments: ['test'] },
        integrations: { categories: ['ticketing'] },
      },
    });
    await page.getByRole('button', { name: 'Roles of Rosa' }).click();
    await dialog.getByLabel(/^Support/).check();
    await dialog.getByRole('button', { name: 'Save roles' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Change Support' }).click();
    expect(await dialog.getByLabel('Environment').inputValue()).toBe('test');
    await dialog.getByLabel('Name').fill('Support of France');
    await dialog.getByLabel('Permits').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Save role' }).click();
    await row.getByRole('rowheader', { name: 'Support of France' }).waitFor();
    expect(await roleOf('Support of France')).toMatchObject({
      permission_set: 'viewer',
      resources: made?.resources,
    });
    const rosa = page.getByRole('row').filter({ hasText: 'Rosa' });
    await rosa.getByText('Support of France').waitFor();
    await page.getByRole('button', { name: 'Delete Support of France' }).click();
    await dialog.getByText('Had by one member. Members who have it lose it at once').waitFor();
    await dialog.getByRole('button', { name: 'Delete role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rosa.getByRole('cell', { name: 'Viewer', exact: true }).waitFor();
    expect(await roleOf('Support of France')).toBeUndefined();
  });

  it('overwrites no role that somebody else has changed, and no limits that its fields cannot say', async () => {
    await stage.call('POST', '/v1/roles', {
      name: 'wide',
      fullname: 'Wide',
      permission_set: 'viewer',
      resources: {
        accounts: { ids: ['*'], labels: ['emea', 'apac'] },
      },
    });
    const { id = '', resources } = (await roleOf('Wide')) ?? {};
    const page = await open();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Change Wide' }).click();
    await dialog.getByText('These fields cannot say that, so it stays as it is.').waitFor();
    await dialog.getByLabel('Name').fill('Mine');
    await stage.call('PATCH', `/v1/roles/${id}`, [
      { op: 'replace', path: '/fullname', value: 'Theirs' },
    ]);
    await dialog.getByRole('button', { name: 'Save role' }).click();
    await dialog.getByText('Somebody else has changed this role meanwhile.').waitFor();
    expect((await roleOf('Theirs'))?.id).toBe(id);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Change Theirs' }).click();
    await dialog.getByLabel('Name').fill('Mine');
    await dialog.getByRole('button', { name: 'Save role' }).click();
    await page.getByRole('row').filter({ hasText: 'Mine' }).waitFor();
    expect(await roleOf('Mine')).toMatchObject({ id, resources });
  });

  it('names the permission to somebody who may not make roles, and sends nothing', async () => {
    const viewer = await stage.createToken('viewer');
    const page = await open(viewer.secret);
    await page.getByText('Needs the permission “Roles: create”, roles.create.').waitFor();
    await page.getByRole('button', { name: 'New role' }).dispatchEvent('click');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(stage.tab.writes).toEqual([]);
  });
}
