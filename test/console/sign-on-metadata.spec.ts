import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { eventually } from '#test/harness';
import { selfSigned } from '../api/identity-providers/certificate.js';
import { describeInBrowser } from './stage.js';

describeInBrowser('the metadata of an identity provider', (stage) => {
  it('is read where a URL says, and a change says that it has to be typed again', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    await stage.tab.show('/sign-on');
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
    const created: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') created.push(request.postDataJSON());
    });
    await url.fill('https://[::1]/metadata');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await eventuallyInvalid(url);
    await url.fill('https://id.example.com/metadata');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await page.getByRole('rowheader', { name: 'Company identity' }).waitFor();
    expect(created).toMatchObject([
      { config: { idp_metadata_url: 'https://[::1]/metadata' } },
      { config: { idp_metadata_url: 'https://id.example.com/metadata' } },
    ]);
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.postDataJSON());
    });
    const change = async (values: Record<string, string>) => {
      await page.getByRole('button', { name: 'Change Company identity' }).click();
      for (const [label, text] of Object.entries(values)) await dialog.getByLabel(label).fill(text);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const other = 'https://id.example.com/other';
    await change({ 'Metadata URL (optional) (not shown; empty: is removed)': other });
    expect(sent).toMatchObject([{ config: { type: 'saml', idp_metadata_url: other } }]);
    await change({ 'Sign-on URL': other });
    expect(sent[1]).not.toHaveProperty('config.idp_metadata_url');
  });
});

/** Waits until a field says what is wrong with it. */
async function eventuallyInvalid(field: Locator): Promise<void> {
  await eventually(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'));
}
