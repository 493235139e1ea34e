import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of members: an invitation from the link to the first password, changes of roles and state, and who may not see them. */
export function memberSpecs(stage: Stage): void {
  const open = async (token = stage.token) => {
    const page = await stage.open();
    await stage.tab.showTo(token, '/members');
    await page.getByRole('heading', { name: 'You', exact: true }).waitFor();
    return page;
  };

  it('invites somebody by a link that is shown once, and that leads to a password of their own', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Invite a member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('grace');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(/not a valid e-mail address/).waitFor();
    await dialog.getByLabel('E-mail address').fill('grace@example.com');
    await dialog.getByLabel('Name (optional)').fill('Grace Hopper');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await dialog.getByLabel('Link of the invitation', { exact: true }).innerText();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await dialog.getByRole('button', { name: 'Copy: Link of the invitation' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const secret = new URLSearchParams(new URL(link).hash.slice(1)).get('secret') ?? '';
    expect(secret).toMatch(/^[\w-]{32}$/);
    await page.getByRole('button', { name: /^API/ }).click();
    await page.locator('.drawer li').first().waitFor();
    expect(await page.content()).not.toContain(secret);
    const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
    await row.getByText('Invited').waitFor();

    const theirs = await stage.tab.context.newPage();
    await theirs.goto(link);
    await theirs.getByText('You were invited as grace@example.com.').waitFor();
    expect(theirs.url()).toBe(stage.printed);
    await theirs.getByRole('button', { name: 'Log on', exact: true }).click();
    await theirs.getByLabel('New password').fill('a password of her own');
    await theirs.getByLabel('The same again').fill('a password of her own');
    await theirs.getByRole('button', { name: 'Save and log on' }).click();
    await theirs.getByRole('heading', { name: 'Overview' }).waitFor();
    await theirs.close();
    await page.reload();
    await row.getByText('Enabled').waitFor();
  });

  it('changes roles, disables and removes a member, each at once', async () => {
    const { result } = await stage.call<{ member: { id: string } }>('POST', '/v1/members', {
      name: 'alan@example.com',
      fullname: 'Alan Turing',
      secret: 'a first password',
      role_binding: ['viewer'],
    });
    const path = `/v1/members/${result.member.id}`;
    const stored = async () =>
      (await stage.call<{ role_binding: string[]; state: string }>('GET', path)).result;
    const page = await open();
    await page.getByRole('button', { name: 'Roles of Alan Turing' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Viewer viewer').uncheck();
    await dialog.getByLabel('Member member').check();
    await stage.call('PATCH', path, [{ op: 'add', path: '/nickname', value: 'Al' }]);
    await dialog.getByRole('button', { name: 'Save roles' }).click();
    await dialog.getByText('Somebody else has changed Alan Turing meanwhile.').waitFor();
    expect((await stored()).role_binding).toEqual(['viewer']);
    await dialog.getByRole('button', { name: 'Read it again' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Alan Turing' });
    await page.getByRole('button', { name: 'Roles of Alan Turing' }).click();
    await dialog.getByLabel('Viewer viewer').uncheck();
    await dialog.getByLabel('Member member').check();
    await dialog.getByRole('button', { name: 'Save roles' }).click();
    await row.getByRole('cell', { name: 'Member', exact: true }).waitFor();
    expect((await stored()).role_binding).toEqual(['member']);
    await page.getByRole('button', { name: 'Disable Alan Turing' }).click();
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await row.getByText('Disabled').waitFor();
    expect((await stored()).state).toBe('disabled');
    await page.getByRole('button', { name: 'Remove Alan Turing' }).click();
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('says who somebody is, and names the permission of what they may not see or do', async () => {
    const manager = await stage.createToken('account-manager');
    const page = await open(manager.secret);
    await page.getByText('account-manager in the whole organization').waitFor();
    await page.getByText('Needs the permission “Members: list”, members.list.').waitFor();
    // The first screen may ask before the service has said what the token permits.
    stage.tab.requests.length = 0;
    await stage.tab.choose('Overview');
    await stage.tab.choose('Members and roles');
    await page.getByText('Needs the permission “Members: list”, members.list.').waitFor();
    expect(stage.tab.requests).not.toContain('GET /v1/members');
    const viewer = await stage.createToken('viewer');
    await stage.closeTab();
    const other = await open(viewer.secret);
    await other.getByText('Needs the permission “Members: create”, members.create.').waitFor();
    await other.getByRole('button', { name: 'Invite a member' }).dispatchEvent('click');
    expect(await other.getByRole('dialog').count()).toBe(0);
    expect(stage.tab.writes).toEqual([]);
  });
}
