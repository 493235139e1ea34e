import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Clock } from '#config';
import { defineTask, enqueue, handleTask, type TaskHandler } from '#queue';
import { alarmMailQueries, type Store, type Transaction, wholeOrganization } from '#store';
import { type DigestPlace, toReport, writeDigest } from './alarm-text.js';
import { gatherMs as defaultGatherMs, nextGapMs } from './mail-pace.js';
import { MailRefused, type MailServer } from './mail-server.js';

const log = new Logger('alarm mails');
/** A mail that the server has not taken for so long is old news. */
const maxAgeMs = 24 * 60 * 60_000;
const minWaitMs = 15_000;
const maxWaitMs = 10 * 60_000;
/** While a mail waits, changes are gathered for the next one: for so long, as the others must not wait for a mailbox that is full. */
const maxHeldMs = 60 * 60_000;
/** Mails are sent in so many lanes, one at a time in each: a server that hangs leaves the other places of the worker to webhooks. */
const lanes = 4;

interface GatherChanges {
  organizationId: string;
}

interface SendMail {
  organizationId: string;
  id: string;
  /** Attempts that have failed. */
  failures: number;
}

const gatherChanges = defineTask<GatherChanges>('mail.gather_alarms', { maxAttempts: 100 });
const sendMail = defineTask<SendMail>('mail.send_alarm', { maxAttempts: 1_000 });

export type MailOutcome = 'sent' | 'put_off' | 'refused' | 'expired' | 'unwanted';

/** A mail that was given up. */
export interface LostMail {
  recipient: string;
  reason: string;
}

export interface AlarmMailsParts {
  store: Store;
  clock: Clock;
  /** Undefined where no mail is sent. */
  server: MailServer | undefined;
  /** Where people reach the console now; undefined where nobody said. */
  consoleUrl: () => string | undefined;
  /** Shows organizations that a mail was given up. */
  recordLost: (tx: Transaction, lost: LostMail) => Promise<void>;
  count: (outcome: MailOutcome) => void;
  gatherMs?: number;
}

/** Tells the addresses of organizations by mail that the states of integrations have changed: several changes in one mail, few mails in an hour. */
export class AlarmMails {
  private readonly gatherMs: number;

  constructor(private readonly parts: AlarmMailsParts) {
    this.gatherMs = parts.gatherMs ?? defaultGatherMs;
  }

  get handlers(): TaskHandler[] {
    return [
      handleTask(gatherChanges, (task) => this.gather(task)),
      handleTask(sendMail, (task) => this.send(task)),
    ];
  }

  /** Enqueues a task for each organization that may get a mail about changes. Called from time to time: changes wake nobody. */
  async wake(): Promise<void> {
    const { store, clock, server } = this.parts;
    if (server === undefined) return;
    for (const organizationId of await store.alarmMailsDue(new Date(clock.now())))
      await store.write(wholeOrganization(organizationId), async (tx) => {
        const now = clock.now();
        const runAt = new Date(now + this.gatherMs);
        if (!(await alarmMailQueries.takeTurn(tx, { now: new Date(now), nextAt: runAt }))) return;
        const key = `alarm mails of ${organizationId}`;
        await enqueue(tx, gatherChanges, { organizationId }, { key, runAt, ifAbsent: true });
      });
  }

  /** Makes one mail of the changes that wait, for each address. */
  private async gather({ organizationId }: GatherChanges): Promise<void> {
    const { store, clock, consoleUrl } = this.parts;
    await store.write(wholeOrganization(organizationId), async (tx) => {
      const now = clock.now();
      if (await alarmMailQueries.isOneWaiting(tx, new Date(now - maxHeldMs))) return;
      const changes = toReport(await alarmMailQueries.takeChanges(tx));
      const { fullname, options } = await tx.organization();
      const recipients = addressesIn(options);
      if (changes.length === 0 || recipients.length === 0) return;
      for (const recipient of recipients) {
        const place: DigestPlace = {
          recipient,
          organizationName: fullname,
          consoleUrl: consoleUrl(),
        };
        const id = randomUUID();
        const { subject, text: body } = writeDigest(changes, place);
        const createdAt = new Date(now);
        await alarmMailQueries.insert(tx, { id, recipient, subject, body, createdAt });
        await enqueueMail(tx, { organizationId, id, failures: 0 });
      }
      const gapMs = nextGapMs(await alarmMailQueries.findPace(tx), now);
      await alarmMailQueries.notePace(tx, { mailedAt: new Date(now), gapMs });
    });
  }

  private async send(task: SendMail): Promise<void> {
    const { store, clock, server, count } = this.parts;
    const { organizationId, id, failures } = task;
    const scope = wholeOrganization(organizationId);
    const mail = await store.read(scope, (tx) => alarmMailQueries.find(tx, id));
    if (mail === undefined) return;
    const { recipient, subject, body: text, createdAt } = mail;
    let outcome: MailOutcome = 'unwanted';
    let lost: LostMail | undefined;
    if (server !== undefined && mail.isWanted === true)
      try {
        await server.send({ id, recipient, subject, text });
        outcome = 'sent';
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const isOld = clock.now() - createdAt.getTime() > maxAgeMs;
        if (!(error instanceof MailRefused) && !isOld) {
          count('put_off');
          const waitMs = Math.min(minWaitMs * 2 ** Math.min(failures, 20), maxWaitMs);
          log.warn({ message: 'mail not sent', mail_id: id, reason, wait_ms: waitMs });
          const again = { ...task, failures: failures + 1 };
          const runAt = new Date(clock.now() + waitMs);
          await store.write(scope, (tx) => enqueueMail(tx, again, runAt));
          return;
        }
        outcome = error instanceof MailRefused ? 'refused' : 'expired';
        log.warn({ message: 'mail given up', mail_id: id, reason });
        lost = { recipient, reason };
      }
    count(outcome);
    await store.write(scope, async (tx) => {
      if (lost !== undefined) await this.parts.recordLost(tx, lost);
      await alarmMailQueries.forget(tx, id);
    });
  }
}

/** The addresses that an organization has given for its alarms. */
function addressesIn(options: Record<string, unknown> | null): string[] {
  const { alarm_mails: mails } = (options ?? {}) as {
    alarm_mails?: { addresses?: string[] | null } | null;
  };
  return mails?.addresses ?? [];
}

async function enqueueMail(tx: Transaction, task: SendMail, runAt?: Date): Promise<void> {
  const lane = Number.parseInt(task.id.slice(0, 2), 16) % lanes;
  await enqueue(tx, sendMail, task, {
    key: task.id,
    queue: `alarm mails ${lane}`,
    ...(runAt === undefined ? {} : { runAt }),
  });
}
