import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

interface Organization {
  contact?: string;
  options: { minimum_password_length: number; connect: object };
}

/** Specs of the settings of the organization. */
export function settingsSpecs(stage: Stage): void {
  const stored = async () => (await stage.call<Organization>('GET', '/v1/organization')).result;
  const open = async (token = stage.token) => {
    const page = await stage.open();
    await stage.tab.logOn(token);
    await stage.tab.choose('Settings');
    await page.getByLabel('Allowed origins').waitFor();
    return page;
  };

  it('saves origins and looks of the Connect UI, and says which pages browsers let show it', async () => {
    await stage.call('PATCH', '/v1/organization', [
      { op: 'add', path: '/options', value: { minimum_password_length: 9 } },
    ]);
    const page = await open();
    const save = page.getByRole('button', { name: 'Save settings' });
    const check = page.getByRole('button', { name: 'Check what browsers are told' });
    const origins = page.getByLabel('Allowed origins');
    await origins.fill('https://app.example.com/page');
    await page.getByText('is more than an origin. Write https://app.example.com.').waitFor();
    await save.click();
    expect(stage.tab.writes).toEqual([]);
    await origins.fill('https://app.example.com\nhttp://localhost:3000');
    await check.click();
    await page.getByText('Is refused until you save it').nth(1).waitFor();
    await page.getByLabel('Name of your product').fill('Acme Desk');
    await page.getByLabel('Accent colour', { exact: true }).fill('#ffee00');
    await page.getByText(/^1\.\d : 1 on white: text in it is darkened to #/).waitFor();
    await save.click();
    await page.getByText('Saved. Pages that are open').waitFor();
    await check.click();
    await page.getByText('May show it', { exact: true }).nth(1).waitFor();
    expect((await stored()).options).toEqual({
      minimum_password_length: 9,
      connect: {
        origins: ['https://app.example.com', 'http://localhost:3000'],
        theme: { product_name: 'Acme Desk', accent: '#ffee00' },
      },
    });
  });

  it('overwrites nothing that somebody else has saved meanwhile, unless asked to', async () => {
    const page = await open();
    await page.getByLabel('Name of your product').fill('Mine');
    await stage.call('PATCH', '/v1/organization', [
      { op: 'add', path: '/contact', value: 'desk@example.com' },
    ]);
    const before = await stored();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Somebody else has saved the organization meanwhile.').waitFor();
    expect(await stored()).toEqual(before);
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('Saved. Pages that are open').waitFor();
    expect(await stored()).toMatchObject({
      contact: 'desk@example.com',
      options: { connect: { theme: { product_name: 'Mine' } } },
    });
  });

  it('shows the settings to somebody who may not change them, with the permission that is missing', async () => {
    const viewer = await stage.createToken('viewer');
    const page = await open(viewer.secret);
    await page.getByText('Needs the permission organizations.patch.').waitFor();
    await page.getByRole('button', { name: 'Save settings' }).dispatchEvent('click');
    expect(stage.tab.writes).toEqual([]);
  });
}
