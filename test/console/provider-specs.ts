import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Stage } from './stage.js';

interface Provider {
  id: string;
  fullname: string;
  proof?: string;
  operations: { id: string; supported: boolean }[];
}

/** Specs of the catalogue of providers. */
export function providerSpecs(stage: Stage): void {
  it('finds a provider by domain and proof, shows all that it can do, and opens the form to connect it', async () => {
    const { result: all } = await stage.call<Provider[]>('GET', '/v1/capabilities/providers');
    const { result: github } = await stage.call<Provider>(
      'GET',
      '/v1/capabilities/providers/ticketing_github?expand=operations',
    );
    const alike = all.filter(
      ({ id, proof }) => id.startsWith('ticketing_') && proof === github.proof,
    );
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/providers');
    const mocks = all.filter(({ id }) => /^([^_]+)_mock_\1$|_mock$/.test(id));
    const cards = page.locator('.offer strong');
    await page.getByText(/^\d+ mocks are hidden\./).waitFor();
    const names = await cards.allInnerTexts();
    // A domain that has nothing but a mock shows it.
    expect(names.filter((name) => /^Mock |\(mock\)$/.test(name)).length).toBeLessThan(4);
    expect(names.length).toBeGreaterThanOrEqual(all.length - mocks.length);
    await page.getByRole('button', { name: 'Show mocks' }).click();
    await page.getByText(`${all.length} providers`).waitFor();
    await page.getByLabel('Domain').selectOption('ticketing');
    await page.getByLabel('How proven').selectOption(github.proof ?? '');
    await page.getByText(`${alike.length} providers`).waitFor();
    expect(await page.locator('.offer strong').allInnerTexts()).toEqual(
      expect.arrayContaining(alike.map(({ fullname }) => fullname)),
    );
    const search = new URL(page.url()).searchParams;
    expect([search.get('domain'), search.get('proof')]).toEqual(['ticketing', github.proof]);
    await page.getByLabel('Name or vendor').fill('github');
    await page.getByRole('link', { name: /^GitHub Issues(?! \(mock)/ }).click();
    await page.getByRole('heading', { name: github.fullname }).waitFor();
    await page.getByRole('heading', { name: 'How to get access' }).waitFor();
    const preview = page.getByRole('region', { name: /^What somebody who connects it/ });
    expect(await preview.getByLabel('Secret').getAttribute('type')).toBe('password');
    await preview.getByLabel('Repository').fill('alderpoint/desk');
    await preview.getByRole('button', { name: 'Show what is still needed' }).click();
    await preview.getByText('This is needed.').waitFor();
    expect(await preview.getByText('This is needed.').count()).toBe(1);
    expect(stage.tab.writes).toEqual([]);
    const rows = page.getByRole('group', { name: 'Operations' }).locator('tbody tr');
    const supported = github.operations.filter((one) => one.supported);
    await eventually(async () => expect(await rows.count()).toBe(supported.length));
    await page.getByRole('button', { name: 'Show those that it does not have' }).click();
    await eventually(async () => expect(await rows.count()).toBe(github.operations.length));
    expect(await rows.filter({ hasText: 'Not supported' }).count()).toBe(
      github.operations.length - supported.length,
    );
    await page.getByRole('button', { name: 'Connect it' }).click();
    await page.getByRole('button', { name: 'Demo account' }).click();
    await page.getByRole('heading', { name: github.fullname }).waitFor();
    await page.getByLabel('Repository').waitFor();
  });

  it('goes on to name the permission that connecting needs', async () => {
    const viewer = await stage.createToken('viewer');
    const page = await stage.open();
    await stage.tab.showTo(viewer.secret, '/providers/ticketing_github');
    await page
      .getByText('Needs the permission “Integrations: create”, integrations.create.')
      .waitFor();
    await page.getByRole('button', { name: 'Connect it' }).dispatchEvent('click');
    expect(new URL(page.url()).pathname).toBe('/console/providers/ticketing_github');
  });
}
