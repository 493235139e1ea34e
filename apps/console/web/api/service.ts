import { base } from '../location.js';

/** Where the API is: at the origin of the page, unless its `config.json` names another one, as that of the console's own process does. */
let origin = location.origin;

export function serviceOrigin(): string {
  return origin;
}

/** Reads where the API is, before anything is asked of it. @throws Error if the file cannot be read */
export async function readServiceOrigin(): Promise<void> {
  const response = await fetch(`${base}/config.json`);
  if (!response.ok) throw new Error(`config.json of the console: ${response.status}`);
  const { api_url: url } = (await response.json()) as { api_url?: string };
  if (url !== undefined) origin = new URL(url).origin;
}
