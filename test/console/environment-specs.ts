import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of the environment that all screens are limited to, and of what they say about accounts and what belongs to them. */
export function environmentSpecs(stage: Stage): void {
  const accounts = [
    ['live', 'Customer live', 'prod'],
    ['trial', 'Customer on trial', 'test'],
  ] as const;
  const prepare = async () => {
    await stage.call('POST', '/v1/integration-points', {
      name: 'desk',
      fullname: 'Desk of customers',
      connector: 'ticketing',
      environments: { test: ['*'], prod: ['*'] },
    });
    for (const [name, fullname, environment] of accounts) {
      await stage.call('POST', '/v1/accounts', { name, fullname, environment });
      await stage.call('POST', `/v1/integrations/${name}`, {
        name: `${name}-desk`,
        fullname: `Desk of ${name}`,
        integration_point_id: 'desk',
        provider_config: { type: 'ticketing_mock_ticketing', name },
      });
      await stage.call('POST', `/v1/credentials/${name}`, {
        name: `${name}-key`,
        fullname: `Key of ${name}`,
        config: { type: 'token', secret: 'hidden' },
        expires: new Date(Date.now() + 10 * 86_400_000).toISOString(),
      });
    }
  };

  it('limits every screen to test or production, in the address too, and shows all again', async () => {
    await prepare();
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const ending = page.getByRole('region', { name: /^Credentials that expire/ });
    await ending.getByRole('link', { name: 'Key of live' }).waitFor();
    await ending.getByRole('link', { name: 'Key of trial' }).waitFor();
    const choice = page.getByLabel('Test or production');
    await choice.selectOption('Only production');
    await page.getByText('Integrations and credentials of production accounts.').waitFor();
    await ending.getByText('Key of trial').waitFor({ state: 'detached' });
    await ending.getByText('Key of live').waitFor();
    await stage.tab.expectAccessible('overview of production');
    const names = page.locator('tbody th');
    for (const [screen, shown, hidden] of [
      ['Integrations', 'Desk of live', 'Desk of trial'],
      ['Accounts', 'Customer live', 'Customer on trial'],
    ] as const) {
      await stage.tab.choose(screen);
      await names.getByText(shown).waitFor();
      expect(await names.getByText(hidden).count()).toBe(0);
      expect(new URL(page.url()).searchParams.get('environment')).toBe('prod');
      await page.reload();
      await names.getByText(shown).waitFor();
      expect(await names.getByText(hidden).count()).toBe(0);
    }
    await stage.tab.choose('Jobs');
    await page.getByText('No job of these accounts is like this.').waitFor();
    await choice.selectOption('All environments');
    await page.getByText('No job of these accounts is like this.').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('counts the integrations of each account by state with one request, and names their points', async () => {
    const page = await stage.open();
    const asked = () => stage.tab.requests.filter((one) => one === 'GET /v1/status').length;
    const before = asked();
    await stage.tab.showTo(stage.token, '/accounts'); // not from the overview, which asks too
    const row = page.getByRole('row').filter({ hasText: 'Customer live' });
    await row.getByRole('link', { name: '1 New' }).waitFor();
    expect(asked() - before).toBe(1);
    await stage.tab.expectAccessible('accounts with counts');
    await row.getByRole('link', { name: '1 New' }).click();
    const desk = page.getByRole('row').filter({ hasText: 'Desk of live' });
    await desk.getByRole('link', { name: 'Desk of customers' }).waitFor();
    await desk.getByText('production', { exact: true }).waitFor();
    await stage.tab.expectAccessible('integrations with points');
  });

  it('says that nothing is in an environment, and names the permission that counts need', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    await page.route('**/v1/tokens/self/info', async (route) => {
      const response = await route.fetch();
      const own = (await response.json()) as { result: { operations: string[] } };
      const without = ['status_list', 'bridges_get_status'];
      own.result.operations = own.result.operations.filter((one) => !without.includes(one));
      await route.fulfill({ response, json: own });
    });
    await stage.call('POST', '/v1/bridges/live', { name: 'office', fullname: 'Office' });
    await stage.tab.show('/accounts?name=live');
    const row = page.getByRole('row').filter({ hasText: 'Customer live' });
    await row.getByText('Needs the permission “Status: list”, status.list.').waitFor();
    await row.getByRole('link', { name: 'Customer live', exact: true }).click();
    const office = page.getByRole('row').filter({ hasText: 'Office' });
    await office.getByText('Needs the permission “Bridges: status”, bridges.status.').waitFor();
    await page.unroute('**/v1/tokens/self/info');
    await page.reload();
    await office.getByText('No agent is connected').waitFor();
    await stage.tab.expectAccessible('account with a bridge');
    await stage.tab.show('/accounts?name=nobody-has-this-name&environment=prod');
    await page
      .getByText('No account in production has a name that contains “nobody-has-this-name”.')
      .waitFor();
  });

  it('says how many records a running job has read, and how fast', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const minuteAgo = new Date(Date.now() - 60_000).toISOString();
    const job = {
      id: 'opr_1',
      created_at: minuteAgo,
      updated_at: minuteAgo,
      account_id: 'acc_1',
      integration_id: 'int_1',
      operation: 'ticketing_query_tickets',
      input: {},
      status: 'PROCESSING',
      cpu_time: 1,
      in_bytes: 400_000,
      current_run: { started_at: minuteAgo, records_processed: 1_200, in_bytes: 200_000 },
    };
    await page.route(/\/v1\/jobs\?/, (route) => route.fulfill({ json: { result: [job] } }));
    await stage.tab.choose('Jobs');
    const row = page.getByRole('row').filter({ hasText: '1,200 records so far' });
    await row.getByText(/^\d+(\.\d)? per second, began/).waitFor();
    await row.getByText('400 kB').waitFor();
    await stage.tab.expectAccessible('jobs, one runs');
  });
}
