import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { readDownload } from './read-download.js';
import { replaceText } from './editor-text.js';
import type { Stage } from './stage.js';
import { mappingOf } from './studio-page.js';

const run = promisify(execFile);

/** Specs of the list of mappings, of chains that a point gives to all systems, of programs for a request, and of the matrix of operations. */
export function mappingListSpecs(stage: Stage): void {
  const store = async (name: string) => {
    const body = { name, fullname: `Mapping ${name}`, data: mappingOf('root = this') };
    return (await stage.call<{ mapping: { id: string } }>('POST', '/v1/mappings', body)).result
      .mapping.id;
  };

  it('lists mappings with those who use them, and deletes one that nobody uses', async () => {
    await store('listed-used');
    await store('listed-free');
    const body = { name: 'listed', provider_config: { type: 'ticketing_mock_ticketing' } };
    await stage.call('POST', '/v1/accounts', { name: 'listed', fullname: 'Account listed' });
    await stage.call('POST', '/v1/integrations/listed', {
      ...body,
      fullname: 'Desk of the list',
      mappings: [
        { operation_ids: ['ticketing_query_tickets'], mappings: ['default:0', 'listed-used'] },
      ],
    });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/mappings');
    const used = page.getByRole('row').filter({ hasText: 'Mapping listed-used' });
    await used.getByRole('link', { name: 'Desk of the list' }).waitFor();
    const free = page.getByRole('row').filter({ hasText: 'Mapping listed-free' });
    await free.getByText('nobody').waitFor();
    await stage.tab.expectAccessible('mappings');
    await free.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('button', { name: 'Delete mapping', exact: true }).click();
    await free.waitFor({ state: 'detached' });
    await used.getByRole('link', { name: /^Open in the studio/ }).click();
    await page.getByRole('heading', { name: 'Mapping studio' }).waitFor();
  });

  it('counts those who use a mapping, names the first ten, and says why it cannot be deleted', async () => {
    await store('used-by-many');
    await stage.call('POST', '/v1/accounts', { name: 'many', fullname: 'Account of many' });
    for (const number of Array.from({ length: 12 }, (_, index) => index))
      await stage.call('POST', '/v1/integrations/many', {
        name: `many-${number}`,
        fullname: `Desk ${number} of many`,
        provider_config: { type: 'ticketing_mock_ticketing', name: `many-${number}` },
        mappings: [
          { operation_ids: ['ticketing_query_tickets'], mappings: ['default:0', 'used-by-many'] },
        ],
      });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/mappings');
    const row = page.getByRole('row').filter({ hasText: 'Mapping used-by-many' });
    await row.getByText('and 2 others').waitFor();
    expect(await row.getByRole('link', { name: /of many/ }).count()).toBe(10);
    await stage.tab.expectAccessible('a mapping that many use');
    await row.getByRole('button', { name: /^Delete/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is in the chains of these.').waitFor();
    await dialog.getByText('and 2 others').waitFor();
  });

  it('runs the mappings of a point that are for all its systems, and keeps them in a chain of one integration', async () => {
    await store('of-all-systems');
    const environments = { test: ['*'], prod: ['*'] };
    const chain = {
      operation_ids: ['ticketing_query_tickets'],
      providers: ['*'],
      mappings: ['default:0', 'of-all-systems'],
    };
    const point = await stage.call<{ id: string }>('POST', '/v1/integration-points', {
      name: 'for-all',
      fullname: 'For all',
      connector: 'ticketing',
      environments,
      mappings: [chain],
    });
    await stage.call('POST', '/v1/accounts', { name: 'for-all', fullname: 'Account for all' });
    const { result } = await stage.call<{ integration: { id: string; account_id: string } }>(
      'POST',
      '/v1/integrations/for-all',
      {
        name: 'for-all-desk',
        fullname: 'Desk for all',
        integration_point_id: point.result.id,
        provider_config: { type: 'ticketing_mock_ticketing', name: 'for-all' },
      },
    );
    const { id, account_id: account } = result.integration;
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/integrations/${account}/${id}?tab=mappings`);
    await page.getByText('built-in mapping (default:0) → of-all-systems').waitFor();
    await stage.tab.show(`/studio?integration=${account}/${id}&operation=ticketing_query_tickets`);
    await page.getByText('built-in mapping (default:0) → of-all-systems').waitFor();
    await replaceText(page.getByLabel('Document'), mappingOf('root = this', 'root.name = "own"'));
    await page.getByLabel('Name of the new mapping').fill('of-one-integration');
    await page.getByRole('button', { name: 'Save for this integration only' }).click();
    await page
      .getByText('built-in mapping (default:0) → of-all-systems → of-one-integration')
      .waitFor();
    const saved = await stage.call<{ mappings: { mappings: string[] }[] }>(
      'GET',
      `/v1/integrations/${account}/${id}`,
    );
    expect(saved.result.mappings[0]?.mappings).toEqual([
      'default:0',
      'of-all-systems',
      'of-one-integration',
    ]);
  });

  it('hides the values of a record that is shown to others, and names what no mapping has set', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/studio');
    await stage.tab.chooseIntegration('Service desk');
    await page.getByLabel('Operation').selectOption('ticketing_query_tickets');
    const record = '{"name": "SFTP 7 für Ana", "big": 9007199254740993, "on": true, "none": null}';
    await page.getByLabel('Record as JSON').fill(record);
    await page.getByRole('button', { name: 'Replace its values' }).click();
    const hidden = JSON.parse(await page.getByLabel('Record as JSON').inputValue()) as unknown;
    expect(hidden).toEqual({ name: 'XXXX 0 xxx Xxx', big: 0, on: true, none: null });
    await page.getByLabel('Result of new mapping', { exact: true }).getByText('XXXX').waitFor();
    await page.getByText('Fields that no mapping has set').click();
    await page.getByText(/\bstatus\b.*, /).waitFor();
  });

  it('writes a request as a program, which gets what the explorer gets', async () => {
    const page = await stage.open();
    await stage.tab.showTo(
      stage.token,
      '/explorer?integration=management&operation=organization_get',
    );
    await page.getByRole('button', { name: 'TypeScript' }).click();
    const code = await page.locator('.command code').innerText();
    const env = { ...process.env, TOKEN: stage.token };
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env });
    expect(stdout).toMatch(/^200 \{"result":/);
    await page.getByRole('button', { name: 'Python' }).click();
    expect(await page.locator('.command code').innerText()).toContain('urllib.request');
  });

  it('asks before a request changes something for a customer in production', async () => {
    await stage.call('POST', '/v1/accounts', {
      name: 'live',
      fullname: 'Account live',
      environment: 'prod',
    });
    const { result } = await stage.call<{ integration: { id: string; account_id: string } }>(
      'POST',
      '/v1/integrations/live',
      { name: 'live-desk', provider_config: { type: 'ticketing_mock_ticketing', name: 'live' } },
    );
    const { id, account_id: account } = result.integration;
    const page = await stage.open();
    await stage.tab.showTo(
      stage.token,
      `/explorer?integration=${account}/${id}&operation=ticketing_create_ticket`,
    );
    await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"name": "Asked"}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('changes something in the customer’s own system').waitFor();
    expect(stage.tab.writes).toEqual([]);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => expect(stage.tab.writes).toContain('POST /v1/ticketing/tickets'));
  });

  it('shows which provider can do what, and saves it as a file', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/providers/operations?domain=ticketing');
    const table = page.getByRole('region', { name: 'Operations by provider' });
    const row = table.getByRole('row').filter({ hasText: 'ticketing_query_tickets' });
    await row.getByText('Yes').first().waitFor();
    await stage.tab.expectAccessible('operations by provider');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('ticketing-operations.csv');
    const [head = '', ...lines] = (await readDownload(file)).split('\r\n');
    expect(head).toContain('GitHub Issues');
    expect(lines.find((one) => one.startsWith('ticketing_query_tickets,'))).toContain('yes');
  });
}
