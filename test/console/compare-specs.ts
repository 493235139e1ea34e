import { expect, it } from '@jest/globals';
import { startSilent } from './silent-provider.js';
import type { Stage } from './stage.js';

type Ticket = Record<string, unknown> & { id: string };

/** Specs of the explorer that send a request to a second system, and compare what both answer. */
export function compareSpecs(stage: Stage): void {
  const show = async (integration: string, operation: string) => {
    const { result } = await stage.call<{ id: string; account_id: string; name: string }[]>(
      'GET',
      '/v1/integrations?limit=200',
    );
    const { account_id: account = '', id = '' } =
      result.find(({ name }) => name === integration) ?? {};
    await stage.tab.show(`/explorer?integration=${account}/${id}&operation=${operation}`);
    await stage.tab.page.getByRole('link', { name: 'Compare two systems' }).click();
    await stage.tab.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  };

  const openTickets = async (operation = 'ticketing_query_tickets') => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    await show('service-desk', operation);
    return page;
  };

  /** Connects another system of tickets, beside the mock. */
  const connect = async (name: string, url = stage.githubUrl) => {
    await stage.call('POST', '/v1/accounts', { name });
    const { result } = await stage.call<{
      integration: { id: string };
      token: { access: { secret: string } };
    }>('POST', `/v1/integrations/${name}`, {
      name,
      fullname: `Issues of the customer ${name}`,
      provider_config: {
        type: 'ticketing_github',
        url,
        repository: 'alderpoint/desk',
        credential: { type: 'token', secret: stage.githubSecret },
      },
    });
    return { id: result.integration.id, token: result.token.access.secret };
  };

  const send = async (button: string) =>
    await stage.tab.page.getByRole('button', { name: button, exact: true }).click();

  const table = () => stage.tab.page.getByLabel('Fields of both systems');

  /** Field, value of each system, and how they compare, of each row. */
  const rows = async () => {
    await table().waitFor();
    return await stage.tab.page.evaluate<[string, string, string, string][]>(`
      [...document.querySelectorAll('.comparison tbody tr')].map((row) =>
        [0, 2, 3, 1].map((at) => (row.children[at].querySelector('code') ?? row.children[at]).innerText))`);
  };

  it('sends a request to a second system, and shows field by field what both answer', async () => {
    const second = await connect('compared');
    const page = await openTickets();
    await page.getByText('Choose the second integration above.').waitFor();
    await stage.tab.expectAccessible('the explorer before a comparison');
    await page.getByLabel('Limit').fill('5');
    await stage.tab.chooseFound('Second integration', 'Issues of the customer compared');
    expect(new URL(page.url()).searchParams.get('second')).toBe(second.id);
    expect(await page.getByRole('button', { name: /^Create a ticket/ }).count()).toBe(0);
    await send('Send to both');
    const read = async (token: string) =>
      (await stage.call<Ticket[]>('GET', '/v1/ticketing/tickets?limit=5', undefined, token)).result;
    const shown = await rows();
    const [ours, theirs] = [await read(stage.integrationToken), await read(second.token)];
    expect(shown.find(([field]) => field === 'id')).toEqual([
      'id',
      JSON.stringify(ours[0]?.id),
      JSON.stringify(theirs[0]?.id),
      'Differs',
    ]);
    const fills = (records: readonly Ticket[], field: string) =>
      records.some(({ [field]: value }) => !['', null, undefined].includes(value as string));
    const plain = shown.filter(([field]) => !field.includes('.') && field !== 'tags');
    for (const [field, , , compared] of plain)
      expect([field, compared.startsWith('Only') ? compared : 'both']).toEqual([
        field,
        fills(ours, field)
          ? fills(theirs, field)
            ? 'both'
            : 'Only Service desk'
          : 'Only Issues of the customer compared',
      ]);
    const verdicts = new Set(shown.map(([, , , compared]) => compared));
    expect([...verdicts].toSorted()).toEqual(
      expect.arrayContaining(['Differs', 'Only Service desk']),
    );
    await stage.tab.expectAccessible('the explorer with a comparison');
    await page.setViewportSize({ width: 320, height: 900 });
    await stage.tab.expectAccessible('the explorer with a comparison, 320 pixels wide');
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.getByRole('button', { name: /^Only Service desk: \d+$/ }).click();
    expect(new Set((await rows()).map(([, , , compared]) => compared))).toEqual(
      new Set(['Only Service desk']),
    );
    await page.getByRole('button', { name: /^All \d+$/ }).click();
    await page
      .getByLabel(`Record of Issues of the customer compared, of ${theirs.length}`)
      .selectOption('1');
    expect((await rows()).find(([field]) => field === 'id')?.[2]).toBe(
      JSON.stringify(theirs[1]?.id),
    );
  });

  it('takes the id of the second system for one record, and finds what both say the same', async () => {
    const second = await connect('compared-one');
    const { result } = await stage.call<Ticket[]>(
      'GET',
      '/v1/ticketing/tickets?limit=1',
      undefined,
      second.token,
    );
    const page = await openTickets('ticketing_get_ticket');
    await page.getByLabel('Ticket ID').fill('ITS-1001');
    await stage.tab.chooseFound('Second integration', 'Issues of the customer compared-one');
    const id = page
      .getByRole('group', { name: 'For Issues of the customer compared-one' })
      .getByLabel('Ticket ID');
    await send('Send to both');
    await page.getByText('This is needed.').waitFor();
    await id.fill('ITS-1001');
    await send('Send to both');
    await page
      .getByText('Issues of the customer compared-one has no answer to compare with')
      .waitFor();
    await page.getByRole('alert').waitFor();
    await stage.tab.expectAccessible('the explorer with a failed comparison');
    await id.fill(result[0]?.id ?? '');
    await send('Send to both');
    expect((await rows()).find(([field]) => field === 'id')).toEqual([
      'id',
      '"ITS-1001"',
      JSON.stringify(result[0]?.id),
      'Differs',
    ]);
  });

  it('says so when the second system is not there, does not answer, or answers too much or nothing', async () => {
    const silent = await startSilent();
    await connect('compared-silent', silent.url);
    await connect('compared-much');
    const page = await openTickets();
    await stage.tab.chooseFound('Second integration', 'Issues of the customer compared-silent');
    await send('Send to both');
    await page.getByText('Waiting for Issues of the customer compared-silent').waitFor();
    await send('Cancel Issues of the customer compared-silent');
    await page
      .getByText('Cancelled before Issues of the customer compared-silent had answered.')
      .waitFor();
    silent.close();
    await stage.tab.chooseFound('Second integration', 'Issues of the customer compared-much');
    let result: unknown[] = [{ id: '1', name: 'x'.repeat(2_000_000) }];
    await page.route('**/v1/ticketing/tickets*', (route) => route.fulfill({ json: { result } }));
    await send('Send to both');
    await page.getByText('is too large to be compared here').first().waitFor();
    result = [];
    await send('Send to both');
    await page.getByText('has no record that the request asks for').first().waitFor();
    await show('demo-assets', 'assets_query_devices');
    const lead = page.getByRole('link', { name: 'Connect a second one' });
    await lead.waitFor();
    await stage.tab.expectAccessible('the explorer without a second system');
    await lead.click();
    await page.getByRole('heading', { name: 'Connect a system' }).waitFor();
    expect(new URL(page.url()).searchParams.get('domain')).toBe('assets');
  });
}
