import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { startOpenidProvider } from '../api/identity-providers/openid-provider.js';
import type { Stage } from './stage.js';

/** Specs of logons that take more than one step. */
export function logonSpecs(stage: Stage): void {
  it('leads an invited member to a new password, and then to the overview', async () => {
    const member = { name: 'invited@example.com', secret: 'a first password' };
    const options = { options: ['invited'] };
    await stage.call('POST', '/v1/members', { ...member, role_binding: ['viewer'], options });
    const page = await stage.open();
    await stage.tab.show('/');
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByLabel('Organization').fill(stage.organization);
    await page.getByLabel('Member').fill(member.name);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.secret);
    await page.getByRole('button', { name: 'Log on', exact: true }).click();
    await page.getByLabel('New password').fill('a password of my own');
    await page.getByLabel('The same again').fill('another one');
    await page.getByRole('button', { name: 'Save and log on' }).click();
    await page.getByRole('alert').getByText('are not the same').waitFor();
    await stage.tab.expectAccessible('new password');
    await page.getByLabel('The same again').fill('a password of my own');
    await page.getByRole('button', { name: 'Save and log on' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText(member.name, { exact: true }).waitFor();
    const logOn = async (secret: string) =>
      stage.call('POST', `/v1/auth/logon/${stage.organization}`, { name: member.name, secret });
    await expect(logOn('a password of my own')).resolves.toMatchObject({
      result: { auth_code: 'success' },
    });
  });

  it('ends all sessions of a member, who may not even delete tokens, after a question, and leaves other tokens', async () => {
    const member = { name: 'everywhere@example.com', secret: 'a good password' };
    await stage.call('POST', '/v1/members', { ...member, role_binding: ['viewer'] });
    const logOn = async () => {
      const path = `/v1/auth/logon/${stage.organization}`;
      type Logon = { token: { access: { secret: string } } };
      const { result } = await stage.call<Logon>('POST', path, member);
      return result.token.access.secret;
    };
    const sessions = [await logOn(), await logOn()];
    const [own = ''] = sessions;
    const statusOf = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${stage.url}/v1/organization`, { headers })).status;
    };
    const page = await stage.open();
    await stage.tab.logOn(own);
    await page.getByRole('button', { name: 'Log off everywhere' }).click();
    const dialog = page.getByRole('dialog');
    await stage.tab.expectAccessible('the question before all sessions end');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await Promise.all(sessions.map(statusOf))).toEqual([200, 200]);
    await page.getByRole('button', { name: 'Log off everywhere' }).click();
    await dialog.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByLabel('Organization token').waitFor();
    await eventually(async () =>
      expect(await Promise.all([...sessions, stage.token].map(statusOf))).toEqual([401, 401, 200]),
    );
    await stage.tab.pasteToken(stage.token);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('button', { name: 'Log off everywhere' }).count()).toBe(0);
  });

  it('logs on through an identity provider, and returns to the page that was asked for', async () => {
    const { result: metadata } = await stage.call<{ oidc: { redirect_uri: string } }>(
      'GET',
      '/v1/auth/meta',
    );
    const claims = () => ({ email: 'sso@example.com', email_verified: true });
    const provider = await startOpenidProvider(metadata.oidc.redirect_uri, claims);
    try {
      const member = { name: 'sso@example.com', secret: 'nobody knows it' };
      await stage.call('POST', '/v1/members', { ...member, role_binding: ['viewer'] });
      const page = await stage.open();
      stage.tab.otherOrigins.add(provider.issuer);
      await stage.tab.show('/integrations?state=failing');
      await page.getByRole('tab', { name: 'Single sign-on' }).click();
      await page.getByLabel('Organization').fill(stage.organization);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').getByText('offers no sign-on here').waitFor();
      const config = { type: 'oidc', issuer_url: provider.issuer, ...provider.client };
      await stage.call('POST', '/v1/auth/sso', { fullname: 'Our identity', config, listed: true });
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Our identity' }).click();
      await page.locator('[name=login]').fill('sso');
      await page.locator('[name=password]').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click(); // consents
      await page.getByText('No integration is in the state “Failing”').waitFor();
      expect(page.url()).toBe(`${stage.printed}integrations?state=failing`);
      await page.getByText('sso@example.com', { exact: true }).waitFor();
      // A code that this tab has not asked for starts no session, and stays unused.
      await stage.tab.show('/?code=of-somebody-else&state=x');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    } finally {
      await provider.stop();
    }
  });
}
