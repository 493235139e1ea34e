import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Stage } from './stage.js';

const run = promisify(execFile);

/** Specs of the explorer, against the mock of tickets and the fake of a provider. */
export function explorerSpecs(stage: Stage): void {
  const openDesk = async (operation: RegExp) => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/explorer');
    await stage.tab.chooseIntegration('Service desk');
    await page.getByRole('button', { name: operation }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    return page;
  };

  it('reads records through an integration, page by page, as a table and as the provider sent them', async () => {
    const page = await openDesk(/^Query tickets/);
    await page.getByLabel('Limit').fill('1');
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByLabel('Field of filter 1').selectOption('status');
    await page.getByLabel('Comparison of filter 1').selectOption('neq');
    await page.getByLabel('Value of filter 1').fill('no such status');
    await page.getByLabel('With the provider’s own answer').check();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const first = page.locator('.request tbody td').first();
    await first.waitFor();
    const id = await first.innerText();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const { result } = JSON.parse(await page.getByLabel('JSON', { exact: true }).innerText()) as {
      result: { id: string }[];
    };
    expect(result.map((one) => one.id)).toEqual([id]);
    await page.getByRole('button', { name: 'From the provider' }).click();
    await page.locator('pre.answer').waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByRole('button', { name: 'Next page' }).click();
    // Not waitForFunction: it compiles a string, which the policy of the page refuses, unless the first look finds it.
    await first.filter({ hasNotText: id }).waitFor();
  });

  it('saves a request in the browser, opens it again, and deletes it', async () => {
    const page = await openDesk(/^Query tickets/);
    await page.getByLabel('Limit').fill('3');
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByLabel('Value of filter 1').fill('HIGH');
    await page.getByLabel('With the mappings that ran').check();
    await page.getByText('Save this request').click();
    await page.getByRole('button', { name: 'Save request' }).click();
    await page.getByText('This is needed.').waitFor();
    await page.getByLabel('Name of the request').fill('Three of them');
    await page.getByRole('button', { name: 'Save request' }).click();
    const saved = page.getByRole('button', { name: 'Three of them', exact: true });
    await saved.waitFor();
    await stage.tab.expectAccessible('explorer, with a saved request');
    await page.reload();
    await saved.click();
    await eventually(async () => expect(await page.getByLabel('Limit').inputValue()).toBe('3'));
    expect(await page.getByLabel('Value of filter 1').inputValue()).toBe('HIGH');
    expect(await page.getByLabel('With the mappings that ran').isChecked()).toBe(true);
    await page.getByRole('button', { name: /^Query tickets/ }).click();
    await page.getByLabel('Value of filter 1').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete the saved request Three of them' }).click();
    await saved.waitFor({ state: 'detached' });
  });

  it('shows request, status, first records and JSON at once, at 1,280 × 800 and at 1,440 × 900', async () => {
    const page = await openDesk(/^Query tickets/);
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const records = page.getByRole('group', { name: 'Records' });
    const json = page.getByLabel('JSON', { exact: true });
    for (const [width, height] of [
      [1_280, 800],
      [1_440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await send.click();
      await records.waitFor();
      const headings = await records.getByRole('columnheader').allInnerTexts();
      expect(headings.slice(0, 4)).toEqual(['id', 'name', 'status', 'priority']);
      const priority = records.getByRole('columnheader', { name: 'priority' });
      const { x = 9_999, width: wide = 0 } = (await priority.boundingBox()) ?? {};
      expect(x + wide).toBeLessThan(width - 24);
      const drawer = height - 40;
      for (const part of [send, page.getByLabel('Limit'), records, json]) {
        const { y = 9_999, height: high = 0 } = (await part.boundingBox()) ?? {};
        expect(y + high).toBeLessThan(drawer);
      }
      expect((await json.boundingBox())?.height).toBeGreaterThan(130);
      expect((await records.boundingBox())?.height).toBeGreaterThan(130);
    }
    await page.locator('.json-key').first().waitFor();
    await stage.tab.expectAccessible('the explorer with a table and JSON in colours');
  });

  it('shows the answer to a narrow screen, where it is below the request', async () => {
    const page = await openDesk(/^Query tickets/);
    await page.setViewportSize({ width: 375, height: 812 });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('group', { name: 'Records' }).waitFor();
    await eventually(async () => {
      const { y = 9_999 } = (await page.getByLabel('JSON', { exact: true }).boundingBox()) ?? {};
      expect(y).toBeLessThan(700);
    });
  });

  it('shows records on their way through the mappings, from the provider’s record to ours', async () => {
    const page = await openDesk(/^Query tickets/);
    await page.getByLabel('With three records on their way through the mappings').check();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Through the mappings' }).click();
    const ways = page.locator('.ways > li');
    await ways.nth(2).waitFor();
    expect(await ways.count()).toBe(3);
    await ways.first().getByText('From the provider').waitFor();
    const made = ways.first().getByLabel('Result of built-in mapping (default:0)', { exact: true });
    const { result } = await stage.call<{ id: string }[]>(
      'GET',
      '/v1/ticketing/tickets?limit=1',
      undefined,
      stage.integrationToken,
    );
    expect((JSON.parse(await made.innerText()) as { id: string }).id).toBe(result[0]?.id);
    await stage.tab.expectAccessible('the explorer with a trace');
  });

  it('writes the command that repeats the request, with the token in a variable', async () => {
    const page = await openDesk(/^Query tickets/);
    await page.getByLabel('Limit').fill('2');
    await page.getByRole('button', { name: 'Copy a token for ten minutes' }).click();
    await page.getByRole('button', { name: 'Token copied' }).waitFor();
    const token = await page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy command' }).click();
    const command = await eventually(async () => {
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toContain('curl');
      return copied;
    });
    expect(token).toMatch(/^ofi_/);
    expect(command).not.toContain(token);
    expect(command).toContain('$TOKEN');
    const { stdout } = await run('sh', ['-c', command], {
      env: { PATH: '/usr/bin:/bin', TOKEN: token },
    });
    expect((JSON.parse(stdout) as { result: unknown[] }).result).toHaveLength(2);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(token);
  });

  it('shows what is wrong with a request at its field, and a body that is not JSON', async () => {
    const page = await openDesk(/^Query tickets/);
    await page.getByLabel('Limit').fill('two');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alert').getByText('must be a whole number').waitFor();
    await stage.tab.expectFocus('Limit');
    await page.getByRole('button', { name: /^Create a ticket/ }).click();
    const before = stage.tab.writes.length;
    await page.getByLabel('Body').fill('{"name": "x"');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('This is not JSON').waitFor();
    expect(stage.tab.writes.length).toBe(before);
    await page.getByLabel('Body').fill('{"name": "a ‘quoted’ name", "summary": "it\'s"}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('pre.answer').getByText('a ‘quoted’ name').waitFor();
  });

  it('calls the management API by the session, and shows large numbers as they were sent', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/explorer?integration=management&operation=accounts_get');
    const path = page.getByLabel('Account ID');
    await page.getByText('ACCOUNT_ID').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('This is needed.').waitFor();
    await page.route('**/v1/accounts/large', (route) =>
      route.fulfill({
        contentType: 'application/json',
        body: '{"result":{"n":9007199254740993,"empty":[],"text":"{\\"a\\": 1}"}}',
      }),
    );
    await path.fill('large');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.locator('pre.answer');
    await answer.waitFor();
    expect(await answer.innerText()).toBe(
      '{\n  "result": {\n    "n": 9007199254740993,\n    "empty": [],\n    "text": "{\\"a\\": 1}"\n  }\n}',
    );
  });
}
