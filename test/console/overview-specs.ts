import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
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
    await eventually(async () => {
      const addresses = await page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => name)",
      );
      const lists = addresses.flatMap((one) => (one.includes('/v1/status?') ? new URL(one) : []));
      expect(lists.length).toBeGreaterThan(0);
      for (const { searchParams } of lists)
        expect(Number(searchParams.get('limit'))).toBeLessThanOrEqual(6);
      const wrong = lists.find(({ searchParams }) =>
        searchParams.get('filter')?.startsWith('status[in]'),
      );
      expect(wrong?.searchParams.get('total')).toBe('true');
    });
  });
}
