import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { chromiumPath, inBrowser } from '#test/harness';
import { authorizeSpecs } from './authorize-specs.js';
import { useConnectUi } from './connect-ui-stage.js';
import { connectWays } from './connect-ways.js';
import { contrastSpecs } from './contrast-specs.js';
import type { PageOptions } from './console-page.js';
import { embedSpecs } from './embed-specs.js';
import { openConnectSpecs } from './open-connect-specs.js';
import { providerLanguageSpecs } from './provider-language-specs.js';
import { startSilent } from './silent-provider.js';

(chromiumPath ? describe : describe.skip)(inBrowser('the Connect UI'), () => {
  const connect = useConnectUi();
  const { stage } = connect;

  it('connects a system once by a double click, and needs no choice where there is none', async () => {
    const before = await stage.integrations();
    const page = await connect.openForm();
    expect(new URL(page.url()).hash).toBe('');
    await connect.fill(page, stage.githubUrl, stage.githubSecret);
    await page.getByRole('button', { name: 'Connect', exact: true }).dblclick();
    await page.getByRole('heading', { name: /GitHub Issues.* is connected/ }).waitFor();
    expect(await stage.integrations()).toHaveLength(before.length + 1);
    expect(await page.content()).not.toContain(stage.githubSecret);
  });

  it('offers the systems of the session alone, and lets somebody choose again', async () => {
    const providers = ['ticketing_github', 'ticketing_linear'];
    const page = await connect.open(`session=${await connect.session({ providers })}`);
    await page.getByRole('heading', { name: 'Which system do you use?' }).waitFor();
    const offered = await page.getByRole('listitem').allInnerTexts();
    expect(offered.map((text) => text.match(/GitHub Issues|Linear/)?.[0])).toEqual([
      'GitHub Issues',
      'Linear',
    ]);
    await page.getByRole('button', { name: /^Linear(?! \(mock)/ }).click();
    await page.getByRole('button', { name: 'Choose another system' }).click();
    await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).click();
    await page.getByLabel('Repository').waitFor();
    await stage.tab.expectValue('document.activeElement.tagName', 'H1');
  });

  it('names a missing permission, keeps what was typed, and stores nothing before the provider accepts it', async () => {
    const before = await stage.integrations();
    const page = await connect.openForm();
    await connect.fill(page, stage.githubUrl, stage.githubSecret);
    stage.github.engine.faults.add({ kind: 'status', status: 403 });
    const press = () => page.getByRole('button', { name: 'Connect', exact: true }).click();
    await press();
    const alert = page.getByRole('alert');
    await alert.getByText(/lacks the permission “.*Metadata: read.*” at .*GitHub Issues/).waitFor();
    await page.getByLabel('Secret').fill('wrong');
    await press();
    await alert.getByText(/GitHub Issues.* does not accept this access/).waitFor();
    await page.getByLabel('Address (URL)').fill('http://10.11.12.13:8080');
    await press();
    await alert.getByText(/cannot be reached at this address/).waitFor();
    expect(await alert.innerText()).not.toMatch(/10\.11|EGRESS|range/);
    await expect(page.getByLabel('Secret').inputValue()).resolves.toBe('wrong');
    expect(await stage.integrations()).toEqual(before);
    await page.getByLabel('Address (URL)').fill(stage.githubUrl);
    await page.getByLabel('Secret').fill(stage.githubSecret);
    await press();
    await page.getByRole('heading', { name: /is connected/ }).waitFor();
  });

  it('marks fields that are missing or wrong, and sends nothing while some are missing', async () => {
    const page = await connect.openForm();
    const before = stage.tab.writes.length;
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('This is needed.').first().waitFor();
    await stage.tab.expectFocus('Repository');
    expect(stage.tab.writes.length).toBe(before);
    await connect.fill(page, 'ftp://elsewhere', stage.githubSecret);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Address (URL)').and(page.locator('[aria-invalid=true]')).waitFor();
  });

  it('says how long a provider takes, and a cancel ends the call to the provider', async () => {
    const silent = await startSilent();
    const arrived = once(silent.server, 'request') as Promise<[IncomingMessage]>;
    const page = await connect.openForm();
    await connect.fill(page, silent.url, stage.githubSecret);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText(/^Asking .*GitHub Issues/).waitFor();
    await page.getByText(/^[1-9]\d*s$/).waitFor();
    const [{ socket }] = await arrived;
    const hungUp = once(socket, 'close');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await hungUp;
    await page.getByText('Cancelled. Nothing was stored.').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await expect(page.getByLabel('Secret').inputValue()).resolves.toBe(stage.githubSecret);
    silent.close();
  });

  it('shows a secret only while somebody wants to see it', async () => {
    const page = await connect.openForm();
    const secret = page.getByLabel('Secret');
    expect(await secret.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await secret.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await secret.getAttribute('type')).toBe('password');
  });

  it('speaks the language of the session, and that of the browser without one', async () => {
    let page = await connect.openForm({ locale: 'ja' }, { locale: 'de-AT' });
    await page.getByRole('button', { name: '接続' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('ja');
    await stage.closeTab();
    page = await connect.openForm({}, { locale: 'de-AT' });
    await page.getByRole('button', { name: 'Verbinden' }).waitFor();
    await page.getByLabel('Geheimnis').waitFor();
    // Hints are those of the provider document, and tell programs that read them aloud in which language.
    const hints = 'document.querySelectorAll(".hint > span:not([lang=en]):not([lang=de])").length';
    expect(await page.evaluate(hints)).toBe(0);
    await page.getByText(/^Freiwillige Angaben/).click();
    await page.getByLabel('Adresse (URL)').fill('desk.example.com');
    await page.getByLabel('Geheimnis').fill('a secret');
    await page.getByLabel('Repository').fill('alderpoint/desk');
    await page.getByRole('button', { name: 'Verbinden' }).click();
    await page.getByText('Schreiben Sie die ganze Adresse').waitFor();
    expect(await page.getByText('is not a valid').count()).toBe(0);
    await stage.closeTab();
    page = await connect.openForm({}, { locale: 'nl-NL' });
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('names the product of the host, and never us, in the instructions of a provider', async () => {
    await connect.setTheme({ product_name: 'Acme Desk' });
    const token = await connect.session({ providers: ['ticketing_azure_devops'] });
    const page = await connect.open(`session=${token}`);
    await page.getByText('what they may see and change there, Acme Desk may').waitFor();
    expect(await page.evaluate('document.body.innerText.includes("Onefold")')).toBe(false);
    await connect.resetTheme();
  });

  it('isolates names in a script from right to left', async () => {
    await connect.setTheme({ product_name: 'مكتب 42' });
    const page = await connect.open(`session=${await connect.session()}`);
    await page.getByText('Connect your system to \u2068مكتب 42\u2069').waitFor();
    expect(await page.locator('.head strong').getAttribute('dir')).toBe('auto');
    await connect.resetTheme();
  });

  providerLanguageSpecs(connect);
  connectWays(connect);
  authorizeSpecs(connect);
  embedSpecs(connect);
  openConnectSpecs(connect);
  contrastSpecs(connect);

  it.each<PageOptions>([
    { colorScheme: 'light', width: 1_280 },
    { colorScheme: 'dark', width: 1_280 },
    { colorScheme: 'light', width: 320 },
    { colorScheme: 'dark', width: 320 },
  ])(
    'is accessible with the accent #ffee00, $colorScheme and $width pixels wide',
    async (options) => {
      let page = await connect.open('session=ofo_unknown', options);
      await page.getByRole('heading', { name: 'This page is no longer valid' }).waitFor();
      await stage.tab.expectAccessible('ended');
      await stage.closeTab();
      page = await connect.open(`link=${await connect.session({ link: true })}`, options);
      await page.getByRole('button', { name: 'Start' }).waitFor();
      await stage.tab.expectAccessible('link');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('heading', { name: 'Which system do you use?' }).waitFor();
      await stage.tab.expectAccessible('systems');
      await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).click();
      await page.getByLabel('Repository').waitFor();
      await stage.tab.expectAccessible('form');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText('This is needed.').first().waitFor();
      await stage.tab.expectAccessible('form with faults');
      await connect.fill(page, stage.githubUrl, stage.githubSecret);
      stage.github.engine.faults.add({ kind: 'status', status: 403 });
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await stage.tab.expectAccessible('permission missing');
      const silent = await startSilent();
      await page.getByLabel('Address (URL)').fill(silent.url);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText(/^Asking/).waitFor();
      await stage.tab.expectAccessible('asking');
      await page.getByRole('button', { name: 'Cancel' }).click();
      silent.close();
      await page.getByLabel('Address (URL)').fill(stage.githubUrl);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('heading', { name: /is connected/ }).waitFor();
      await stage.tab.expectAccessible('done');
    },
  );
});
