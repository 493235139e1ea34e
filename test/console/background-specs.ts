import { expect, it } from '@jest/globals';
import { Receiver } from '#test/harness';
import type { Stage } from './stage.js';

/** Specs of what happens in the background: webhooks with their deliveries, and jobs. */
export function backgroundSpecs(stage: Stage): void {
  it('creates a webhook, shows each attempt of a delivery, and sends one again', async () => {
    const receiver = await Receiver.start();
    try {
      receiver.answer = (_request, response) => response.writeHead(418).end('not today');
      const page = await stage.open();
      await stage.tab.showTo(stage.token, '/webhooks');
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByLabel('Name (optional)').fill('Change feed');
      await page.getByLabel('Address').fill('http://10.0.0.1/');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByLabel('Address').and(page.locator('[aria-invalid=true]')).waitFor();
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByLabel('account_create').check();
      await page.getByRole('button', { name: 'Create webhook' }).click();
      const secret = await page.locator('dialog .secret code').innerText();
      expect(secret).toMatch(/^whsec_.{32}$/);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'I do not need it' }).click();
      await page.getByRole('link', { name: 'Change feed' }).click();
      await page.getByText('No delivery is kept').waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      const delivery = page.locator('ol.lines > li').filter({ hasText: 'Attempts and body' });
      // The service repeats it every few seconds at first: how many attempts are seen first, nobody knows.
      await delivery.getByText(/ [1-9]\d* attempts?, next/).waitFor();
      await delivery.getByText('Attempts and body').click();
      await delivery.getByText('418', { exact: true }).first().waitFor();
      await delivery.getByText('not today').first().waitFor();
      expect(await page.getByLabel(/^Body of dlv_/).innerText()).toContain('"event": "test"');
      receiver.answer = (_request, response) => response.writeHead(204).end();
      await page.getByRole('button', { name: /^Send again: test dlv_/ }).click();
      await page.getByText('It is sent again').waitFor({ state: 'attached' });
      await delivery.getByText('Delivered', { exact: true }).waitFor();
      await delivery.getByText(/ ([2-9]|\d\d+) attempts/).waitFor();
      expect(stage.tab.writes.filter((one) => one.endsWith('/replay'))).toHaveLength(1);
      expect(receiver.counts().size).toBe(1);
      expect(await page.content()).not.toContain(secret);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete webhook' }).click();
      await page.getByText('There are no webhooks yet').waitFor();
    } finally {
      await receiver.stop();
    }
  });

  it('runs a job, and shows its end without a reload', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/jobs');
    await page.getByRole('button', { name: 'Run a job' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.getByText('Choose an integration and an operation.').waitFor();
    await stage.tab.chooseIntegration('Service desk', dialog);
    await dialog.getByLabel('Operation').selectOption('ticketing_query_tickets');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.getByText('Choose where the records go.').waitFor();
    await dialog.getByRole('combobox', { name: 'Sink' }).click();
    await dialog.getByRole('listbox').getByRole('option').nth(1).click();
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'ticketing_query_tickets' });
    await row.getByText('Complete').first().waitFor();
    const runs = page.getByRole('group', { name: 'Last runs' });
    const records = runs.getByRole('row').last().getByRole('cell').last();
    await runs.getByText('Complete').waitFor();
    const tickets = await stage.call<unknown[]>(
      'GET',
      '/v1/ticketing/tickets?limit=1000',
      undefined,
      stage.integrationToken,
    );
    expect(Number(await records.innerText())).toBe(tickets.result.length);
  });

  it('cancels a schedule only after a second click', async () => {
    const desk = await stage.call<{ id: string; name: string }[]>(
      'GET',
      '/v1/integrations?limit=200',
    );
    const idOf = (wanted: string) => desk.result.find(({ name }) => name === wanted)?.id;
    await stage.call('POST', '/v1/jobs', {
      integration_id: idOf('service-desk'),
      operation: 'ticketing_query_tickets',
      input: { sink_integration_id: idOf('demo-sink') },
      schedule: { frequency: { type: 'periodic', value: '30d' } },
    });
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/jobs?status=SCHEDULED');
    await page.getByText('periodic: 30d').waitFor();
    await page.getByRole('button', { name: /^Cancel ticketing_query_tickets/ }).click();
    expect(stage.tab.writes).toEqual([]);
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('No job has this status.').waitFor();
    await page.getByLabel('Status').selectOption('CANCELLED');
    await page.getByText('periodic: 30d').waitFor();
  });
}
