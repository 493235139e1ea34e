import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '#test/harness';
import { replaceText, textBeforeCursor, textOf } from './editor-text.js';
import type { Stage } from './stage.js';
import { mappingOf, openStudio, resultOf } from './studio-page.js';

const manyLines = 2_000;
const longText = 20_000_000;

/** Specs of the mapping studio with texts that are much longer than usual. */
export function studioSizeSpecs(stage: Stage): void {
  const open = async () => {
    const page = await stage.open();
    await openStudio(stage.tab, stage.token);
    return page;
  };

  it('tries a mapping of 2,000 lines while it is typed, and goes to a fault near its end', async () => {
    const page = await open();
    const editor = page.getByLabel('Document');
    const lines = Array.from({ length: manyLines }, (_, index) => `root.f${index} = this.n`);
    await page.getByLabel('Record as JSON').fill('{"n": 1}');
    await page.evaluate(
      `navigator.clipboard.writeText(${JSON.stringify(mappingOf('root = this', ...lines))})`,
    );
    await pasteInto(page, 'Document'); // filling it would insert line by line
    await resultOf(page)
      .getByText(`"f${manyLines - 1}": 1`)
      .waitFor();
    await editor.press('Control+End');
    await editor.press('ArrowUp'); // the last line is empty
    await editor.press('End');
    await editor.pressSequentially('\nroot.last = this.n + 41', { delay: 5 });
    await resultOf(page).getByText('"last": 42').waitFor();
    await editor.pressSequentially('\nroot.wrong = this..n');
    await editor.press('Control+Home');
    const line = manyLines + 7; // behind 4 lines of the document, "root = this" and the line that was typed
    await editor.getByText('engine:').waitFor();
    await page.getByRole('button', { name: `Line ${line}, column 23`, exact: true }).click();
    await editor.getByText('root.wrong = this.').waitFor();
    expect((await textBeforeCursor(page)).split('\n').at(-1)).toBe('    root.wrong = this.');
  });

  it('refuses a paste of 20 MB with its size, and keeps what was there', async () => {
    const page = await open();
    await page.getByLabel('Record as JSON').fill('{"n": "before"}');
    await resultOf(page).getByText('"n": "before"').waitFor();
    const document = await textOf(page.getByLabel('Document'));
    await page.evaluate(
      `navigator.clipboard.writeText('{"n": "' + 'x'.repeat(${longText}) + '"}')`,
    );
    // A browser that is busy with such a text may lose the key.
    for (const field of ['Record as JSON', 'Document'])
      await eventually(async () => {
        await pasteInto(page, field);
        const refused = page.getByLabel(field).and(page.locator('[aria-invalid=true]'));
        await refused.waitFor({ timeout: 10_000 });
      });
    expect(await page.getByText('That text has 20 MB').count()).toBe(2);
    expect(await textOf(page.getByLabel('Document'))).toBe(document);
    expect(await page.getByLabel('Record as JSON').inputValue()).toBe('{"n": "before"}');
    await replaceText(page.getByLabel('Document'), mappingOf('root.after = this.n'));
    await resultOf(page).getByText('"after": "before"').waitFor();
    expect(await page.getByText('That text has').count()).toBe(1); // at the record, until it is edited
  });

  it('tries a record of 600 kB when it is asked to, and shows its beginning', async () => {
    const page = await open();
    await page.evaluate(
      `navigator.clipboard.writeText('{"n": 7, "text": "' + 'x'.repeat(600000) + '"}')`,
    );
    await pasteInto(page, 'Record as JSON');
    await page.getByRole('button', { name: 'Try now' }).click();
    await resultOf(page).getByText('… the first 200 kB of 600').waitFor();
    const typed = mappingOf('root.n = this.n + 1');
    await replaceText(page.getByLabel('Document'), typed);
    await page.getByRole('button', { name: 'Try now' }).click();
    await resultOf(page).getByText('"n": 8').waitFor();
  });
}

async function pasteInto(page: Page, field: string): Promise<void> {
  await page.getByLabel(field).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+V');
}
