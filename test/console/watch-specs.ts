import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

/** Specs of what all specs rely on: that a tab notes what must not happen in it, and that nothing else than this machine can be reached. */
export function watchSpecs(stage: Stage): void {
  it('notes violations of the policy, errors, and requests to others, which reach nobody', async () => {
    const page = await stage.open();
    const { tab } = stage;
    await tab.show('/');
    await page.getByLabel('Organization token').waitFor();
    expect(tab.faults).toEqual([]);
    const noted = async (work: string) => {
      const [, fault] = await Promise.all([page.evaluate(work), page.waitForEvent('console')]);
      return fault.text();
    };
    const picture =
      "void document.body.append(Object.assign(new Image(), { src: 'https://example.com/x.png' }))";
    expect(await noted(picture)).toContain('Content Security Policy');
    expect(await noted("console.error('something is wrong')")).toBe('something is wrong');
    const foreign = "void fetch('https://example.com/').catch(() => undefined)";
    expect(await noted(foreign)).toContain('Content Security Policy');
    for (const fault of [
      'img-src',
      'connect-src',
      'something is wrong',
      'https://example.com/x.png',
    ])
      expect(tab.faults).toContainEqual(expect.stringContaining(fault));
    // Without a policy the browser tries, and finds no way.
    const other = await tab.context.newPage();
    await other.goto('about:blank');
    for (const address of ['https://example.com/', 'http://192.0.2.1/'])
      await expect(other.goto(address)).rejects.toThrow(/ERR_NAME_NOT_RESOLVED|ERR_ADDRESS/);
    tab.faults.length = 0;
  });
}
