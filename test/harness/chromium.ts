import type { Browser } from 'playwright-core';
import { findChromium } from './chromium-binary.js';

/** Path of a Chromium; undefined if there is none. */
export const chromiumPath: string | undefined = findChromium();

/** Says in the title of a suite that it was not run, and how to run it. */
export function inBrowser(title: string): string {
  if (chromiumPath !== undefined) return title;
  return `${title} (skipped: no Chromium is installed; apt-get install chromium-headless-shell, or CHROMIUM=<path>)`;
}

/** Every name and every address but this machine's cannot be reached, so that no spec passes by the help of a foreign host. */
const cutOff = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** Starts the browser, cut off from the network; call it where {@link chromiumPath} is defined. */
export async function startChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core'); // most specs that load the harness need no browser
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage', cutOff],
  });
}
