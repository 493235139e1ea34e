import { Secret } from '#secrets';
import { FromVariable, httpAddress } from './setting.js';

const mailbox = String.raw`[A-Za-z0-9.!#$%&'*+/=?^_\x60{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*`;

/** Settings of the process that sends alarms by mail. The server is the operator's, so the egress policy and its proxy do not apply to it. */
export class MailSettings {
  @FromVariable({
    variable: 'SMTP_URL',
    about:
      'The mail server that takes alarms (docs/alarm-mails.md): `smtp://user:password@mail.example.com:587`, or `smtps://…:465` where TLS begins with the connection; special characters are percent-encoded. Without it no mail is sent.',
    default: 'none',
    secret: true,
    optional: true,
  })
  smtpUrl?: Secret;

  @FromVariable({
    variable: 'SMTP_FROM',
    about:
      'The sender of mails, which SMTP_URL needs: `alarms@example.com`, or `Onefold <alarms@example.com>`.',
    default: 'none',
    optional: true,
    schema: { pattern: `^(?:${mailbox}|[^<>"\\p{Cc}]{1,100}<${mailbox}>)$` },
    rule: 'must be an address such as alarms@example.com, or Onefold <alarms@example.com>',
  })
  smtpFrom?: string;

  @FromVariable({
    variable: 'SMTP_TLS',
    about:
      'Whether connections to the mail server are encrypted: `required`, or `off` for a server beside the process, which gets no password then. NODE_EXTRA_CA_CERTS names the authority of a server that has its own.',
    schema: { enum: ['required', 'off'] },
  })
  smtpTls: 'required' | 'off' = 'required';

  @FromVariable({
    variable: 'CONSOLE_URL',
    about:
      'Where people reach the console, for links in mails: `https://api.example.com/console/`. Without it mails have no links.',
    default: 'none; the console of the standalone process itself',
    optional: true,
    ...httpAddress,
  })
  consoleUrl?: string;
}
