import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of what people type and read: names in their own words, and what to do about one that is refused. */
export function wordSpecs(stage: Stage): void {
  it('makes the name for programs of the full name, and says which names are valid', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/accounts');
    await page.getByRole('button', { name: 'New account' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name', { exact: true });
    await dialog.getByLabel('Full name').fill('ACME Straße GmbH (Zürich)');
    expect(await name.inputValue()).toBe('acme-strasse-gmbh-zurich');
    await name.fill('ACME Corp');
    await dialog.getByLabel('Full name').fill('ACME Corp GmbH');
    expect(await name.inputValue()).toBe('ACME Corp');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByText(/is not valid\. Use 1 to 128 characters of a-z/).waitFor();
    await stage.tab.expectAccessible('a new account with a fault');
    await name.fill('');
    await dialog.getByLabel('Full name').fill('ACME Words GmbH');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.waitFor({ state: 'detached' });
    await stage.call('DELETE', '/v1/accounts/acme-words-gmbh');
  });

  it('sends no filter that has no value yet', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/explorer');
    await stage.tab.chooseIntegration('Service desk');
    await page.getByRole('button', { name: /^Query tickets/ }).click();
    await page.getByRole('button', { name: 'Add a filter' }).click();
    const sent = page.waitForRequest(/\/v1\/ticketing\/tickets/);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(new URL((await sent).url()).searchParams.getAll('filter')).toEqual([]);
    await page.getByRole('group', { name: 'Records' }).waitFor();
  });

  it('says what is wrong with an address, before a request and when nothing is there', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/integrations/new');
    await page.getByRole('button', { name: 'Demo account' }).click();
    await page.getByLabel('Find a system').fill('github issues');
    await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).click();
    await page.getByLabel('Repository').fill('alderpoint/desk');
    await page.getByText('One optional field').click();
    await page.getByLabel('Secret').fill('a-secret');
    await page.getByLabel('URL').fill('github.acme.example');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Write the whole address, such as https://desk.example.com.').waitFor();
    expect(stage.tab.writes).toEqual([]);
    await page.getByLabel('URL').fill('http://127.0.0.1:1');
    await page.getByRole('button', { name: 'Check' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText(/^GitHub Issues cannot be reached at this address\./).waitFor();
    await stage.tab.expectAccessible('connect, nothing at the address');
  });
}
