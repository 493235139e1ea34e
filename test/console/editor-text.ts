import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '#test/harness';

/** The text of an editor of documents, as far as it is on the screen. */
export async function textOf(editor: Locator): Promise<string> {
  return (await editor.locator('.cm-line').allTextContents()).join('\n');
}

/** Waits until an editor has a text. */
export async function expectText(editor: Locator, text: string): Promise<void> {
  await eventually(async () => expect(await textOf(editor)).toBe(text));
}

/** Replaces the text of an editor by keys, as people do: `fill` selects it before the editor has got the focus, which then sets its own selection. */
export async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+A');
  await editor.page().keyboard.insertText(text);
}

/** The text before the cursor of the editor that has the focus. */
export async function textBeforeCursor(page: Page): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const root = document.activeElement.shadowRoot;
    const { anchorNode, anchorOffset } = root.getSelection();
    const lines = [...root.querySelectorAll('.cm-line')];
    const at = lines.findIndex((line) => line.contains(anchorNode));
    const range = document.createRange();
    range.setStart(lines[at], 0);
    range.setEnd(anchorNode, anchorOffset);
    return [...lines.slice(0, at).map((line) => line.textContent), range.toString()].join('\\n');
  })()`);
}
