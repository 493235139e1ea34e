import { Logger } from '@nestjs/common';
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Cancellation } from '../cancellation.js';
import type { Content } from '../messages/content.js';
import { Directory } from './peers/directory.js';
import { InFlight, Running } from './in-flight.js';
import { Inbox } from './inbox.js';
import { type CallAnswer, NatsCalls, NotTaken, withoutGone } from './nats-calls.js';
import { NatsLink } from './nats-link.js';
import { NatsStreams } from './nats-streams.js';
import { answerOperator } from './operator-report.js';
import { openConnection, type NatsSettings } from './nats-settings.js';
import { OfferedSubjects } from './peers/offered-subjects.js';
import { Peers, type PeerState } from './peers/peers.js';
import { Refusals } from './refusals.js';
import { PublishPermissions } from './publish-permissions.js';
import { Kind, type MessageKeys, MessageSeal, type Opened } from '../messages/sealed-message.js';
import { processSubject, replySubject } from '../subjects.js';
import {
  BusUnreachable,
  DeadlinePassed,
  type FrameHandler,
  NoResponders,
  type Offer,
  type Outgoing,
  type RequestOptions,
  type Transport,
  type WholeMessage,
} from '../transport.js';

/** A call waits so long for a lost connection, which a server that restarts gives back in half of it. Then it fails, and so does each that follows. */
const maxAwayMs = 900;
/** Announcements of other processes come every ten seconds at least: one that hears only what it refuses is not one of them. */
const maxWithoutPeersMs = 12_000;
/** Larger bodies are streamed; by default a NATS server accepts messages up to 1 MB. */
const maxMessageBytes = 512 * 1024;

const log = new Logger('bus');

export interface NatsTransportOptions {
  /** Keys that authenticate messages; all processes need the same. */
  keys: MessageKeys;
  /** The role of the process, such as `gateway`: its NATS user may only subscribe to inboxes of this role. */
  role?: string;
  /** The subjects to which it has to publish, such as `onefold.bridge.*.*`; it is not ready while NATS refuses one. */
  publishes?: readonly string[];
  refusals?: Refusals;
  /** Returns what the process tells operators of itself. */
  report?: () => Promise<object>;
}

/** Transport over NATS: calls are addressed to processes by their announcements, one inbox gets all responses, reconnection never ends. */
export class NatsTransport implements Transport {
  private readonly link: NatsLink;
  private readonly inbox: Inbox;
  private readonly directory: Directory;
  private readonly peers: Peers;
  private readonly calls: NatsCalls;
  private readonly streams: NatsStreams;
  /** Calls in progress here, by the subject of their response. */
  private readonly working = new InFlight<Cancellation>();
  private readonly running = new Running();
  private readonly offered: OfferedSubjects;
  private readonly reconnected = new Set<() => void>();
  private readonly refusals: Refusals;
  private readonly permissions: PublishPermissions;
  private connected = true;
  /** When the connection was lost, in milliseconds of `performance.now()`. */
  private lostAt = 0;

  private constructor(
    private readonly connection: NatsConnection,
    given: NatsTransportOptions,
  ) {
    const { keys, role = 'process', publishes = [], refusals = new Refusals(), report } = given;
    this.refusals = refusals;
    this.permissions = new PublishPermissions(connection, publishes);
    const seal = new MessageSeal(keys, refusals);
    this.link = new NatsLink(connection, seal, refusals, (error, subject, reply) => {
      if (reply === undefined)
        log.error({ message: 'a message could not be sent', subject, error: String(error) });
      else this.calls.unsent(reply, error);
    });
    this.inbox = new Inbox(this.link, role);
    this.calls = new NatsCalls(this.link, this.inbox, (peer) => this.peers.suspect(peer));
    this.peers = new Peers(this.link, this.inbox, this.calls, (peer, state) =>
      this.follow(peer, state),
    );
    this.streams = new NatsStreams(this.link, this.inbox, this.peers);
    // Before the directory asks, because answers come there.
    this.link.listen(processSubject(this.link.processId), (message) => this.handleControl(message));
    const seen = () => ({ peers: this.directory.peers(), refused: refusals.refused });
    const asked = (reply: string) => void answerOperator(this.link, reply, report, seen);
    this.directory = new Directory(this.link, (peer) => this.calls.left(peer), asked);
    this.offered = new OfferedSubjects(this.link, this.directory);
    void this.followStatus();
  }

  /** Connects, and waits while the server is unavailable. @param settings the addresses, or all connection settings */
  static async connect(
    settings: string | NatsSettings,
    options: NatsTransportOptions,
    stopping?: AbortSignal,
  ): Promise<NatsTransport> {
    const given = typeof settings === 'string' ? { natsUrl: settings } : settings;
    return new NatsTransport(await openConnection(given, stopping), options);
  }

  get isConnected(): boolean {
    return this.connected && !this.connection.isClosed();
  }

  checkReady(): void {
    if (!this.isConnected) throw new Error('not connected to NATS');
    this.link.checkSubscriptions();
    this.permissions.check();
    const refusal = this.refusals.current;
    if (refusal !== undefined && performance.now() - this.directory.heardAt > maxWithoutPeersMs)
      throw new Error(refusal);
  }

  /** Names the process as others call it. */
  get processId(): string {
    return this.link.processId;
  }

  /** Counts the processes that serve a subject and accept calls, as far as they are heard. */
  countServing(subject: string): number {
    return this.directory.all(subject).filter(({ isLeaving, isAbsent }) => !isLeaving && !isAbsent)
      .length;
  }

  serve(subject: string, handler: FrameHandler): void {
    this.directory.add(subject);
    this.listen(subject, () => handler);
  }

  offer(subject: string, handler: FrameHandler): Offer {
    if (this.offered.isNew(subject)) this.listen(subject, () => this.offered.handlerOf(subject));
    return this.offered.add(subject, handler);
  }

  /** @param handlerOf undefined while the subject is not served */
  private listen(subject: string, handlerOf: () => FrameHandler | undefined): void {
    this.link.listen(`${subject}.${this.link.processId}`, (message) => {
      const reply = replySubject(message);
      const opened = this.link.open(message, [Kind.request]);
      if (opened === undefined || reply === undefined) return;
      const handler = handlerOf();
      if (this.directory.isLeaving || handler === undefined) {
        this.link.publish(Kind.notTaken, { subject: reply }, { head: '' });
        return;
      }
      const work = this.answer(opened, reply, handler).catch((reason: unknown) => {
        // A message of another version: its sender waits until its deadline, and this process continues.
        log.error({ message: 'a message could not be answered', subject, error: String(reason) });
      });
      this.running.add(work);
    });
  }

  async served(): Promise<void> {
    this.permissions.try();
    await this.link.flush();
    this.directory.open();
    await this.link.flush();
  }

  async request(
    subject: string,
    { head, body }: Outgoing,
    options: RequestOptions,
  ): Promise<Outgoing> {
    const { deadline, cancellation } = options;
    cancellation.throwIfCancelled();
    if (!this.connected) {
      await this.back(subject, deadline);
      cancellation.throwIfCancelled();
    }
    const answer = isStream(body)
      ? await this.sendStream(subject, head, body, options)
      : await this.send(subject, { head, body }, options);
    const { opened, reply } = answer;
    const { stream, sender } = opened;
    if (stream === '') return opened;
    const cancel = () => this.calls.cancel(sender, reply);
    return {
      head: opened.head,
      body: this.streams.read({ subject: stream, peer: sender }, cancellation, cancel),
    };
  }

  async requestAll(
    subject: string,
    message: WholeMessage,
    options: RequestOptions,
  ): Promise<Outgoing[]> {
    if (!this.connected) await this.back(subject, options.deadline);
    const answers = this.directory.all(subject).map(async (target) => {
      const { opened } = await this.calls.send(target, subject, message, options);
      return opened;
    });
    return await withoutGone(answers);
  }

  publish(subject: string, payload: Uint8Array): void {
    this.link.publish(Kind.event, { subject }, { head: '', body: payload });
  }

  subscribe(subject: string, handler: (payload: Uint8Array) => void): () => void {
    return this.link.listen(subject, (message) => {
      const opened = this.link.open(message, [Kind.event]);
      if (opened !== undefined) handler(opened.body);
    });
  }

  onReconnect(handler: () => void): () => void {
    this.reconnected.add(handler);
    return () => this.reconnected.delete(handler);
  }

  async close(): Promise<void> {
    if (this.connection.isClosed()) return;
    // Refuses new calls first, then waits for the responses to accepted ones, because draining a connection does neither.
    this.directory.leave();
    if (this.connected) await this.link.flush();
    await this.running.ended();
    await this.streams.finished();
    this.directory.close();
    this.peers.close();
    await this.link.close();
  }

  /** Sends the call until a process accepts it; one that is stopping returns it unstarted. */
  private async send(
    subject: string,
    content: Content,
    options: RequestOptions,
  ): Promise<CallAnswer> {
    let except: Set<string> | undefined;
    for (;;) {
      const target =
        this.directory.pick(subject, except) ?? (await this.directory.find(subject, except));
      if (target === undefined) throw new NoResponders(subject);
      options.cancellation.throwIfCancelled();
      try {
        return await this.calls.send(target, subject, content, options);
      } catch (error) {
        if (!(error instanceof NotTaken)) throw error;
        except = (except ?? new Set()).add(target.id);
      }
    }
  }

  private async sendStream(
    subject: string,
    head: string,
    body: AsyncIterable<Uint8Array> | Uint8Array,
    options: RequestOptions,
  ): Promise<CallAnswer> {
    // A handler that responds before the end of the body does not read the rest.
    const offered = new Cancellation();
    const giveUp = (reason: Error) => offered.cancel(reason);
    options.cancellation.onCancel(giveUp);
    try {
      const stream = this.streams.offer(body, offered);
      return await this.send(subject, { head, stream }, options);
    } finally {
      options.cancellation.offCancel(giveUp);
      offered.cancel(new Error('the call was answered'));
    }
  }

  private async answer(
    { head, body, stream, sender }: Opened,
    reply: string,
    handler: FrameHandler,
  ): Promise<void> {
    const cancellation = new Cancellation();
    this.working.set(reply, cancellation);
    const forget = () => this.working.delete(reply);
    const offered = { subject: stream, peer: sender };
    const incoming =
      stream === '' ? body : this.streams.read(offered, cancellation, () => undefined);
    const outgoing = await handler({ head, body: incoming, cancellation }).catch(
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    const answer: Content = { head: outgoing.head, body: undefined, stream: undefined };
    if (isStream(outgoing.body))
      answer.stream = this.streams.offer(outgoing.body, cancellation, sender, forget);
    else {
      forget();
      answer.body = outgoing.body;
    }
    this.link.publish(Kind.answer, { subject: reply }, answer);
  }

  /** Handles messages addressed to this process. */
  private handleControl(message: Msg): void {
    const opened = this.link.open(message, [Kind.ping, Kind.cancel, Kind.presence]);
    if (opened?.kind === Kind.presence) this.directory.hear(opened);
    if (opened?.kind === Kind.cancel)
      this.working.get(opened.head)?.cancel(new Error('the caller hung up'));
    const reply = replySubject(message);
    if (opened?.kind === Kind.ping && reply !== undefined)
      this.link.publish(Kind.answer, { subject: reply }, { head: this.unknownOf(opened.head) });
  }

  /** @param asked subjects of responses, one per line @returns those of calls that this process does not work on */
  private unknownOf(asked: string): string {
    if (asked === '') return '';
    const replies = asked.split('\n');
    return replies.filter((reply) => !this.working.has(reply)).join('\n');
  }

  private follow(peer: string, state: PeerState): void {
    if (state === 'silent')
      return this.calls.silent(peer, (subject) => this.directory.hasOther(subject, peer));
    if (state !== 'gone') this.directory.setAbsent(peer, state === 'absent');
    if (state === 'present') this.calls.present(peer);
    if (state !== 'gone') return;
    log.warn({ message: 'a process has ended without notice', peer });
    this.directory.remove(peer);
    this.calls.gone(peer);
  }

  /** Waits a moment for the server, because the client drops messages while it is disconnected. @throws BusUnreachable, DeadlinePassed */
  private async back(subject: string, deadline: number): Promise<void> {
    const leftMs = this.lostAt + maxAwayMs - performance.now();
    if (leftMs <= 0) throw new BusUnreachable(subject);
    const untilDeadlineMs = Math.max(1, deadline - Date.now());
    await new Promise<void>((settle, fail) => {
      const stop = this.onReconnect(() => {
        clearTimeout(timer);
        stop();
        settle();
      });
      const timer = setTimeout(
        () => {
          stop();
          const Failure = untilDeadlineMs < leftMs ? DeadlinePassed : BusUnreachable;
          fail(new Failure(subject));
        },
        Math.min(leftMs, untilDeadlineMs),
      );
    });
  }

  private async followStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') {
        this.connected = false;
        this.lostAt = performance.now();
        log.warn({ message: 'the connection to NATS was lost', server: status.server });
        this.link.lost();
        this.calls.lost();
      }
      if (status.type === 'error') this.note(status.error);
      if (status.type === 'reconnect') {
        const awayMs = Math.round(performance.now() - this.lostAt);
        log.log({ message: 'connected to NATS again', server: status.server, away_ms: awayMs });
        this.resume();
      }
    }
  }

  private resume(): void {
    this.connected = true;
    this.permissions.try();
    this.link.reconnected();
    this.peers.reconnected();
    this.directory.resume();
    for (const handler of this.reconnected)
      try {
        handler();
      } catch (error) {
        log.error({ message: 'reconnect handler failed', error: String(error) });
      }
  }

  /** Logs an error that the server reports, for the operator. */
  private note(error: Error): void {
    log.error({ message: 'NATS error', error: error.message });
    if (error instanceof errors.PermissionViolationError && error.operation === 'publish') {
      this.permissions.refused(error.subject);
      this.calls.refused(error.subject, error);
    }
  }
}

function isStream(body: Outgoing['body']): body is AsyncIterable<Uint8Array> | Uint8Array {
  return body !== undefined && (!(body instanceof Uint8Array) || body.length > maxMessageBytes);
}
