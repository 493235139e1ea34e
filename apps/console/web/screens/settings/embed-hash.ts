import { serviceOrigin } from '../../api/service.js';

/** Address of the script that shows the Connect UI in a page of the host. */
export function embedAddress(): string {
  return `${serviceOrigin()}/connect/embed-1.js`;
}

/** Computes what `integrity` has to say of the script, from the file that is served. @throws Error if it cannot be read */
export async function embedHash(signal: AbortSignal): Promise<string> {
  const response = await fetch(embedAddress(), { signal, cache: 'no-cache' });
  if (response.status === 404)
    throw new Error('The Connect UI is not served at this address. The gateway has CONNECT=yes.');
  if (!response.ok) throw new Error(`The script could not be read: status ${response.status}.`);
  const hash = await crypto.subtle.digest('SHA-384', await response.arrayBuffer());
  return `sha384-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`;
}
