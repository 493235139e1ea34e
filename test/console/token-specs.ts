import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Stage } from './stage.js';

/** Specs of the screen of tokens. */
export function tokenSpecs(stage: Stage): void {
  const statusOf = async (token: string) =>
    (
      await fetch(`${stage.url}/v1/tokens/self/info`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;

  it('creates, rotates and deletes a token, and shows each secret once', async () => {
    const page = await stage.open();
    await stage.tab.showTo(stage.token, '/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name (optional)').fill('Shop backend');
    await page.getByLabel('Environment').selectOption('test');
    await page
      .getByText('can read everything and change nothing in all test accounts, for 90 days')
      .waitFor();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { name: 'The new token' }).waitFor();
    const secret = () => page.getByRole('dialog').locator('code').first().innerText();
    const first = await secret();
    expect(await statusOf(first)).toBe(200);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByRole('button', { name: 'Copy: Token' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Rotate Shop backend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('heading', { name: 'New secrets of Shop backend' }).waitFor();
    const second = await secret();
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I do not need it' }).click();

    await page.getByRole('button', { name: 'End secondary secrets of Shop backend' }).click();
    await page.getByRole('button', { name: 'End them' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(async () => expect(await statusOf(first)).toBe(401));
    expect(await statusOf(second)).toBe(200);

    await page.getByRole('button', { name: 'Delete Shop backend' }).click();
    await page.getByRole('button', { name: 'Delete token', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Shop backend' }).waitFor({ state: 'detached' });
    await eventually(async () => expect(await statusOf(second)).toBe(401));
  });
}
