import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumPath, eventually, inBrowser } from '#test/harness';
import { ConnectUiStage } from './connect-ui-stage.js';
import { expectText, replaceText } from './editor-text.js';
import { everyScreenSpecs } from './every-screen-specs.js';
import {
  accountCount,
  addIntegrations,
  type CreatedIntegration,
  githubOf,
  integrationCount,
  read,
  startLargeConsole,
} from './large-organization.js';
import { Person } from './person.js';
import { useStage } from './stage.js';
import { mappingOf } from './studio-page.js';

// Walks of five persons, each from a logon to what they came for, in an organization of a million accounts.
(chromiumPath ? describe : describe.skip)(inBrowser('with a million accounts'), () => {
  let newcomerToken = '';
  const stage = useStage(async () => {
    const served = await startLargeConsole();
    newcomerToken = served.newcomerToken;
    return served;
  });
  const connect = new ConnectUiStage(stage);
  beforeAll(async () => {
    await addIntegrations(stage);
    await connect.start();
  });
  afterAll(() => connect.stop());

  /** Logs on, after which the overview is shown. */
  const logOn = async (token = stage.token) => {
    const page = await stage.open();
    const person = new Person(page);
    await stage.tab.logOn(token);
    return { page, person };
  };
  const createCustomer = async (name: string, fullname: string, provider_config: object) => {
    await stage.call('POST', '/v1/accounts', { name, fullname });
    const body = { fullname: `Desk of ${fullname}`, provider_config };
    return (await stage.call<CreatedIntegration>('POST', `/v1/integrations/${name}`, body)).result;
  };

  it('has a million accounts, and 261 integrations', async () => {
    const totals = async (path: string) =>
      (await stage.call('GET', `${path}?limit=1&total=true`)) as unknown as {
        total: number;
        total_is_minimum?: boolean;
      };
    expect(await totals('/v1/integrations')).toMatchObject({ total: integrationCount });
    expect((await totals('/v1/accounts')).total_is_minimum).toBe(true);
    const last = `account-${String(accountCount).padStart(8, '0')}`;
    await stage.call('GET', `/v1/accounts/${last}`);
  });

  it('a newcomer sees a first record after four actions', async () => {
    const page = await stage.open();
    const person = new Person(page);
    await page.goto(stage.printed);
    await person.within('first record', { actions: 4, reads: 30 }, async () => {
      await person.type(page.getByLabel('Organization token'), newcomerToken);
      await person.press(page.getByRole('button', { name: 'Log on', exact: true }));
      await person.press(page.getByRole('button', { name: 'Read a ticket' }));
      await page.getByRole('group', { name: 'The ticket' }).getByText('"id":').waitFor();
    });
    const step = page.getByRole('listitem').filter({ hasText: 'See a record' });
    await step.getByText('Done', { exact: true }).waitFor();
    await person.expectLimitedLists();
  });

  it('support sees by one click why a customer fails, and by two actions the proof for a request', async () => {
    const { token } = await createCustomer(
      'nordwind',
      'Nordwind Logistics',
      githubOf(stage, 'revoked by the customer'),
    );
    const failed = await read(stage, '/v1/ticketing/tickets', token.access.secret);
    const requestId = failed.headers.get('x-request-id') ?? '';
    await eventually(async () => {
      await stage.call('GET', `/v1/requests/${requestId}`);
      const states = await stage.call<unknown[]>(
        'GET',
        '/v1/status?filter=fullname[eq]"Desk of Nordwind Logistics"&filter=status[eq]credentials_refused',
      );
      expect(states.result).toHaveLength(1);
    });
    const viewer = await stage.createToken('viewer');
    const { page, person } = await logOn(viewer.secret);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: /Nordwind/ }).waitFor();
    expect(await attention.getByRole('listitem').count()).toBe(6);
    await person.within('why a customer fails', { actions: 1, reads: 20 }, async () => {
      await person.press(attention.getByRole('link', { name: /Nordwind/ }));
      await page.getByText('The customer has to give a new one.').first().waitFor();
      const failure = page.getByRole('region', { name: 'Last failure' });
      await failure.getByText('Bad credentials').first().waitFor();
      await failure.getByText('The provider answered 401').waitFor();
    });
    await stage.tab.choose('Overview');
    await attention.waitFor();
    await person.within('proof for a request', { actions: 2, reads: 20 }, async () => {
      await person.key('Control+k');
      const field = page.getByRole('combobox', { name: /by name or id/ });
      await person.type(field, requestId, 'Enter');
      await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
      await page.getByText(requestId).first().waitFor();
      await page.getByText('401').first().waitFor();
    });
    // A customer who is not among the newest is found by name.
    await person.within('a customer by name', { actions: 2, reads: 20 }, async () => {
      await person.press(
        page
          .getByRole('navigation', { name: 'Screens' })
          .getByRole('link', { name: 'Integrations' }),
      );
      await person.type(page.getByLabel('Name or customer contains'), 'Account 6000');
      const row = page.getByRole('row').filter({ hasText: 'GitHub of account-00006000' });
      await row.getByText('Credentials refused').waitFor();
    });
    await person.expectLimitedLists();
  });

  it('an engineer changes a mapping, compares it, tries it on records, saves it and rolls it back', async () => {
    const first = mappingOf('root = this');
    const body = { name: 'acme-names', fullname: 'Names for Acme', data: first };
    const made = await stage.call<{ mapping: { id: string } }>('POST', '/v1/mappings', body);
    const path = `/v1/mappings/${made.result.mapping.id}`;
    const stored = async () => (await stage.call<{ data: string }>('GET', path)).result.data;
    const created: CreatedIntegration[] = [];
    for (const name of ['acme-one', 'acme-two']) {
      const one = await createCustomer(name, `Acme ${name}`, { type: 'ticketing_jira_mock' });
      created.push(one);
      const { id, account_id } = one.integration;
      const chain = {
        operation_ids: ['ticketing_query_tickets', 'ticketing_get_ticket'],
        mappings: ['default:0', 'acme-names'],
      };
      await stage.call('PATCH', `/v1/integrations/${account_id}/${id}`, [
        { op: 'add', path: '/mappings', value: [chain] },
      ]);
    }
    const tickets = async () => {
      const response = await fetch(`${stage.url}/v1/ticketing/tickets?limit=3`, {
        headers: { authorization: `Bearer ${created[0]?.token.access.secret ?? ''}` },
      });
      return await response.text();
    };
    const { page, person } = await logOn();
    await person.within('a mapping in the studio', { actions: 5, reads: 40 }, async () => {
      const menu = page.getByRole('navigation', { name: 'Screens' });
      await person.press(menu.getByRole('link', { name: 'Mappings', exact: true }));
      await person.press(page.getByRole('link', { name: 'Open in the studio: Names for Acme' }));
      await person.find('Integration', 'Acme acme-one');
      await person.choose(page.getByLabel('Operation'), 'ticketing_query_tickets');
      await page.getByText('built-in mapping (default:0) → acme-names').waitFor();
      await page.getByLabel('Document').waitFor();
    });
    const editor = page.getByLabel('Document');
    const second = mappingOf('root = this', 'root.name = "changed by the studio"');
    await replaceText(editor, second);
    await page.getByRole('button', { name: 'Show what you have changed' }).click();
    await page.locator('.cm-insertedLine, .cm-changedLine').first().waitFor();
    await page.getByRole('button', { name: 'Show what you have changed' }).click();
    await page.getByRole('button', { name: 'Try on 50 records' }).click();
    await page.locator('strong', { hasText: /^Of \d+ records, \d+ would change/ }).waitFor();
    expect(await stored()).toBe(first);
    await page.getByText('2 use the stored mapping').click();
    await page.getByRole('link', { name: 'Desk of Acme acme-two' }).waitFor();
    const save = page.getByRole('button', { name: 'Save for everybody who uses it' });
    await person.within('save', { actions: 1, reads: 20 }, async () => {
      await person.press(save);
      await page.getByText('Saved for everybody').first().waitFor();
    });
    expect(await stored()).toBe(second);
    await eventually(async () => expect(await tickets()).toContain('changed by the studio'));

    await person.within('roll back', { actions: 3, reads: 20 }, async () => {
      await person.press(page.getByText('Earlier versions'));
      await person.press(page.getByRole('button', { name: /^Put it into the editor/ }).first());
      await expectText(editor, first);
      await person.press(save);
      await eventually(async () => expect(await stored()).toBe(first));
    });
    await eventually(async () => expect(await tickets()).not.toContain('changed by the studio'));
    await person.expectLimitedLists();
  });

  it('a solutions engineer sends a link, and the customer connects with a wrong and then a right credential', async () => {
    await stage.call('POST', '/v1/integration-points', {
      name: 'github-only',
      fullname: 'GitHub for customers',
      connector: 'ticketing',
      environments: { test: ['ticketing_github'], prod: ['ticketing_github'] },
    });
    const { page, person } = await logOn();
    let url = '';
    await person.within('a link for a customer', { actions: 7, reads: 30 }, async () => {
      const menu = page.getByRole('navigation', { name: 'Screens' });
      await person.press(menu.getByRole('link', { name: 'Integration points' }));
      await person.press(page.getByRole('link', { name: 'GitHub for customers' }));
      await person.press(page.getByRole('button', { name: /^Link for a customer/ }));
      const dialog = page.getByRole('dialog');
      await person.find('Customer', 'Account 987654', dialog);
      await person.choose(dialog.getByLabel('Language of the page'), 'Deutsch');
      await person.press(dialog.getByRole('button', { name: 'Make the link' }));
      url = await dialog.getByLabel('Link for the customer', { exact: true }).innerText();
    });
    await person.expectLimitedLists();
    await stage.closeTab();

    const theirs = await stage.open();
    const customer = new Person(theirs);
    await theirs.goto(url);
    const connectButton = theirs.getByRole('button', { name: 'Verbinden', exact: true });
    await customer.within('connect in German', { actions: 10, reads: 20 }, async () => {
      await customer.press(theirs.getByRole('button', { name: 'Beginnen' }));
      await customer.type(theirs.getByLabel('Repository'), 'alderpoint/desk');
      await customer.press(theirs.getByText(/^Freiwillige Angaben/));
      await customer.type(theirs.getByLabel('Adresse (URL)'), stage.githubUrl);
      await customer.type(theirs.getByLabel('Geheimnis'), 'a wrong one');
      await customer.press(connectButton);
      const alert = theirs.getByRole('alert');
      await alert
        .getByText(/GitHub Issues.* akzeptiert diesen Zugang nicht\. Prüfen Sie/)
        .waitFor();
      await customer.type(theirs.getByLabel('Geheimnis'), stage.githubSecret);
      await customer.press(connectButton);
      await theirs.getByRole('heading', { name: /ist verbunden/ }).waitFor();
    });
    const account = `account-${String(987_654).padStart(8, '0')}`;
    const { result } = await stage.call<unknown[]>('GET', `/v1/integrations/${account}`);
    expect(result).toHaveLength(1);
  });

  it('connects in English with a wrong and then a right credential', async () => {
    const page = await connect.openForm();
    await connect.fill(page, stage.githubUrl, 'wrong');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/GitHub Issues.* does not accept this access\. Check what you typed/)
      .waitFor();
    await page.getByLabel('Secret').fill(stage.githubSecret);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: /is connected/ }).waitFor();
  });

  it('a security administrator rotates a token, invites a member, limits a token, and sees all of it in the audit trail', async () => {
    await stage.call('POST', '/v1/tokens', {
      fullname: 'Backend of the shop',
      permission_set: 'viewer',
      resources: { organizations: { ids: ['*'] } },
    });
    const { page, person } = await logOn();
    const menu = page.getByRole('navigation', { name: 'Screens' });
    const dialog = page.getByRole('dialog');
    const go = (screen: string) =>
      person.press(menu.getByRole('link', { name: screen, exact: true }));
    await person.within('rotate a token', { actions: 5, reads: 30 }, async () => {
      await go('Tokens');
      await person.choose(page.getByLabel('Kind'), 'Of programs, for the organization');
      await person.press(page.getByRole('button', { name: 'Rotate Backend of the shop' }));
      await person.press(dialog.getByRole('button', { name: 'Rotate', exact: true }));
      await page.getByRole('heading', { name: 'New secrets of Backend of the shop' }).waitFor();
      await person.press(dialog.getByRole('button', { name: 'I do not need it' }));
      await dialog.waitFor({ state: 'detached' });
    });
    let secret = '';
    await person.within('limit a token to a customer', { actions: 7, reads: 20 }, async () => {
      await person.press(page.getByRole('button', { name: 'New token' }));
      await person.type(dialog.getByLabel('Name (optional)'), 'Only one customer');
      await person.find('Account', 'Account 654321', dialog);
      await dialog.getByText('in the account Account 654321').waitFor();
      await person.press(dialog.getByRole('button', { name: 'Create token' }));
      secret = await dialog.locator('code').first().innerText();
      await person.press(dialog.getByRole('button', { name: 'I do not need it' }));
      await dialog.waitFor({ state: 'detached' });
    });
    const seen = await stage.call<{ fullname: string }[]>('GET', '/v1/accounts', undefined, secret);
    expect(seen.result.map(({ fullname }) => fullname)).toEqual(['Account 654321']);
    await person.within('invite a member', { actions: 6, reads: 20 }, async () => {
      await go('Members and roles');
      await person.press(page.getByRole('button', { name: 'Invite a member' }));
      await person.type(dialog.getByLabel('E-mail address'), 'grace@example.com');
      await person.press(dialog.getByRole('button', { name: 'Invite', exact: true }));
      await dialog.getByLabel('Link of the invitation', { exact: true }).waitFor();
      await person.press(dialog.getByRole('button', { name: 'I do not need it' }));
      await page.getByRole('row').filter({ hasText: 'grace@example.com' }).waitFor();
    });
    await person.within('limit a role to a customer', { actions: 6, reads: 20 }, async () => {
      await person.press(page.getByRole('button', { name: 'New role' }));
      await person.type(dialog.getByLabel('Name'), 'Support of one');
      await person.find('Account', 'Account 123456', dialog);
      await person.press(dialog.getByRole('button', { name: 'Create role' }));
      await page.getByRole('rowheader', { name: 'Support of one' }).waitFor();
    });
    await person.within('the audit trail', { actions: 1, reads: 20 }, async () => {
      await go('Audit');
      const trail = page.locator('.trail');
      for (const operation of ['tokens_create', 'members_create', 'roles_create', 'rotate'])
        await trail.getByText(operation).first().waitFor();
    });
    await person.expectLimitedLists();
  });

  everyScreenSpecs(stage, async () => {
    const { result } = await stage.call<
      { account_id: string; integration_id: string; status: string }[]
    >('GET', '/v1/status?limit=1&order=urgency');
    const [{ account_id: account = '', integration_id: integration = '' } = {}] = result;
    const requests = await stage.call<{ id: string }[]>(
      'GET',
      `/v1/requests?limit=1&filter=integration_id[eq]${integration}`,
    );
    const tabs = ['requests', 'mappings', 'schedules', 'webhooks', 'settings', 'tokens'];
    return [
      `/accounts/${account}`,
      `/integrations/${account}/${integration}`,
      ...tabs.map((tab) => `/integrations/${account}/${integration}?tab=${tab}`),
      `/requests/${requests.result[0]?.id}`,
      `/integrations/new?account=${account}`,
      `/points/${connect.point}`,
    ];
  });
});
