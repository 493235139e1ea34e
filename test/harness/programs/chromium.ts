import type { Browser, BrowserServer } from 'playwright-core';
import { askForService } from '../services/ask-for-service.js';
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

/** Starts the browser that all specs of a run share, cut off from the network. */
export async function startChromium(): Promise<BrowserServer> {
  const { chromium } = await import('playwright-core'); // most runs of a single folder need no browser
  return chromium.launchServer({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage', cutOff],
  });
}

/**
 * Connects to the browser of the run, whose start takes a core for three seconds; call it where {@link chromiumPath} is defined. Contexts of
 * other specs are not seen. Closing the browser closes those of the caller.
 */
export async function connectChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.connect(await askForService('chromium'));
}
