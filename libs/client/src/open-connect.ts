/** The end of a Connect UI: the customer has connected a system, or has not. */
export type ConnectEnd =
  | { connected: true; integration_id: string; provider_id: string; created: boolean }
  | { connected: false; reason: 'cancelled' | 'closed' | 'unreachable' };

export interface ConnectOptions {
  /** The address of Onefold. */
  url: string;
  /** Id or name of the organization. */
  organization: string;
  /** The token of a Connect session, which a server has made with `connect.createSession` for the origin of this page. */
  session: string;
  /** An element of the page to show it in; a dialog when absent. */
  mount?: unknown;
  locale?: 'en' | 'de' | 'es' | 'fr' | 'ja';
  appearance?: 'auto' | 'light' | 'dark';
}

/** The object that the script of the Connect UI adds to a page. */
interface Embed {
  connect(options: object): { close: () => void };
}

/** The part of a browser that is needed. The package has no types of browsers, because it runs elsewhere too. */
interface Page {
  Onefold?: Embed;
  document?: {
    createElement(name: 'script'): { src: string; onload: unknown; onerror: unknown };
    head: { append(element: unknown): void };
  };
}

/**
 * Shows the Connect UI in a page of a browser until the customer has connected a system or left it.
 * @param signal closes it @throws Error where there is no page, or the script of the Connect UI cannot be loaded
 */
export async function openConnect(
  { url, ...options }: ConnectOptions,
  signal?: AbortSignal,
): Promise<ConnectEnd> {
  const embed = await loadEmbed(new URL('/connect/embed-1.js', url).href);
  return await new Promise((resolve) => {
    let end: ConnectEnd | undefined;
    const handle = embed.connect({
      ...options,
      host: url,
      onSuccess: (done: Omit<ConnectEnd & { connected: true }, 'connected'>) =>
        (end = { ...done, connected: true }),
      onExit: (reason: 'cancelled' | 'closed' | 'unreachable') =>
        resolve(end ?? { connected: false, reason }),
    });
    signal?.addEventListener('abort', () => handle.close(), { once: true });
    if (signal?.aborted) handle.close();
  });
}

async function loadEmbed(address: string): Promise<Embed> {
  const page = globalThis as Page;
  if (page.Onefold !== undefined) return page.Onefold;
  const { document } = page;
  if (document === undefined) throw new Error('openConnect runs in the page of a browser');
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${address} cannot be loaded`));
    document.head.append(script);
  });
  if (page.Onefold === undefined) throw new Error(`${address} is not the script of the Connect UI`);
  return page.Onefold;
}
