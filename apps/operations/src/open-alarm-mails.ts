import { systemClock } from '#config';
import { AlarmMails, type LostMail, type MailOptions, openMailServer } from '#mail';
import type { Metrics } from '#observe';
import type { TaskHandler } from '#queue';
import type { Store, Transaction } from '#store';
import { recordAlarm } from './record-work.js';

export interface AlarmMailsOptions extends MailOptions {
  store: Store;
  metrics: Metrics;
  consoleUrl: () => string | undefined;
}

/** Alarms by mail. */
export interface OpenAlarmMails {
  handlers: readonly TaskHandler[];
  wake: () => Promise<void>;
  close: () => void;
}

/** Sends alarms by the mail server of the settings, and tells the database whether there is one. @throws Error naming the setting that is invalid */
export async function openAlarmMails(options: AlarmMailsOptions): Promise<OpenAlarmMails> {
  const { store, metrics, consoleUrl } = options;
  const server = await openMailServer(options);
  await store.setMailSender(server?.from);
  const mails = metrics.counterBy(
    'onefold_alarm_mails_total',
    'Attempts to send an alarm by mail: sent, put off, or why the mail was given up.',
    'outcome',
  );
  const alarms = new AlarmMails({
    store,
    clock: systemClock,
    server,
    consoleUrl,
    recordLost,
    count: (outcome) => mails.add(outcome),
  });
  return {
    handlers: alarms.handlers,
    wake: () => alarms.wake(),
    close: () => server?.close(),
  };
}

/** Records in the audit trail that an alarm did not reach an address. */
async function recordLost(tx: Transaction, { recipient, reason }: LostMail): Promise<void> {
  await recordAlarm(tx, {
    method: 'POST',
    path: '/v1/organization',
    code: 'alarm_mail_lost',
    response: `the mail to ${recipient} was not sent: ${reason}`,
  });
}
