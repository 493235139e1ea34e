import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

interface Organization {
  contact?: string;
  options: { minimum_password_length: number; connect: object };
}

/** An image of one dot. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Specs of the settings of the organization. */
export function settingsSpecs(stage: Stage): void {
  it('leaves room around a checkbox, wherever the text above it wraps', async () => {
    const page = await stage.open({ width: 320 });
    await stage.tab.showTo(stage.token, '/settings');
    await page.getByLabel('With the hash of the script').waitFor();
    // With another font the button at the end of the hint is right above the checkbox.
    const isAbove = await page.evaluate<boolean>(`(() => {
      const hint = document.querySelector('#snippet ~ .hint');
      hint.style.letterSpacing = '0.5px';
      const left = (selector) => document.querySelector(selector).getBoundingClientRect().left;
      return left('#snippet ~ .hint button') < left('#snippet ~ .check input');
    })()`);
    expect(isAbove).toBe(true);
    await stage.tab.expectAccessible('settings in a wider font');
  });

  const stored = async () => (await stage.call<Organization>('GET', '/v1/organization')).result;
  const open = async (token = stage.token) => {
    const page = await stage.open();
    await stage.tab.showTo(token, '/settings');
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

  it('shows logos, corners and font of the Connect UI as they will be, and saves them with help for single providers', async () => {
    const page = await open();
    const save = page.getByRole('button', { name: 'Save settings' });
    const logo = page.getByLabel('Logo', { exact: true });
    const file = { mimeType: 'image/png', buffer: Buffer.alloc(33 * 1024) };
    await logo.setInputFiles({ ...file, name: 'large.png' });
    await page.getByText('large.png has 33.8 kB, and a logo may have 32.8 kB.').waitFor();
    await logo.setInputFiles({ ...file, name: 'drawn.svg', mimeType: 'image/svg+xml' });
    await page.getByText('drawn.svg is neither PNG nor WebP.').waitFor();
    await logo.setInputFiles({ ...file, name: 'dot.png', buffer: Buffer.from(dot, 'base64') });
    await page.getByRole('img', { name: 'Logo, as chosen' }).waitFor();
    await page.getByLabel('Roundness of corners').fill('99');
    await page.getByText('“99” is not a whole number from 0 to 24.').waitFor();
    await page.getByRole('button', { name: 'Add help for a provider' }).click();
    await save.click();
    await page.getByText('Choose the provider.').waitFor();
    expect(stage.tab.writes).toEqual([]);
    await page.getByLabel('Roundness of corners').fill('0');
    await page.getByLabel('Font').selectOption('serif');
    await page.getByRole('combobox', { name: 'Provider 1' }).selectOption('ticketing_jira');
    await page.getByLabel('Address of help 1').fill('https://help.example.com/jira');
    const looks = await page.evaluate(`(() => {
      const preview = document.querySelector('.preview');
      const { fontFamily } = getComputedStyle(preview);
      const { borderRadius } = getComputedStyle(preview.querySelector('.preview-button'));
      return { fontFamily, borderRadius, logo: preview.querySelector('img').src };
    })()`);
    const data = `data:image/png;base64,${dot}`;
    expect(looks).toMatchObject({ borderRadius: '0px', logo: data });
    expect(looks).toMatchObject({ fontFamily: expect.stringContaining('Charter') });
    await save.click();
    await page.getByText('Saved. Pages that are open').waitFor();
    const saved = {
      logo: data,
      radius: 0,
      font: 'serif',
      help_urls: { ticketing_jira: 'https://help.example.com/jira' },
    };
    expect((await stored()).options.connect).toMatchObject({ theme: saved });
    await page.getByRole('button', { name: 'Remove: Logo', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the help of provider 1' }).click();
    await page.getByLabel('Roundness of corners').fill('');
    await page.getByLabel('Font').selectOption('As the system');
    await save.click();
    await page.getByText('Saved. Pages that are open').waitFor();
    const { connect } = (await stored()).options;
    for (const name of Object.keys(saved)) expect(connect).not.toHaveProperty(['theme', name]);
  });

  it('puts the hash of the script that is served into the lines for a page', async () => {
    const page = await open();
    const lines = page.getByLabel('Lines for a page of yours', { exact: true });
    expect(await lines.innerText()).not.toContain('integrity');
    await page.getByLabel('With the hash of the script').check();
    const served = await fetch(`${stage.url}/connect/embed-1.js`);
    const hash = createHash('sha384').update(Buffer.from(await served.arrayBuffer()));
    const found = `integrity="sha384-${hash.digest('base64')}"`;
    await lines.filter({ hasText: found }).waitFor();
    await stage.tab.expectAccessible('settings with the hash');
  });

  it('saves who gets alarms by mail, and says that none are sent without a mail server', async () => {
    const page = await open();
    const mails = page.getByRole('region', { name: 'Alarms by mail' });
    await mails.getByText('No mail is sent: whoever runs this service').waitFor();
    const addresses = mails.getByLabel('Addresses');
    const save = page.getByRole('button', { name: 'Save settings' });
    await addresses.fill('Ops <ops@example.com>');
    await mails.getByText('“Ops <ops@example.com>” is not a mail address.').waitFor();
    await save.click();
    expect(stage.tab.writes).toEqual([]);
    await addresses.fill('ops@example.com\nnight@example.com\n');
    await mails.getByLabel('test', { exact: true }).uncheck();
    await save.click();
    await page.getByText('Saved. Pages that are open').waitFor();
    const saved = { addresses: ['ops@example.com', 'night@example.com'], environments: ['prod'] };
    expect((await stored()).options).toMatchObject({ alarm_mails: saved });
    await stage.tab.expectAccessible('settings with alarms by mail');
    await addresses.fill('');
    await save.click();
    await page.getByText('Saved. Pages that are open').waitFor();
    expect((await stored()).options).not.toHaveProperty('alarm_mails');
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
    await page
      .getByText('Needs the permission “Organizations: patch”, organizations.patch.')
      .waitFor();
    await page.getByRole('button', { name: 'Save settings' }).dispatchEvent('click');
    expect(stage.tab.writes).toEqual([]);
  });
}
