import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startSilent } from './silent-provider.js';
import type { Stage } from './stage.js';

/** Specs of "Connect a system", against the fake of a provider. */
export function connectSpecs(stage: Stage): void {
  const openForm = async (token = stage.token) => {
    const page = await stage.open();
    await stage.tab.showTo(token, '/integrations/new');
    await page.getByRole('button', { name: 'Demo account' }).click();
    await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).click();
    await page.getByLabel('Repository').waitFor();
    return page;
  };
  const fill = async (page: Page, url: string, secret: string) => {
    await page.getByText('One optional field').click();
    await page.getByLabel('Repository').fill('alderpoint/desk');
    await page.getByLabel('URL').fill(url);
    await page.getByLabel('Secret').fill(secret);
  };

  it('connects a mock by the keyboard in fewer than 60 keys after its customer is named', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/integrations/new');
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('keyboard');
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    const tabTo = async (text: string) => {
      for (;;) {
        await press('Tab');
        const focused = await page.evaluate<string>(
          'document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText',
        );
        if (focused.includes(text)) return;
        expect(keys).toBeLessThan(60);
      }
    };
    await press('Enter');
    await page.getByLabel('Find a system').waitFor();
    await tabTo('Find a system');
    for (const letter of 'mock ticketing') await press(letter === ' ' ? 'Space' : letter);
    await tabTo('Mock Ticketing');
    await press('Enter');
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    await tabTo('Name (optional)');
    await press('Enter');
    await page.getByRole('heading', { name: 'The token of this integration' }).waitFor();
    expect(keys).toBeLessThan(60);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByRole('button', { name: 'I do not need it' }).click();
    await page.getByRole('heading', { name: 'Mock Ticketing is connected' }).waitFor();
  });

  it('names a missing permission and a refused credential, and stores nothing', async () => {
    const before = await stage.integrations();
    const page = await openForm();
    await fill(page, stage.githubUrl, stage.githubSecret);
    stage.github.engine.faults.add({ kind: 'status', status: 403 });
    await page.getByRole('button', { name: 'Check' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Grant the permission "Metadata: read"').first().waitFor();
    await alert.getByRole('listitem').filter({ hasText: 'Issues: read' }).waitFor();
    await page.getByText('How to get the credential').waitFor();
    await page.getByRole('link', { name: 'Open GitHub Issues in a new tab' }).waitFor();
    // The form is checked again once a field has changed.
    await page.getByLabel('Secret').fill('wrong');
    await page.getByLabel('Secret').blur();
    await page.getByRole('alert').getByText('refuses its credential').waitFor();
    await page.getByLabel('Secret').fill(stage.githubSecret);
    await page.getByLabel('Secret').blur();
    await page.getByText('The provider accepts the configuration.').waitFor();
    expect(await stage.integrations()).toEqual(before);
  });

  it('marks the fields that are missing or wrong, and sends nothing while some are missing', async () => {
    const page = await openForm();
    const before = stage.tab.writes.length;
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('This is needed.').first().waitFor();
    await stage.tab.expectFocus('Repository');
    expect(stage.tab.writes.length).toBe(before);
    await fill(page, 'ftp://elsewhere', stage.githubSecret);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('URL').and(page.locator('[aria-invalid=true]')).waitFor();
  });

  it('says how long a provider takes, and a cancel ends the call to the provider', async () => {
    const silent = await startSilent();
    const arrived = once(silent.server, 'request') as Promise<[IncomingMessage]>;
    const page = await openForm();
    await fill(page, silent.url, stage.githubSecret);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Asking the provider …').waitFor();
    await page.getByText(/^[1-9]\d* s$/).waitFor();
    const [{ socket }] = await arrived; // a service that has just started takes a while to send it
    const hungUp = once(socket, 'close');
    await page.locator('.waiting').getByRole('button', { name: 'Cancel' }).click();
    await hungUp;
    expect(await page.getByRole('alert').count()).toBe(0);
    await expect(page.getByLabel('Secret').inputValue()).resolves.toBe(stage.githubSecret);
    silent.close();
  });

  it('keeps the form when the session ends, and makes one integration of a double click', async () => {
    const before = await stage.integrations();
    const short = await stage.createToken('administrator');
    const page = await openForm(short.secret);
    await fill(page, stage.githubUrl, stage.githubSecret);
    await page.getByLabel('Name (optional)').fill('مكتب 42');
    await stage.call('DELETE', `/v1/tokens/${short.id}`);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'Log on again' }).waitFor();
    await stage.tab.pasteToken(stage.token);
    await page.getByText('The provider accepts the configuration.').waitFor();
    await expect(page.getByLabel('Secret').inputValue()).resolves.toBe(stage.githubSecret);
    await page.getByRole('button', { name: 'Connect', exact: true }).dblclick();
    await page.getByRole('heading', { name: 'The token of this integration' }).waitFor();
    expect(await stage.integrations()).toHaveLength(before.length + 1);
    await page.getByRole('button', { name: 'Copy: Token' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'مكتب 42 is connected' }).waitFor();
    await page.getByRole('button', { name: /^API/ }).click();
    expect(await page.locator('.drawer').innerText()).not.toContain(stage.githubSecret);
  });

  it('keeps a draft over a reload, without its secrets', async () => {
    const page = await openForm();
    await fill(page, stage.githubUrl, stage.githubSecret);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(
      stage.githubSecret,
    );
    await page.reload();
    await stage.tab.expectInput(page.getByLabel('Repository'), 'alderpoint/desk');
    await expect(page.getByLabel('Secret').inputValue()).resolves.toBe('');
  });

  it('makes a form of every configuration of the contract, with secrets as passwords', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const types = configurationNames();
    expect(types.length).toBeGreaterThan(160);
    // One provider whose configuration has every other as a field.
    await page.route('**/v1/capabilities/providers/ticketing_jira?*', async (route) => {
      const properties = Object.fromEntries(
        types.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
      );
      const { result } = (await (await route.fetch()).json()) as { result: object };
      await route.fulfill({
        json: { result: { ...result, provider_config: { properties, required: types } } },
      });
    });
    const { result } = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    await stage.tab.show(`/integrations/new?account=${result[0]?.id}&provider=ticketing_jira`);
    await page.locator('form fieldset').first().waitFor();
    const found = await page.evaluate<{ forms: number; secrets: number; shown: string[] }>(`
      (async () => {
        const secret = /^(secret|client secret|secret access key|private key|session)$/i;
        const shown = [];
        let secrets = 0;
        const look = () => {
          for (const label of document.querySelectorAll('form label')) {
            const input = label.querySelector('input');
            if (input === null || !secret.test(label.innerText.trim())) continue;
            secrets += 1;
            if (input.type !== 'password') shown.push(label.innerText);
          }
        };
        look();
        const forms = document.querySelectorAll('form > fieldset').length;
        const kinds = [...document.querySelectorAll('form select')].filter((one) => one.labels[0].innerText.startsWith('Kind'));
        const most = Math.max(...kinds.map((one) => one.options.length));
        for (let at = 1; at < most; at += 1) {
          for (const one of kinds) {
            if (at >= one.options.length) continue;
            one.selectedIndex = at;
            one.dispatchEvent(new Event('change', { bubbles: true }));
          }
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          look();
        }
        return { forms, secrets, shown };
      })()`);
    expect(found.forms).toBeGreaterThan(150);
    expect(found.secrets).toBeGreaterThan(150);
    expect(found.shown).toEqual([]);
  });
}

/** Names of the schemas of the configurations of providers. */
function configurationNames(): string[] {
  const file = new URL(
    '../../libs/contract/src/generated/management.openapi.json',
    import.meta.url,
  );
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
    components: { schemas: Record<string, unknown> };
  };
  return Object.keys(components.schemas).filter((name) => name.startsWith('ProviderConfig_'));
}
