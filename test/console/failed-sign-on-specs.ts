import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of an identity provider that does not work: before it is stored, and when somebody signs on. */
export function failedSignOnSpecs(stage: Stage): void {
  it('stores no issuer that does not answer unasked, and leads somebody back whose sign-on failed', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/sign-on');
    await page.getByRole('button', { name: 'New identity provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Nowhere');
    await dialog.getByLabel('Issuer', { exact: true }).fill('http://127.0.0.1:1');
    await dialog.getByLabel('Client ID').fill('console');
    await dialog.getByLabel('Client secret').fill('secret-of-nowhere');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await dialog.getByText(/Is not an issuer that answers/).waitFor();
    await stage.tab.expectAccessible('an issuer that does not answer');
    const stored = () => stage.call<{ id: string; fullname: string }[]>('GET', '/v1/auth/sso');
    expect((await stored()).result.map(({ fullname }) => fullname)).not.toContain('Nowhere');
    await dialog.getByLabel(/^Save it without asking the issuer/).check();
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Log off', exact: true }).click();
    await page.getByRole('tab', { name: 'Single sign-on' }).click();
    await page.getByLabel('Organization').fill(stage.organization);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Nowhere' }).click();
    await page.getByText(/^Single sign-on did not work: the identity provider did not/).waitFor();
    await page.getByRole('link', { name: 'Back to the logon' }).click();
    await page.getByRole('heading', { name: 'Log on to the console' }).waitFor();
    const { result } = await stored();
    await stage.call(
      'DELETE',
      `/v1/auth/sso/${result.find(({ fullname }) => fullname === 'Nowhere')?.id}`,
    );
  });
}
