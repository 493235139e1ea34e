import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of what a problem tells people to do. */
export function remedySpecs(stage: Stage): void {
  it('names the screen that does what the API would, or the explorer, and keeps the words for programs', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const cases = [
      ['GET /v1/integrations lists them.', 'The screen “Integrations” lists them.'],
      [
        'Add its origin to options.connect.origins: PATCH /v1/organization.',
        'Add its origin to options.connect.origins: the screen “Settings”.',
      ],
      ['GET /v1/billing lists the reports.', 'The explorer (GET /v1/billing) lists the reports.'],
      ['Wait a minute.', 'Wait a minute.'],
    ] as const;
    for (const [remediation, shown] of cases) {
      await page.route('**/v1/organization/webhooks/whk_none', (route) =>
        route.fulfill({
          status: 404,
          json: {
            message: 'there is no such thing',
            type: 'urn:x',
            status: 404,
            remediation,
            instance: '/requests/x',
            occurred_at: new Date(0).toISOString(),
          },
        }),
      );
      await stage.tab.show('/webhooks/whk_none');
      const alert = page.getByRole('alert').first();
      await alert.getByText(shown, { exact: true }).waitFor();
      const words = alert.getByText('For programs');
      expect(await words.count()).toBe(remediation === shown ? 0 : 1);
      if (remediation !== shown)
        await alert.getByText(remediation, { exact: true }).waitFor({ state: 'attached' });
      await page.unroute('**/v1/organization/webhooks/whk_none');
    }
  });
}
