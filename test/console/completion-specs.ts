import { expect, it } from '@jest/globals';
import { replaceText, textOf } from './editor-text.js';
import type { Stage } from './stage.js';
import { mappingOf, openStudio, resultOf } from './studio-page.js';

/** Specs of what the editor of the mapping studio offers at the cursor. */
export function completionSpecs(stage: Stage): void {
  const open = async (options = {}) => {
    const page = await stage.open(options);
    await openStudio(stage.tab, stage.token);
    await page
      .getByLabel('Record as JSON')
      .fill('{"name": "VPN", "site of": {"street name": "Rua"}, "rows": [{"deep": 1}]}');
    const editor = page.getByLabel('Document');
    await replaceText(editor, mappingOf('root = this').trimEnd());
    await editor.press('Control+End');
    // The table of the language is loaded with the screen, the contract once the editor is used.
    const list = page.getByRole('listbox', { name: 'What may stand here' });
    return { page, editor, list };
  };

  it('offers methods with their signatures behind a point, which Escape closes; then Tab leaves the editor', async () => {
    const { page, editor, list } = await open();
    await editor.pressSequentially('\nroot.a = this.name.');
    await list.getByRole('option', { name: 'uppercase ()', exact: true }).waitFor();
    await list.getByRole('option', { name: /^split \(delimiter: string/ }).waitFor();
    await editor.pressSequentially('upp');
    await list
      .getByRole('option')
      .first()
      .filter({ hasText: /^uppercase/ })
      .waitFor();
    const marked = await editor.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${marked}"]`).getAttribute('aria-selected')).toBe('true');
    await page.locator('.cm-completionInfo pre').getByText('root').waitFor(); // its example
    await stage.tab.expectAccessible('studio, with what may stand at the cursor');
    const text = await textOf(editor);
    await editor.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await textOf(editor)).toBe(text);
    await editor.press('Tab');
    expect(await page.evaluate('document.activeElement.shadowRoot')).toBeNull();
    expect(await textOf(editor)).toBe(text);
  });

  it('inserts by Enter and by the pointer what the result then shows, and undoes it', async () => {
    const { page, editor, list } = await open();
    await editor.pressSequentially('\nroot.a = this.name.low');
    await list.waitFor();
    await editor.press('Enter');
    await resultOf(page).getByText('"a": "vpn"').waitFor();
    expect(await textOf(editor)).toMatch(/root\.a = this\.name\.lowercase\(\)$/);
    await editor.press('Control+z');
    expect(await textOf(editor)).toMatch(/root\.a = this\.name\.low$/);
    await replaceText(editor, mappingOf('root = this', 'root.b = now').trimEnd());
    await editor.press('Control+End');
    await editor.press('Control+Space');
    await list.getByRole('option', { name: /^now \(\)/ }).click();
    expect(await textOf(editor)).toMatch(/root\.b = now\(\)$/);
    await editor.pressSequentially('.ts_');
    await list.waitFor();
    await editor.press('ArrowDown');
    await editor.press('Tab');
    // The cursor stands where an argument belongs, or behind the call.
    expect(await textOf(editor)).toMatch(/root\.b = now\(\)\.ts_\w+\(\)$/);
    expect(await page.evaluate('document.activeElement.shadowRoot !== null')).toBe(true);
  });

  it('offers the fields of the record, those that the contract has for the operation, and templates', async () => {
    const { page, editor, list } = await open();
    await editor.pressSequentially('\nroot.x = this.');
    await list.getByRole('option', { name: 'site of object' }).click();
    expect(await textOf(editor)).toMatch(/this\."site of"$/);
    await editor.pressSequentially('.');
    await list.getByRole('option', { name: 'street name string' }).waitFor();
    await editor.pressSequentially('str');
    await editor.press('Enter');
    await resultOf(page).getByText('"x": "Rua"').waitFor();
    await editor.pressSequentially('\nroot.due');
    await list.getByRole('option', { name: 'due_date string' }).waitFor();
    expect(await list.getByRole('option').count()).toBe(1);
    await editor.press('Tab');
    await editor.pressSequentially(' = this.rows.0.de');
    await list.getByRole('option', { name: 'deep number' }).waitFor();
    await editor.press('Escape');
    await editor.pressSequentially('\nroot.y = this.apply("');
    await list.getByRole('option', { name: /^default template/ }).waitFor();
  });

  it('offers nothing in texts, comments, numbers and pasted lines, and Enter breaks the line', async () => {
    const { editor, list } = await open();
    for (const line of ['root.a = "this.', '# this.', 'root.a = 1.', 'root.a = "x"']) {
      await editor.pressSequentially(`\n${line}`);
      expect([line, await list.count()]).toEqual([line, 0]);
    }
    await editor.press('Enter');
    expect(await textOf(editor)).toMatch(/"x"\n {4}$/);
    await replaceText(editor, mappingOf('root.a = this.').trimEnd());
    expect(await list.count()).toBe(0);
  });

  it('stays within a screen of 320 pixels', async () => {
    const { page, editor, list } = await open({ width: 320, colorScheme: 'dark' });
    await editor.pressSequentially('\nroot.a_long_field_name = this.another_long_name.upp');
    await list.waitFor();
    const box = await list.locator('..').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
    await stage.tab.expectAccessible('studio, with what may stand at the cursor, narrow');
    await page.keyboard.press('Escape');
  });
}
