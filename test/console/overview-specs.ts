import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of the overview, which counts all integrations, however many there are. */
export function overviewSpecs(stage: Stage): void {
  it('counts the integrations of each state as the service does, and reads no list of them', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const counted = await stage.call<unknown[]>(
      'GET',
      '/v1/status?limit=1&total=true&filter=status[eq]new',
    );
    const { total } = counted as unknown as { total: number };
    await page.getByRole('link', { name: new RegExp(`^${total} New$`) }).waitFor();
    const addresses = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    );
    const lists = addresses.filter((one) => one.includes('/v1/status?'));
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.every((one) => Number(new URL(one).searchParams.get('limit')) <= 6)).toBe(true);
    const wrong = lists.find((one) => one.includes('status%5Bin%5D'));
    expect(new URL(wrong ?? '').searchParams.get('total')).toBe('true');
  });
}
