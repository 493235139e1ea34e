import { text } from 'node:stream/consumers';
import type { Download } from 'playwright-core';

/** Returns the text of a saved file. The browser is that of another process, so its path is not known here. */
export async function readDownload(download: Download): Promise<string> {
  return await text(await download.createReadStream());
}
