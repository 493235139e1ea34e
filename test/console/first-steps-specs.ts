import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Stage } from './stage.js';

const run = promisify(execFile);

/** Specs of what the overview says to who begins. They need an organization in which nobody has begun. */
export function firstStepsSpecs(stage: Stage): void {
  it('leads a newcomer to a first record in three actions, and on to a system of a customer of theirs', async () => {
    const page = await stage.open();
    await page.goto(stage.printed);
    await page.getByLabel('Organization token').fill(stage.token);
    await page.getByRole('button', { name: 'Log on', exact: true }).click();
    await page.getByRole('button', { name: 'Read a ticket' }).click();
    const record = page.getByRole('group', { name: 'The ticket' });
    await record.getByText('"id":').waitFor();
    const steps = page.getByRole('region', { name: 'First steps' });
    const done = (text: string) =>
      steps.getByRole('listitem').filter({ hasText: text }).getByText('Done', { exact: true });
    await done('See a record').waitFor();
    expect(await done('from a terminal').count()).toBe(0);
    await stage.tab.expectAccessible('first steps');

    await steps.getByRole('button', { name: 'Copy with a token' }).click();
    await steps.getByText('valid for ten minutes').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const { stdout } = await run('sh', ['-c', copied], { env: { PATH: '/usr/bin:/bin' } });
    const { result } = JSON.parse(stdout) as { result: object[] };
    expect(result).toHaveLength(1);
    await done('from a terminal').waitFor();
    expect(await done('first customer').count()).toBe(0);

    await steps.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Full name').fill('Nordwind Logistics');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Find a system').waitFor();
    await page.goBack();
    await done('first customer').waitFor();
    await stage.call('POST', '/v1/integrations/nordwind-logistics', {
      name: 'their-desk',
      provider_config: { type: 'ticketing_mock_ticketing', name: 'theirs' },
    });
    await page.reload();
    await page.getByRole('region', { name: 'Demo data' }).waitFor();
    await page.getByRole('link', { name: /^\d+ New$/ }).waitFor();
    await steps.waitFor({ state: 'detached' });
  });

  it('removes the demo data by one button, and nothing else', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/accounts');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Demo account').getByText('demo data').waitFor();
    expect(await row('Nordwind Logistics').getByText('demo data').count()).toBe(0);
    await stage.tab.choose('Overview');
    const demo = page.getByRole('region', { name: 'Demo data' });
    await demo.getByRole('button', { name: 'Remove the demo data' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/\d+ integrations: /).waitFor();
    await stage.tab.expectAccessible('removal of the demo data');
    await dialog.getByRole('button', { name: 'Remove the demo data' }).click();
    await demo.waitFor({ state: 'detached' });
    await eventually(async () => {
      const { result } = await stage.call<{ name: string }[]>('GET', '/v1/integrations');
      expect(result.map(({ name }) => name)).toEqual(['their-desk']);
    });
  });

  it('puts the first steps away for good when they are dismissed', async () => {
    await stage.call('DELETE', '/v1/accounts/nordwind-logistics');
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('Connect a ticketing system first.').first().waitFor();
    await stage.tab.expectAccessible('first steps without a system');
    await steps.getByRole('button', { name: 'Dismiss the first steps' }).click();
    await steps.waitFor({ state: 'detached' });
    const other = await stage.tab.context.newPage();
    await other.goto(`${stage.url}/console/#token=${stage.token}`);
    await other.getByRole('button', { name: 'Log on', exact: true }).click();
    await other.getByRole('link', { name: /^\d+ New$/ }).waitFor();
    expect(await other.getByRole('region', { name: 'First steps' }).count()).toBe(0);
  });
}
