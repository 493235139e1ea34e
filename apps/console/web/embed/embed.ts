/** The script for pages of hosts: shows the Connect UI of their organization in a frame, and gives it the session of their customer. */

interface ConnectEvent {
  type: string;
  [name: string]: unknown;
}

interface Options {
  /** Id or name of the organization. */
  organization: string;
  /** Token of a Connect session, which the host's server has made for this origin. */
  session: string;
  /** Address of Onefold; by default that of this script. */
  host?: string;
  /** An element to show it in; without one it is a dialog. */
  mount?: HTMLElement;
  locale?: string;
  appearance?: 'auto' | 'light' | 'dark';
  onSuccess?: (event: { integration_id: string; provider_id: string; created: boolean }) => void;
  /** The frame is gone: `complete`, `cancelled`, `closed` by the host, or `unreachable`. */
  onExit?: (reason: string) => void;
  onEvent?: (event: ConnectEvent) => void;
}

interface Handle {
  close: () => void;
  /** Gives the page another session in place of one that has expired; what was typed stays. */
  refresh: (session: string) => void;
}

/** How long the page has to answer. A frame that the browser refuses never does. */
const maxReadyMs = 20_000;
const ownOrigin = new URL((document.currentScript as HTMLScriptElement).src).origin;
let opened: Handle | undefined;

const styles = `
dialog { width: min(960px, calc(100vw - 24px)); height: min(760px, calc(100dvh - 24px)); max-width: none; max-height: none; padding: 0;
  border: 0; border-radius: 14px; overflow: hidden; background: Canvas; box-shadow: 0 24px 80px rgb(0 0 0 / 35%); }
dialog::backdrop { background: rgb(10 12 20 / 55%); }
iframe { display: block; width: 100%; height: 100%; border: 0; }
iframe.inline { height: 480px; }`;

/** Opens the Connect UI. While it is open, another call does nothing and returns the same handle. */
function connect(options: Options): Handle {
  if (opened) return opened;
  const { organization, host = ownOrigin, mount, onEvent, onSuccess, onExit } = options;
  const origin = new URL(host).origin;
  let { session } = options;
  let port: MessagePort | undefined;
  const focused = document.activeElement;
  const holder = document.createElement('div');
  const root = holder.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const frame = document.createElement('iframe');
  frame.title = 'Connect';
  frame.referrerPolicy = 'no-referrer';
  frame.allow = '';
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
  );

  const exit = (reason: string) => {
    if (opened !== handle) return;
    opened = undefined;
    clearTimeout(timer);
    port?.close();
    holder.remove();
    if (focused instanceof HTMLElement) focused.focus();
    onExit?.(reason);
  };
  const timer = setTimeout(() => exit('unreachable'), maxReadyMs);
  const handle: Handle = {
    close: () => exit('closed'),
    refresh: (other) => {
      session = other;
      port?.postMessage({ type: 'refresh', session });
    },
  };
  const hear = ({ data }: MessageEvent<ConnectEvent>) => {
    const { type } = data;
    if (type === 'ready' || type === 'expired') clearTimeout(timer);
    if (type === 'resize' && mount) frame.style.height = `${Number(data['height'])}px`;
    onEvent?.(data);
    if (type === 'complete') onSuccess?.(data as never);
    if (type === 'closed') exit(String(data['reason']));
  };
  // Also after a reload of the frame, which has forgotten the session.
  frame.addEventListener('load', () => {
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = hear;
    const { locale, appearance } = options;
    frame.contentWindow?.postMessage(
      { type: 'onefold.hello', session, locale, appearance, dialog: !mount },
      origin,
      [channel.port2],
    );
  });
  frame.src = `${origin}/connect/${encodeURIComponent(organization)}/`;
  opened = handle;
  show(root, frame, mount, holder, () => exit('cancelled'));
  return handle;
}

/** Puts the frame into the page: into an element of it, or into a dialog above all of it. */
function show(
  root: ShadowRoot,
  frame: HTMLIFrameElement,
  mount: HTMLElement | undefined,
  holder: HTMLElement,
  onCancel: () => void,
): void {
  if (mount) {
    frame.className = 'inline';
    root.append(frame);
    mount.append(holder);
    return;
  }
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', frame.title);
  dialog.addEventListener('close', onCancel);
  dialog.append(frame);
  root.append(dialog);
  document.body.append(holder);
  dialog.showModal();
  frame.focus();
}

Object.assign(window, { Onefold: Object.freeze({ connect }) });
