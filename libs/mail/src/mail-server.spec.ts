import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '#secrets';
import { freePort, TestAuthority, TestMailServer } from '#test/harness';
import { MailRefused, openMailServer } from './mail-server.js';

const from = 'Onefold <alarms@onefold.example>';
const mail = { id: 'one', recipient: 'ops@example.com', subject: 'Alarm', text: 'A line.\n' };

async function sendTo(url: string, smtpTls: 'required' | 'off' = 'required'): Promise<void> {
  const server = await openMailServer({ smtpUrl: new Secret(url), smtpFrom: from, smtpTls });
  try {
    await server?.send(mail);
  } finally {
    server?.close();
  }
}

describe('the mail server of the settings', () => {
  it('is none without SMTP_URL', async () => {
    expect(await openMailServer({ smtpFrom: from })).toBeUndefined();
  });

  it.each([
    ['https://mail.example.com', undefined, /^SMTP_URL must be smtp:\/\/host:port/],
    ['smtp://mail.example.com/path', undefined, /^SMTP_URL must be/],
    ['smtp://me@mail.example.com', undefined, /^SMTP_URL must be/],
    ['not an address with pass-word', undefined, /^SMTP_URL must be/],
    ['smtp://me:pass-word%zz@mail.example.com', undefined, /^SMTP_URL: percent-encode/],
    ['smtp://me:pass-word@127.0.0.1', 'off', /^SMTP_TLS=off is for an SMTP_URL .* no user/],
    ['smtps://127.0.0.1', 'off', /^SMTP_TLS=off/],
  ] as const)('refuses %s with TLS %s, and shows no password', async (url, smtpTls, message) => {
    const opening = openMailServer({
      smtpUrl: new Secret(url),
      smtpFrom: from,
      ...(smtpTls && { smtpTls }),
    });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow('pass-word');
  });

  it('needs a sender', async () => {
    const opening = openMailServer({ smtpUrl: new Secret('smtp://127.0.0.1') });
    await expect(opening).rejects.toThrow('SMTP_FROM is missing');
  });

  it('gets a mail without TLS only where that is said', async () => {
    const server = await TestMailServer.start();
    try {
      await expect(sendTo(server.url)).rejects.toThrow(/STARTTLS/i);
      expect(server.received).toEqual([]);
      await sendTo(server.url, 'off');
      expect(server.received).toHaveLength(1);
      expect(server.received[0]?.mail).toMatchObject({
        from: { name: 'Onefold', address: 'alarms@onefold.example' },
        to: [{ address: 'ops@example.com' }],
        subject: 'Alarm',
        text: 'A line.\n',
        messageId: '<one@onefold.example>',
      });
      expect(server.received[0]?.source).toContain('Auto-Submitted: auto-generated');
    } finally {
      await server.stop();
    }
  });

  it('refuses a mail for good, or for now, and says which', async () => {
    const server = await TestMailServer.start();
    try {
      server.refuse = () => 550;
      await expect(sendTo(server.url, 'off')).rejects.toBeInstanceOf(MailRefused);
      server.refuse = () => 450;
      await expect(sendTo(server.url, 'off')).rejects.not.toBeInstanceOf(MailRefused);
    } finally {
      await server.stop();
    }
    const nobody = `smtp://127.0.0.1:${await freePort()}`;
    await expect(sendTo(nobody, 'off')).rejects.not.toBeInstanceOf(MailRefused);
  });
});

describe('a mail server with TLS', () => {
  let authority: TestAuthority;
  beforeAll(() => {
    authority = new TestAuthority();
  });
  afterAll(() => authority.remove());

  it.each([false, true])(
    'of an unknown authority gets neither password nor mail (from the start: %s)',
    async (isImplicit) => {
      const user = { name: 'me', password: 'pass-word' };
      const certificate = authority.issue('localhost');
      const server = await TestMailServer.start({ certificate, isImplicit, user });
      try {
        const scheme = isImplicit ? 'smtps' : 'smtp';
        const url = `${scheme}://me:pass-word@127.0.0.1:${server.port}`;
        await expect(sendTo(url)).rejects.toThrow(/certificate/);
        await expect(sendTo(url)).rejects.not.toThrow('pass-word');
        expect(server.received).toEqual([]);
      } finally {
        await server.stop();
      }
    },
  );
});
