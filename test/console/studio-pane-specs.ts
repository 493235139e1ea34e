import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { eventually } from '#test/harness';
import { expectText, replaceText } from './editor-text.js';
import type { Stage } from './stage.js';
import { mappingOf, openStudio, resultOf } from './studio-page.js';

/** Specs of the panes of the mapping studio, and of the changes that it proposes in them. */
export function studioPaneSpecs(stage: Stage): void {
  const open = async () => {
    const page = await stage.open({ width: 1_600 });
    await openStudio(stage.tab, stage.token);
    return page;
  };

  it('changes the sizes of panes by keys and by the pointer, and keeps them for the tab', async () => {
    const page = await open();
    const separator = (name: string) => page.getByRole('separator', { name, exact: true });
    const valueOf = async (name: string) =>
      Number(await separator(name).getAttribute('aria-valuenow'));
    const widthOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.width;
    const before = (await widthOf('Document')) ?? 0;
    const columns = 'Width of the editor';
    await separator(columns).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await valueOf(columns)).toBe(45);
    await page.keyboard.press('Home');
    expect(await valueOf(columns)).toBe(25);
    expect((await widthOf('Document')) ?? 0).toBeLessThan(before);
    await page.keyboard.press('End');
    expect(await valueOf(columns)).toBe(75);
    expect((await widthOf('Document')) ?? 0).toBeGreaterThan(before);

    for (const name of ['Editor', 'Record', 'Result', 'Chain'].map((one) => `Height of ${one}`)) {
      const height = await valueOf(name);
      await separator(name).focus();
      await page.keyboard.press('ArrowDown');
      expect([name, await valueOf(name)]).toEqual([name, height + 40]);
    }
    const record = page.getByLabel('Record as JSON');
    const { height = 0 } = (await record.boundingBox()) ?? {};
    const line = separator('Height of Record');
    await line.scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await line.boundingBox()) ?? {};
    await page.mouse.move(x + 40, y + 6);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 66, { steps: 3 });
    await page.mouse.up();
    await eventually(async () =>
      expect((await record.boundingBox())?.height).toBeCloseTo(height + 60, 0),
    );
    await stage.tab.expectAccessible('panes of other sizes');

    await page.reload();
    await page.getByLabel('Document').waitFor();
    expect(await valueOf(columns)).toBe(75);
    expect((await record.boundingBox())?.height).toBeCloseTo(height + 60, 0);
  });

  it('shows the record, the result and what differs at once on a screen of 1,280 × 800', async () => {
    const page = await stage.open();
    await page.setViewportSize({ width: 1_280, height: 800 });
    await openStudio(stage.tab, stage.token);
    await page.getByRole('button', { name: 'Take a record of the customer' }).click();
    await replaceText(
      page.getByLabel('Document'),
      mappingOf('root = this', 'root.name = this.name.uppercase()'),
    );
    await page.getByText('one field differs').waitFor();
    const ends = async (locator: Locator) => {
      const { y = 9_999, height = 0 } = (await locator.boundingBox()) ?? {};
      return y + height;
    };
    expect(await ends(page.getByLabel('Record as JSON'))).toBeLessThan(764);
    expect(await ends(page.getByRole('table'))).toBeLessThan(764); // above the line of requests
    expect((await resultOf(page).boundingBox())?.y).toBeLessThan(740);
  });

  it('says that there is no record, finds the faults of the document all the same, and fixes one in its line', async () => {
    const page = await open();
    const editor = page.getByLabel('Document');
    await page.getByText('There is no record yet.').waitFor();
    await replaceText(editor, mappingOf('root.n = this.n.uppercase()'));
    await page.getByText('There is no record yet.').waitFor();
    expect(await page.locator('.wrong:not(:empty)').count()).toBe(0);
    await replaceText(editor, mappingOf('root.n = this.n.upercase()'));
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.keyboard.press('F8');
    await page.locator('.cm-tooltip-lint').getByText('Did you mean uppercase?').waitFor();
    await page.locator('.cm-diagnosticAction').click();
    await expectText(editor, mappingOf('root.n = this.n.uppercase()'));
    await page.locator('.cm-lint-marker-error').waitFor({ state: 'detached' });
  });

  it('folds what is indented, by keys too', async () => {
    const page = await open();
    const editor = page.getByLabel('Document');
    await replaceText(editor, mappingOf('root = this'));
    await editor.press('Control+Home');
    await editor.press('ArrowDown');
    await editor.press('ArrowDown');
    await editor.press('Control+Shift+BracketLeft');
    await page.locator('.cm-foldPlaceholder').waitFor();
    expect(await editor.getByText('root = this').count()).toBe(0);
    await stage.tab.expectAccessible('a folded document');
    await editor.press('Control+Shift+BracketRight');
    await editor.getByText('root = this').waitFor();
  });

  it('applies what the hint of a fault proposes at its place, and undo takes it back', async () => {
    const page = await open();
    const editor = page.getByLabel('Document');
    const wrong = mappingOf('root = this', 'root.a = "😀" + this.n.upercase().trim()');
    await page.getByLabel('Record as JSON').fill('{"n": "x"}');
    await replaceText(editor, wrong);
    await page.getByText('Did you mean uppercase?').waitFor();
    await stage.tab.expectAccessible('a hint that can be applied');
    await page.getByRole('button', { name: 'Replace by uppercase' }).click();
    await expectText(editor, wrong.replace('upercase', 'uppercase'));
    await resultOf(page).getByText('"a": "😀X"').waitFor();
    await editor.press('Control+z');
    await expectText(editor, wrong);
    const names: [string, string, string][] = [
      ['root.a = this.n.toLowerCase()', 'lowercase()', 'root.a = this.n.lowercase()'],
      ['root.a = this.apply("defalt")', 'default', 'root.a = this.apply("default")'],
    ];
    for (const [line, name, becomes] of names) {
      await replaceText(editor, mappingOf(line));
      await page.getByRole('button', { name: `Replace by ${name}`, exact: true }).click();
      await expectText(editor, mappingOf(becomes));
    }
    // A hint that names no replacement has no button.
    await replaceText(editor, mappingOf('root.a = length(this.n)'));
    await page.getByText('Write x.length().').waitFor();
    expect(await page.getByRole('button', { name: /^Replace by/ }).count()).toBe(0);
  });
}
