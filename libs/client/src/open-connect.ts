/** The end of a Connect UI: the customer has connected a system, has disconnected it, or has done neither. */
export type ConnectEnd =
  | { connected: true; integration_id: string; provider_id: string; created: boolean }
  | { connected: false; reason: ConnectReason; deleted_integration_id?: string };

/** `closed` is by the page's own signal; `unreachable` that Onefold did not answer. */
export type ConnectReason = 'complete' | 'cancelled' | 'closed' | 'unreachable';

export interface ConnectOptions {
  /** The address of Onefold. */
  url: string;
  /** Id or name of the organization. */
  organization: string;
  /** The token of a Connect session, which a server has made with `connect.createSession` for the origin of this page. */
  session: string;
  /** Returns the token of another session when this one has expired; what was typed stays. */
  renew?: () => Promise<string>;
  /** An element of the page to show it in; a dialog when absent. */
  mount?: unknown;
  locale?: 'en' | 'de' | 'es' | 'fr' | 'ja';
  appearance?: 'auto' | 'light' | 'dark';
}

interface Handle {
  close: () => void;
  refresh: (session: string) => void;
}

interface ConnectEvent {
  type: string;
  integration_id?: string;
}

/** The object that the script of the Connect UI adds to a page. */
interface Embed {
  connect(options: {
    onSuccess: (done: Omit<ConnectEnd & { connected: true }, 'connected'>) => void;
    onExit: (reason: ConnectReason) => void;
    onEvent: (event: ConnectEvent) => void;
  }): Handle;
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
 * Shows the Connect UI in a page of a browser until the customer has connected a system or left it. A server believes the webhook
 * `integration_create` or the API, and never what a browser says of the end.
 * @param signal closes it
 * @throws Error where there is no page or the script of the Connect UI cannot be loaded, and what `renew` throws
 */
export async function openConnect(
  { url, renew, ...options }: ConnectOptions,
  signal?: AbortSignal,
): Promise<ConnectEnd> {
  const embed = await loadEmbed(new URL('/connect/embed-1.js', url).href);
  return await new Promise((resolve, reject) => {
    let end: ConnectEnd | undefined;
    let deleted: string | undefined;
    const given = { ...options, host: url };
    const handle = embed.connect({
      ...given,
      onSuccess: (done) => (end = { ...done, connected: true }),
      onEvent: ({ type, integration_id: id }) => {
        if (type === 'deleted') deleted = id;
        if (type !== 'expired' || renew === undefined) return;
        renew().then(handle.refresh, (error: unknown) => {
          reject(error);
          handle.close();
        });
      },
      onExit: (reason) =>
        resolve(
          end ?? {
            connected: false,
            reason,
            ...(deleted === undefined ? {} : { deleted_integration_id: deleted }),
          },
        ),
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
