import { expect, it } from '@jest/globals';
import { readDownload } from './read-download.js';
import type { Stage } from './stage.js';

interface Line {
  created_at: string;
  path: string;
  body: unknown;
}

/** Specs of saving the audit trail as a file. */
export function downloadSpecs(stage: Stage): void {
  it('saves the records that the filters find, on all pages, a record in each line', async () => {
    const { result } = await stage.call<{ account: { id: string } }>('POST', '/v1/accounts', {
      name: 'saved',
      fullname: 'Saved',
    });
    for (let count = 1; count <= 60; count += 1)
      await stage.call('PATCH', '/v1/accounts/saved', [
        { op: 'replace', path: '/fullname', value: `Saved ${count} "و\n"` },
      ]);
    const page = await stage.open();
    await stage.tab.showTo(
      stage.token,
      `/audit?operation=accounts_patch&record=${result.account.id}`,
    );
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as NDJSON' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('audit.ndjson');
    const lines = (await readDownload(file)).trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as Line);
    expect(records).toHaveLength(60);
    expect(new Set(records.map((one) => one.created_at)).size).toBe(60);
    expect(records[0]?.body).toEqual([
      { op: 'replace', path: '/fullname', value: 'Saved 60 "و\n"' },
    ]);
  });

  it('goes on to the next page until one is not full, and a cancel saves nothing', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const full = Array.from({ length: 1_000 }, (_, index) => ({
      created_at: new Date(index).toISOString(),
      method: 'PATCH',
      path: '/v1/accounts/x',
      status: 'succeeded',
      audit_type: 'API',
      code: '200',
      body: null,
    }));
    const asked: (string | null)[] = [];
    let isHeld = false;
    await page.route('**/v1/audit/organizations?*limit=1000*', async (route) => {
      const after = new URL(route.request().url()).searchParams.get('start_after');
      asked.push(after);
      if (isHeld && after !== null) return; // never answered
      await route.fulfill({ json: { result: asked.length % 3 === 0 ? full.slice(0, 5) : full } });
    });
    await stage.tab.show('/audit');
    const button = page.getByRole('button', { name: 'Download as NDJSON' });
    const download = page.waitForEvent('download');
    await button.click();
    const lines = (await readDownload(await download)).trimEnd().split('\n');
    expect(lines).toHaveLength(2_005);
    expect(asked).toEqual([null, full.at(-1)?.created_at, full.at(-1)?.created_at]);
    isHeld = true;
    await button.click();
    await page.getByText('1000 records …').waitFor();
    await page.locator('.waiting').getByRole('button', { name: 'Cancel' }).click();
    await button.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
}
