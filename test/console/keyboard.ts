import { expect } from '@jest/globals';
import { eventually, maxWaitMs } from '#test/harness';
import type { ConsolePage } from './console-page.js';

/** More keys than this lead to no control of any screen. */
const maxTabs = 250;
/** A list of options takes letters as one text unless so much time passes between two. */
const listForgetsMs = 1_100;

/** Does what somebody does who has no pointer, and expects to see the focus after each key that moves it. */
export class Keyboard {
  constructor(private readonly tab: ConsolePage) {}

  /** Moves the focus to a control by its label or its text, also to one that appears meanwhile. */
  async to(name: string | RegExp): Promise<void> {
    const tried: string[] = [];
    for (const end = Date.now() + maxWaitMs; tried.length < maxTabs || Date.now() < end;) {
      await this.tab.page.keyboard.press('Tab');
      const focused = await this.expectVisible();
      const isIt =
        typeof name === 'string'
          ? focused === name || focused.startsWith(name)
          : name.test(focused);
      if (isIt) return;
      tried.push(focused);
    }
    throw new Error(`Tab does not lead to ${name}, but to ${[...new Set(tried)].join(' | ')}`);
  }

  /** Moves to a button, a link or another control, and presses it. */
  async press(name: string | RegExp, key = 'Enter'): Promise<void> {
    await this.to(name);
    await this.tab.page.keyboard.press(key);
  }

  /** Moves to a field, and types; in a list, what begins like it is chosen. */
  async type(name: string | RegExp, text: string): Promise<void> {
    const { page } = this.tab;
    await this.to(name);
    await page.keyboard.press('ControlOrMeta+A');
    await eventually(async () => {
      await page.keyboard.type(text);
      const chosen = await page.evaluate<string | undefined>(
        'document.activeElement?.selectedOptions?.[0]?.text',
      );
      if (chosen === undefined || chosen.toLowerCase().startsWith(text.toLowerCase())) return;
      // On a busy machine the options of a list may come later, or the letters so slowly that the list forgets the first ones, and a blank
      // opens it.
      await page.keyboard.press('Escape');
      await page.waitForTimeout(listForgetsMs);
      throw new Error(`the list has chosen ${chosen} for ${text}`);
    });
  }

  /** Expects the focus to be drawn, within the screen and not covered. @returns the name of what has it; empty between the last and the first control */
  async expectVisible(): Promise<string> {
    const { name, fault } = await this.tab.page.evaluate<{ name: string; fault: string }>(look);
    expect({ name, fault }).toEqual({ name, fault: '' });
    return name;
  }
}

const look = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return { name: '', fault: '' };
  const inner = element.shadowRoot?.activeElement;
  const name = (inner?.getAttribute('aria-label') ?? element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? '').trim();
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  if (outlineStyle === 'none' || parseFloat(outlineWidth) === 0) return { name, fault: 'has no outline: ' + element.outerHTML.slice(0, 200) };
  const box = element.getBoundingClientRect();
  const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
  const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
  if (left >= right || top >= bottom) return { name, fault: 'is outside of the screen' };
  // Of several points one is enough: WCAG 2.4.11 asks that the focus is not covered entirely.
  for (const across of [0.1, 0.5, 0.9])
    for (const down of [0.1, 0.5, 0.9]) {
      const there = document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down);
      if (there !== null && (element.contains(there) || there.contains(element))) return { name, fault: '' };
    }
  return { name, fault: 'is covered' };
})()`;
