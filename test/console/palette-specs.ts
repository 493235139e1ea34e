import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of "Go to", which finds screens and records by name or id. */
export function paletteSpecs(stage: Stage): void {
  it('goes to screens and integrations by the keyboard, by name or by id', async () => {
    const { result } = await stage.call<{ id: string; account_id: string; name: string }[]>(
      'GET',
      '/v1/integrations?limit=200',
    );
    const desk = result.find(({ name }) => name === 'service-desk');
    const deskUrl = `${stage.printed}integrations/${desk?.account_id}/${desk?.id}`;
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const field = page.getByRole('combobox', { name: /by name or id/ });
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('web');
    await page
      .getByRole('option', { name: 'Webhooks' })
      .and(page.locator('[aria-selected=true]'))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    for (const text of ['ervice des', desk?.id ?? '']) {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      const option = page.getByRole('option', { name: /Service desk/ });
      await option.waitFor();
      await stage.tab.expectAccessible('go to');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Service desk' }).waitFor();
      expect(page.url()).toBe(deskUrl);
      await stage.tab.choose('Overview');
    }
    await page.keyboard.press('Control+k');
    await field.fill('100%_nothing');
    await page.getByText('Nothing has this name or id.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });
}
