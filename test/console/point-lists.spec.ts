import { expect, it } from '@jest/globals';
import type { PageOptions } from './console-page.js';
import { describeInBrowser } from './stage.js';

const everySystem = { test: ['*'], prod: ['*'] };
const chain = {
  operation_ids: ['ticketing_get_ticket'],
  providers: ['*'],
  mappings: ['default:0'],
};
const field = {
  resource: 'tickets',
  actions: ['read'],
  source: 'severity',
  destination: 'level',
  data_type: 'string',
  providers: ['*'],
  mapping_type: 'fixed',
};
const schedule = {
  operation: 'ticketing_query_tickets',
  enabled: true,
  filters: ['status[eq]open'],
  frequency: { type: 'periodic', value: '2h' },
};
const lists = {
  mappings: [chain],
  additional_mappings: [field],
  scheduled_operations: [schedule],
};

describeInBrowser('the lists of an integration point', (stage) => {
  const create = async (name: string, more: object = {}) => {
    const body = { name, connector: 'ticketing', environments: everySystem, ...more };
    await stage.call('POST', '/v1/integration-points', body);
  };
  const read = async (name: string) => {
    const { result } = await stage.call<Record<string, unknown>>(
      'GET',
      `/v1/integration-points/${name}`,
    );
    return result;
  };
  const open = async (name: string, options?: PageOptions, token = stage.token) => {
    const page = await stage.open(options);
    await stage.tab.showTo(token, `/points/${name}`);
    await page.getByRole('heading', { name: 'Schedules' }).waitFor();
    const row = (title: string) => page.getByRole('group', { name: title, exact: true });
    const save = () => page.getByRole('button', { name: 'Save integration point' }).click();
    return { page, row, save };
  };

  it('adds a chain, a field and a schedule, and sends nothing while something is missing', async () => {
    await create('filled');
    const { page, row, save } = await open('filled');
    await page.getByRole('button', { name: 'Add a chain' }).click();
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByRole('button', { name: 'Add a schedule' }).click();
    await save();
    await row('Chain 1').getByText('Choose an operation.').waitFor();
    await row('Field 1').getByText('Choose one.').waitFor();
    expect(await row('Field 1').getByText('This is needed.').count()).toBe(2);
    expect(stage.tab.writes).toEqual([]);
    await row('Chain 1').getByLabel('ticketing_get_ticket').check();
    await row('Field 1').getByLabel('Kind of record').selectOption('Tickets');
    await row('Field 1').getByLabel('query').uncheck();
    await row('Field 1').getByLabel('Field of the system').fill('severity');
    await row('Field 1').getByLabel('Field of the record').fill('level');
    await row('Field 1').getByRole('combobox', { name: 'Type' }).selectOption('Text');
    await row('Field 1').getByRole('combobox', { name: 'For' }).selectOption({ value: 'fixed' });
    await row('Schedule 1').getByLabel('Every', { exact: true }).fill('2h');
    await row('Schedule 1').getByLabel('Filters (optional)').fill('status[eq]open\n');
    await save();
    await page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    expect(await read('filled')).toMatchObject(lists);
    await page.getByRole('button', { name: 'Remove field 1' }).click();
    await stage.tab.expectValue('document.activeElement.textContent', 'Additional fields');
    await row('Schedule 1').getByLabel('Runs').selectOption('When the system reports a change');
    await row('Schedule 1').getByLabel('Switched on').uncheck();
    const saved = page.waitForResponse((one) => one.request().method() === 'PATCH');
    await save();
    expect((await saved).ok()).toBe(true);
    expect(await read('filled')).toMatchObject({
      mappings: lists.mappings,
      additional_mappings: [],
      scheduled_operations: [
        { enabled: false, frequency: { type: 'event', value: 'TicketUpdated' } },
      ],
    });
    await stage.call('DELETE', '/v1/integration-points/filled');
  });

  it('shows what the service refuses at the item it is about, also when one before it was removed', async () => {
    await create('refused', { ...lists, mappings: [chain, chain] });
    const { page, row, save } = await open('refused');
    await row('Chain 2').getByLabel('Mappings, in their order').fill('default:0\nno-such-mapping');
    await save();
    const words = 'is not the name or id of a mapping';
    await row('Chain 2').getByText(words).waitFor();
    expect(await row('Chain 1').getByText(words).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove chain 1' }).click();
    await row('Chain 1').getByText(words).waitFor();
    await row('Chain 1').getByLabel('Mappings, in their order').fill('default:0');
    await row('Schedule 1').getByLabel('Every', { exact: true }).fill('1m');
    await save();
    await row('Schedule 1').getByText('between 5m and 365d').waitFor();
    expect(await read('refused')).toMatchObject({ mappings: [chain, chain] });
    await stage.call('DELETE', '/v1/integration-points/refused');
  });

  it('overwrites no list that somebody else has changed, and shows theirs', async () => {
    await create('contested', lists);
    const { page, row, save } = await open('contested');
    await row('Field 1').getByLabel('Field of the record').fill('mine');
    const theirs = [{ ...field, destination: 'theirs' }];
    const patch = [{ op: 'add', path: '/additional_mappings', value: theirs }];
    await stage.call('PATCH', '/v1/integration-points/contested', patch);
    await save();
    await page.getByText('Somebody else has changed this integration point meanwhile.').waitFor();
    await stage.tab.expectInput(row('Field 1').getByLabel('Field of the record'), 'mine');
    expect(await read('contested')).toMatchObject({ additional_mappings: theirs });
    await page.getByRole('button', { name: 'Show what they have saved' }).click();
    await stage.tab.expectInput(row('Field 1').getByLabel('Field of the record'), 'theirs');
    await stage.call('DELETE', '/v1/integration-points/contested');
  });

  it('keeps what was typed when the session ends, and saves it after another logon', async () => {
    await create('kept', lists);
    const { id, secret } = await stage.createToken('administrator');
    const { page, row, save } = await open('kept', undefined, secret);
    await row('Field 1').getByLabel('Field of the record').fill('typed-before');
    await stage.call('DELETE', `/v1/tokens/${id}`);
    await save();
    await page.getByRole('dialog', { name: 'Log on again' }).waitFor();
    await stage.tab.pasteToken(stage.token);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    await stage.tab.expectInput(row('Field 1').getByLabel('Field of the record'), 'typed-before');
    expect(await read('kept')).toMatchObject({
      additional_mappings: [{ ...field, destination: 'typed-before' }],
    });
    await stage.call('DELETE', '/v1/integration-points/kept');
  });

  it.each<PageOptions>([
    { colorScheme: 'light', width: 1_600 },
    { colorScheme: 'dark', width: 320 },
  ])('are accessible with faults, $colorScheme and $width pixels wide', async (options) => {
    await create('looked-at', lists);
    const { page, save } = await open('looked-at', options);
    await page.getByRole('button', { name: 'Add a chain' }).click();
    await page.getByRole('button', { name: 'Add a field' }).click();
    await save();
    await page.getByText('Choose an operation.').waitFor();
    await stage.tab.expectAccessible('lists of a point');
    await stage.call('DELETE', '/v1/integration-points/looked-at');
  });
});
