import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { eventually } from '#test/harness';
import { selfSigned } from '../api/identity-providers/certificate.js';
import { describeInBrowser } from './stage.js';

interface Configuration {
  identity_provider: unknown;
}

describeInBrowser('the metadata of an identity provider', (stage) => {
  it('is read where a URL says, which a change of other fields keeps', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/sign-on');
    await page.getByRole('button', { name: 'New identity provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('SAML 2.0');
    await dialog.getByLabel('Name', { exact: true }).fill('Company identity');
    await dialog.getByLabel('Entity ID of the identity provider').fill('https://id.example.com');
    await dialog.getByLabel('Sign-on URL').fill('https://id.example.com/sso');
    // As it stands in metadata: without the lines of PEM.
    const bare = selfSigned().certificate.replaceAll(/-----[^-]+-----|\s/g, '');
    await dialog.getByLabel('Certificate').fill(bare);
    const url = dialog.getByLabel('Metadata URL (optional)');
    await url.fill('https://[::1]/metadata');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await eventuallyInvalid(url);
    await url.fill('https://id.example.com/metadata');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await page.getByRole('rowheader', { name: 'Company identity' }).waitFor();
    const change = async (label: string, text: string) => {
      await page.getByRole('button', { name: 'Change Company identity' }).click();
      await dialog.getByLabel(label).fill(text);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const path = '/v1/auth/sso';
      const { result } = await stage.call<Configuration[]>('GET', path);
      return result.map(({ identity_provider }) => identity_provider);
    };
    const metadata = 'https://id.example.com/metadata';
    const other = 'https://id.example.com/other';
    expect(await change('Sign-on URL', other)).toMatchObject([
      { idp_sso_url: other, idp_metadata_url: metadata },
    ]);
    expect(await change('Metadata URL', other)).toMatchObject([{ idp_metadata_url: other }]);
    expect(await change('Metadata URL', '')).toMatchObject([{ idp_metadata_url: null }]);
  });

  it('has the entity ID of this service when that arrives behind the form', async () => {
    const page = await stage.open();
    let deliver = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    await page.route('**/v1/auth/meta', async (route) => {
      await isOpen;
      await route.fallback();
    });
    await stage.tab.showTo(stage.token, '/sign-on');
    await page.getByRole('button', { name: 'New identity provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('SAML 2.0');
    const entity = dialog.getByLabel('Entity ID of this service');
    expect(await entity.inputValue()).toBe('');
    deliver();
    await eventually(async () => expect(await entity.inputValue()).toMatch(/^https?:/));
    await entity.fill('https://other.example.com');
    expect(await entity.inputValue()).toBe('https://other.example.com');
  });
});

/** Waits until a field says what is wrong with it. */
async function eventuallyInvalid(field: Locator): Promise<void> {
  await eventually(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'));
}
