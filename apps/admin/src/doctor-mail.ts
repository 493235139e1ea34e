import type { MailSettings } from '#config';
import { openMailServer } from '#mail';

/** Checks that the mail server of the settings is reached, by TLS where that is required, and takes the password. Nothing is sent. */
export async function checkMail(settings: MailSettings): Promise<string> {
  const server = await openMailServer(settings);
  if (server === undefined) return 'SMTP_URL is not set, so alarms are not sent by mail';
  try {
    await server.check();
    return `the server is reached and lets in who sends from ${server.from}`;
  } finally {
    server.close();
  }
}
