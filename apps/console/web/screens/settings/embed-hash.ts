import { serviceOrigin } from '../../api/service.js';

/** Address of the script that shows the Connect UI in a page of the host. */
export function embedAddress(): string {
  return `${serviceOrigin()}/connect/embed-1.js`;
}

/** Reads what `integrity` has to say of the script, as the build has published it. @throws Error if it cannot be read */
export async function embedHash(signal: AbortSignal): Promise<string> {
  const address = `${serviceOrigin()}/connect/embed-1.json`;
  const response = await fetch(address, { signal, cache: 'no-cache' });
  if (response.status === 404)
    throw new Error('The Connect UI is not served at this address. The gateway has CONNECT=yes.');
  if (!response.ok) throw new Error(`The hash could not be read: status ${response.status}.`);
  return ((await response.json()) as { integrity: string }).integrity;
}
