import { expect, it } from '@jest/globals';
import { replaceText, textOf } from './editor-text.js';
import type { Stage } from './stage.js';
import { mappingOf, openStudio } from './studio-page.js';

interface Integration {
  id: string;
  account_id: string;
  mappings?: { mappings: string[]; operation_ids: string[] }[] | null;
}

/** Specs of the ways back from a mapping: it is taken out of a chain, and an earlier version is saved again. */
export function wayBackSpecs(stage: Stage): void {
  it('saves a mapping for a list and a record alike, and takes it out of the chain again', async () => {
    const { result: all } = await stage.call<(Integration & { name: string })[]>(
      'GET',
      '/v1/integrations?limit=200',
    );
    const desk = all.find(({ name }) => name === 'service-desk');
    const path = `/v1/integrations/${desk?.account_id}/${desk?.id}`;
    const mappings = async () => (await stage.call<Integration>('GET', path)).result.mappings ?? [];
    const page = await stage.open();
    await openStudio(stage.tab, stage.token);
    await page.getByText('For all operations that read this kind of record').click();
    await page.getByText('For all 2 operations that read this kind of record').waitFor();
    await page.getByRole('checkbox', { name: 'ticketing_get_ticket' }).uncheck();
    await page.getByText('would go on without the mapping: ticketing_get_ticket.').waitFor();
    await page.getByRole('checkbox', { name: 'ticketing_get_ticket' }).check();
    await replaceText(page.getByLabel('Document'), mappingOf('root = this', 'root.name = "first"'));
    await page.getByLabel('Name of the new mapping').fill('way-back');
    await page.getByRole('button', { name: 'Save for this integration only' }).click();
    await page.getByText('built-in mapping (default:0) → way-back').waitFor();
    expect((await mappings())[0]?.operation_ids.toSorted()).toEqual([
      'ticketing_get_ticket',
      'ticketing_query_tickets',
    ]);

    const save = page.getByRole('button', { name: 'Save for everybody who uses it' });
    await save.waitFor();
    await replaceText(
      page.getByLabel('Document'),
      mappingOf('root = this', 'root.name = "second"'),
    );
    await save.click();
    await page.getByText('Saved for everybody').first().waitFor();
    await page.getByText('Earlier versions').click();
    await page.getByRole('button', { name: /^Compare with the version/ }).click();
    await page.locator('.cm-deletedChunk').getByText('first').waitFor();
    await stage.tab.expectAccessible('studio, comparing versions');
    await page.getByRole('button', { name: 'End the comparison' }).click();
    await page.locator('.cm-deletedChunk').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Put it into the editor/ }).click();
    expect(await textOf(page.getByLabel('Document'))).toContain('first');
    await stage.tab.expectAccessible('studio, with earlier versions');

    await stage.tab.show('/mappings');
    await page.getByRole('button', { name: 'Delete way-back' }).click();
    await page.getByRole('dialog').getByText('Take it out on the page of each').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Service desk' }).click();
    await page.getByRole('button', { name: 'Take way-back out of the chain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('ticketing_get_ticket: built-in mapping (default:0)').waitFor();
    await stage.tab.expectAccessible('integration, taking a mapping out');
    await dialog.getByRole('button', { name: 'Take it out' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await mappings()).toEqual([]);
    await stage.call('DELETE', '/v1/mappings/way-back');
  });
}
