import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Stage } from './stage.js';

/** Specs of the request log: a call that failed is found in the list, by its id, from a problem and from its integration. */
export function requestSpecs(stage: Stage): void {
  /** Makes a call that fails, and waits until the log has it. @returns the id of the request */
  const fail = async () => {
    const response = await fetch(`${stage.url}/v1/ticketing/tickets/NONE-1`, {
      headers: { authorization: `Bearer ${stage.integrationToken}` },
    });
    expect(response.status).toBe(404);
    const id = response.headers.get('x-request-id') ?? '';
    await eventually(async () => {
      await stage.call('GET', `/v1/requests/${id}`);
    });
    return id;
  };

  it('lists calls by how they ended, and shows one with its mappings and why it failed', async () => {
    const id = await fail();
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/requests');
    await page.getByRole('rowheader', { name: 'Get ticket' }).first().waitFor();
    await stage.tab.expectAccessible('requests');
    await page.getByLabel('Ended').selectOption('Succeeded');
    await page.getByRole('rowheader', { name: 'Get ticket' }).waitFor({ state: 'detached' });
    await page.getByLabel('Ended').selectOption('Failed');
    await stage.tab.chooseIntegration('Service desk');
    await stage.tab.chooseFound('Operation', 'Get ticket');
    await page.getByRole('button', { name: 'Last hour' }).click();
    expect(new URL(page.url()).searchParams.get('operation')).toBe('ticketing_get_ticket');
    await page.getByRole('rowheader').getByRole('link', { name: 'Get ticket' }).first().click();
    await page.getByRole('heading', { name: 'Get ticket' }).waitFor();
    await page.getByText('There is no ticket "NONE-1".').waitFor();
    await page.getByText('built-in mapping (default:0)').waitFor();
    await page.getByText(id).waitFor();
    await stage.tab.expectAccessible('a request');
    await page.goBack();
    await page.getByLabel('Slower than').selectOption('30 s');
    await page.getByText('No call of the log is like this.').waitFor();
    await stage.tab.expectAccessible('requests, empty');
  });

  it('finds a call by its id, from a problem, from “Go to” and from its integration', async () => {
    const id = await fail();
    const { result } = await stage.call<{ id: string; account_id: string; name: string }[]>(
      'GET',
      '/v1/integrations?limit=200',
    );
    const desk = result.find(({ name }) => name === 'service-desk');
    const address = `${desk?.account_id}/${desk?.id}`;
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /by name or id/ }).fill(`/requests/${id}`);
    await page.getByRole('option', { name: 'Call of a customer' }).click();
    await page.getByRole('heading', { name: 'Get ticket' }).waitFor();

    await stage.tab.show(`/explorer?integration=${address}&operation=ticketing_get_ticket`);
    await page.getByLabel('Ticket ID').fill('NONE-2');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const alert = page.getByRole('alert');
    const href = await alert.getByRole('link', { name: /^\/requests\// }).getAttribute('href');
    const failed = /[\w-]+$/.exec(href ?? '')?.[0] ?? '';
    await eventually(async () => {
      await stage.call('GET', `/v1/requests/${failed}`);
    });
    await alert.getByRole('link', { name: /^\/requests\// }).click();
    await page.getByText('There is no ticket "NONE-2".').waitFor();

    await stage.tab.show(`/integrations/${address}?tab=requests`);
    await page.getByRole('link', { name: 'All its calls, with filters' }).click();
    await page.getByRole('rowheader', { name: 'Get ticket' }).first().waitFor();
    await page.getByLabel('Id of a request').fill('nothing');
    await page.getByText('It is the end of “instance” of a problem').waitFor();
    const unknown = '00000000-0000-4000-8000-000000000000';
    await page.getByLabel('Id of a request').fill(unknown);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The request log has no such call' }).waitFor();
    await stage.tab.expectAccessible('a request that is not kept');
    await page.getByRole('link', { name: 'Find it in the audit trail' }).click();
    expect(new URL(page.url()).searchParams.get('record')).toBe(unknown);
  });

  it('records bodies when somebody wants it, shows them, and replays the call with another mapping', async () => {
    const { result: accounts } = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    const { result } = await stage.call<{
      integration: { id: string };
      token: { access: { secret: string } };
    }>('POST', `/v1/integrations/${accounts[0]?.id}`, {
      fullname: 'Recorded',
      provider_config: { type: 'ticketing_jira_mock' },
    });
    await stage.call('POST', '/v1/mappings', {
      name: 'shouting',
      fullname: 'Shouting',
      data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n    root = this\n    root.name = this.name.uppercase()\n',
    });
    const ask = async (path: string) => {
      const response = await fetch(`${stage.url}/v1/ticketing/tickets${path}`, {
        headers: { authorization: `Bearer ${result.token.access.secret}` },
      });
      const body = (await response.json()) as { result: { id: string; name: string }[] };
      const id = response.headers.get('x-request-id') ?? '';
      await eventually(async () => {
        await stage.call('GET', `/v1/requests/${id}`);
      });
      return { id, body };
    };
    const before = await ask('?limit=2');
    const page = await stage.open();
    await stage.tab.showTo(stage.token, `/requests/${before.id}`);
    await page.getByText('none is kept until somebody records').waitFor();
    await page.getByLabel('For').selectOption('four hours');
    await page.getByRole('button', { name: 'Record the bodies of this integration' }).click();
    await page.getByText('calls are recorded, and kept, until').waitFor();

    const after = await ask('?limit=1');
    const { name = '' } = after.body.result[0] ?? {};
    await stage.tab.show(`/requests/${after.id}`);
    const answered = page.getByRole('group', { name: 'What was answered' });
    await answered.getByText(name).waitFor();
    const bodies = page.getByRole('region', { name: 'Bodies' });
    await bodies.locator('summary').filter({ hasText: '/rest/api/3/search' }).first().click();
    await page
      .getByRole('group', { name: 'Answer 1 of the provider' })
      .getByText('"issues"')
      .waitFor();
    await page.getByLabel('Add a mapping of your own').fill('shout');
    await page.getByRole('option', { name: 'Shouting' }).click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText(/^One place differs/).waitFor();
    const difference = page.getByRole('group', { name: 'What the mappings change' });
    expect(await difference.getByRole('insertion').innerText()).toContain(name.toUpperCase());
    await stage.tab.expectAccessible('a request with bodies');

    await page.getByRole('button', { name: 'Stop, and delete them' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop, and delete them' }).click();
    await page.getByText('none is kept until somebody records').waitFor();
    await answered.waitFor({ state: 'detached' });
  });
}
