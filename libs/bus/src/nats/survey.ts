import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessReport, RefusedProcess } from '#observe';
import { Kind, type MessageKeys, MessageSeal } from '../messages/sealed-message.js';
import { inboxSubject, ownerOf, presenceSubject, processSubject } from '../subjects.js';
import { connectOnce } from './connect-once.js';
import { natsHosts, type NatsSettings } from './nats-settings.js';
import { Refusals } from './refusals.js';

/** A process that answered an operator's question. */
export interface SurveyedProcess extends Partial<ProcessReport> {
  process: string;
  /** How far its clock is ahead of the one here, in milliseconds; negative if it is behind. */
  clockMs?: number;
  /** The owners of the subjects that it announces, where it reports nothing: `management` or domains. */
  serves?: readonly string[];
}

/** The processes of an installation, as one question over the bus finds them. */
export interface Survey {
  /** Addresses of NATS without credentials. */
  hosts: string;
  natsVersion: string;
  processes: SurveyedProcess[];
  /** Processes that others know and that listen, but did not answer. */
  silent: { process: string; serves: readonly string[] }[];
  /** Processes whose messages are refused, here or by others. */
  refused: RefusedProcess[];
  /** Those of them whose messages are refused here. */
  refusedHere: RefusedProcess[];
}

export interface SurveyOptions {
  /** The keys of the bus. */
  keys: MessageKeys;
  /** The NATS user, whose inbox is used; any where NATS has no users. */
  role: string;
  /** Time for the answers. */
  waitMs?: number;
  /** Time where nobody answers. By then every process has announced itself, so that it is known why. */
  silenceMs?: number;
  /** The clock of this machine. */
  now?: () => number;
}

const defaultWaitMs = 3_000;
const defaultSilenceMs = 11_000;
/** Answers of processes that nobody knows, such as a second gateway, arrive by then. */
const minWaitMs = 500;
const stepMs = 50;
/** The status with which NATS reports that nobody listens at a subject. */
const noResponders = 503;

/**
 * Asks every process on the bus what it is and whether it is ready.
 * @throws Error that says why NATS is not reached, or which permission is missing
 */
export async function surveyProcesses(
  settings: NatsSettings,
  options: SurveyOptions,
): Promise<Survey> {
  const connection = await connectOnce(settings);
  const survey = new OpenSurvey(connection, options);
  try {
    await survey.run(options);
    const found = survey.result();
    return {
      hosts: natsHosts(settings),
      natsVersion: connection.info?.version ?? 'unknown',
      ...found,
    };
  } finally {
    await connection.close();
  }
}

class OpenSurvey {
  private readonly answered = new Map<string, SurveyedProcess>();
  private readonly announced = new Map<string, readonly string[]>();
  private readonly gone = new Set<string>();
  private readonly pinged = new Set<string>();
  private readonly refusals = new Refusals(undefined, undefined, { warn: () => undefined });
  private readonly seal: MessageSeal;
  private readonly inbox: (name: string) => string;
  private readonly now: () => number;
  private denied: string | undefined;

  constructor(
    private readonly connection: NatsConnection,
    { keys, role, now = Date.now }: SurveyOptions,
  ) {
    this.now = now;
    this.seal = new MessageSeal(keys, this.refusals, now);
    this.inbox = (name) => inboxSubject(role, this.seal.processId, name);
  }

  async run({ waitMs = defaultWaitMs, silenceMs = defaultSilenceMs }: SurveyOptions) {
    void this.noteRefusals();
    this.connection.subscribe(this.inbox('*'), {
      callback: (error, one) => (error === null ? this.receive(one) : undefined),
    });
    this.connection.subscribe(presenceSubject, {
      callback: (error, one) => (error === null ? this.hear(one) : undefined),
    });
    this.ask();
    await this.connection.flush();
    const begun = performance.now();
    for (;;) {
      await sleep(stepMs);
      if (this.denied !== undefined)
        throw new Error(
          `NATS does not let this user ${this.denied}: log on as "admin" of npm run -s admin -- nats-permissions`,
        );
      const ms = performance.now() - begun;
      this.pingSilent();
      const hasEnough = this.answered.size > 0 && ms > minWaitMs && this.silent().length === 0;
      const isOver = ms > (this.answered.size > 0 ? waitMs : silenceMs);
      if (hasEnough || isOver || (ms > waitMs && this.refusals.refused.length > 0)) return;
    }
  }

  result(): Pick<Survey, 'processes' | 'silent' | 'refused' | 'refusedHere'> {
    const older = [...this.announced].flatMap(([process, serves]) =>
      this.answered.has(process) ? [] : [{ process, serves }],
    );
    const processes: SurveyedProcess[] = [...this.answered.values(), ...older];
    const refused = new Map<string, RefusedProcess>();
    const own = this.seal.processId;
    for (const one of processes.flatMap(({ refused: theirs = [] }) => theirs))
      if (one.process !== own) refused.set(one.process, one);
    const refusedHere = this.refusals.refused;
    for (const one of refusedHere) refused.set(one.process, one);
    for (const { process } of processes) refused.delete(process);
    return { processes, silent: this.silent(), refused: [...refused.values()], refusedHere };
  }

  private ask(): void {
    const address = { subject: presenceSubject, reply: this.inbox('report') };
    const message = this.seal.seal(Kind.presence, address, {
      // Their reports say what they serve: nobody has to announce it to all, as versions before do.
      head: JSON.stringify({ state: 'asking', answers: 'same' }),
    });
    this.connection.publish(address.subject, message, { reply: address.reply });
  }

  private receive(message: Msg): void {
    const { subject, data } = message;
    const name = subject.split('.').at(-1) ?? '';
    if (data.length === 0 && message.headers?.code === noResponders) {
      this.gone.add(name);
      return;
    }
    if (name !== 'report') return; // a process that answers a ping and no question: it is busy
    const opened = this.seal.open({ subject }, data, [Kind.answer]);
    if (opened === undefined) return;
    const report = JSON.parse(opened.head) as ProcessReport;
    const clock = report.now === undefined ? {} : { clockMs: Math.round(report.now - this.now()) };
    this.answered.set(opened.sender, { ...report, ...clock, process: opened.sender });
  }

  private hear(message: Msg): void {
    const { subject, data } = message;
    const opened = this.seal.open({ subject, reply: message.reply }, data, [Kind.presence]);
    if (opened === undefined || opened.sender === this.seal.processId) return;
    const { state, subjects } = JSON.parse(opened.head) as { state: string; subjects?: string[] };
    // It may refuse the question, and answer it never. What it serves is told by `here` alone.
    if (state !== 'here' && state !== 'same') return;
    const serves = subjects?.flatMap((one) => ownerOf(one) ?? []);
    const known = this.announced.get(opened.sender) ?? [];
    this.announced.set(opened.sender, serves === undefined ? known : [...new Set(serves)]);
  }

  private known(): Map<string, readonly string[]> {
    const peers = [...this.answered.values()].flatMap(({ peers: theirs = [] }) => theirs);
    return new Map(peers.map(({ process, serves }) => [process, serves]));
  }

  private silent(): Survey['silent'] {
    return [...this.known()].flatMap(([process, serves]) => {
      const isHeard = this.answered.has(process) || this.announced.has(process);
      return isHeard || this.gone.has(process) ? [] : [{ process, serves }];
    });
  }

  /** NATS says of a process that has ended that nobody listens; others keep it in their directories until they call it. */
  private pingSilent(): void {
    for (const { process } of this.silent()) {
      if (this.pinged.has(process)) continue;
      this.pinged.add(process);
      const address = { subject: processSubject(process), reply: this.inbox(process) };
      const message = this.seal.seal(Kind.ping, address, { head: '' });
      this.connection.publish(address.subject, message, { reply: address.reply });
    }
  }

  private async noteRefusals(): Promise<void> {
    for await (const status of this.connection.status())
      if (status.type === 'error' && status.error instanceof errors.PermissionViolationError) {
        const { operation, subject } = status.error;
        this.denied ??= `${operation === 'publish' ? 'publish to' : 'subscribe to'} ${subject}`;
      }
  }
}
