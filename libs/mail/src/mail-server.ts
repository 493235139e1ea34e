import type { MailSettings } from '#config';

const connectTimeoutMs = 10_000;
const answerTimeoutMs = 30_000;
/** Connections to the server; each takes a hundred mails, and closes when none was sent for some time. */
const maxConnections = 4;
const idleTimeoutMs = 30_000;

export type MailOptions = Partial<Pick<MailSettings, 'smtpUrl' | 'smtpFrom' | 'smtpTls'>>;

export interface OutgoingMail {
  /** Stays the same when the mail is sent again, so that a mailbox that got it before can tell. */
  id: string;
  recipient: string;
  subject: string;
  text: string;
}

export interface MailServer {
  /** The sender as mails show it. */
  from: string;
  /** Sends a mail; returns when the server has taken it. @throws MailRefused, or Error if another attempt may succeed */
  send(mail: OutgoingMail): Promise<void>;
  /** Connects and authenticates, and sends nothing. @throws Error with the reason */
  check(): Promise<void>;
  close(): void;
}

/** The mail server refuses a mail or its recipient for good. The message has the words of the server. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Opens the mail server of the settings; undefined if there is none. Connects when something is sent. @throws Error naming the setting that is invalid, without the password */
export async function openMailServer(options: MailOptions): Promise<MailServer | undefined> {
  const { smtpUrl, smtpFrom: from, smtpTls = 'required' } = options;
  if (smtpUrl === undefined) return undefined;
  if (from === undefined)
    throw new Error('SMTP_FROM is missing: SMTP_URL needs the address that mails come from.');
  const { host, port, isImplicit, auth } = readAddress(smtpUrl.reveal());
  const isOff = smtpTls === 'off';
  if (isOff && (isImplicit || auth !== undefined))
    throw new Error(
      'SMTP_TLS=off is for an SMTP_URL that begins with smtp:// and has no user and password, which would be sent in the clear.',
    );
  const { createTransport } = await import('nodemailer'); // most installations have no mail server
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure: isImplicit,
    requireTLS: !isOff,
    ignoreTLS: isOff,
    ...(auth === undefined ? {} : { auth }),
    maxConnections,
    maxRequeues: 0, // the queue tries again
    idleTimeout: idleTimeoutMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.includes('@') ? from.slice(from.lastIndexOf('@') + 1).replace('>', '') : host;
  return {
    from,
    async send({ id, recipient, subject, text }) {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: recipient },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          // No vacation note answers these.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
      } catch (error) {
        throw isRefusal(error) ? new MailRefused(error.message, { cause: error }) : error;
      }
    },
    async check() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

/** @throws Error that shows nothing of the address */
function readAddress(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === '' ||
    !/^\/?$/.test(url.pathname) ||
    url.search !== '' ||
    (url.username === '') !== (url.password === '')
  )
    throw new Error(
      'SMTP_URL must be smtp://host:port or smtps://host:port, with user:password@ before the host if it needs them; percent-encode special characters.',
    );
  const isImplicit = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isImplicit ? 465 : 587)),
    isImplicit,
    auth:
      url.username === '' ? undefined : { user: decode(url.username), pass: decode(url.password) },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('SMTP_URL: percent-encode special characters of user and password.');
  }
}

/**
 * True for what the server says of a recipient or of a mail and will say again. That it refuses the password or the sender is the operator's to
 * mend, and 503 is about the order of commands.
 */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { command, responseCode: status = 0 } = error as {
    command?: string;
    responseCode?: number;
  };
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  return isOfMail && status >= 500 && status < 600 && status !== 503;
}
