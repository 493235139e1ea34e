import type { Content } from '../messages/content.js';
import type { Listed } from './peers/directory.js';
import type { Expected, Inbox } from './inbox.js';
import { Underway } from './in-flight.js';
import type { NatsLink } from './nats-link.js';
import { type Address, Kind, type Opened } from '../messages/sealed-message.js';
import { processSubject } from '../subjects.js';
import { ConnectionLost, DeadlinePassed, ProcessGone, type RequestOptions } from '../transport.js';

/** The process did not start the call because it is stopping, so any call can be sent to another process. */
export class NotTaken extends Error {}

/** The response to a call, and the subject that identifies the call for the processes that work on it. */
export interface CallAnswer {
  opened: Opened;
  reply: string;
}

const answers = [Kind.answer, Kind.notTaken];
const noMessage = new Uint8Array();
/** A process is asked about a call that it has not answered for so long: most calls are answered before. */
const askAfterMs = 1_000;
/** Maximum number of calls that a process is asked about at once. */
const maxAsked = 500;

/** Calls in flight. Each is addressed to one process. */
export class NatsCalls {
  private readonly waiting = new Underway<PendingCall>();

  /** @param suspect called for a process that seems not to listen */
  constructor(
    private readonly link: NatsLink,
    private readonly inbox: Inbox,
    private readonly suspect: (peer: string) => void,
  ) {}

  /**
   * Sends a call. If it is cancelled, the processes that work on it are notified with the subject of its response.
   * @throws NotTaken, ProcessGone, DeadlinePassed, ConnectionLost, or the reason of the cancellation.
   */
  send(
    target: Listed,
    subject: string,
    content: Content,
    { deadline, cancellation, isRepeatable = false }: RequestOptions,
  ): Promise<CallAnswer> {
    return new Promise((settle, fail) => {
      const call = new PendingCall(target, settle, fail, this.suspect);
      const reply = this.inbox.expect(call);
      const address = { subject: `${subject}.${target.id}`, reply };
      const giveUp = (reason: Error) => {
        this.cancel(target.id, reply);
        call.fail(reason);
      };
      const timer = setTimeout(
        () => giveUp(new DeadlinePassed(subject)),
        Math.max(1, deadline - Date.now()),
      );
      call.address = address;
      call.subject = subject;
      call.isRepeatable = isRepeatable;
      call.end = () => {
        clearTimeout(timer);
        cancellation.offCancel(giveUp);
        this.inbox.forget(reply);
        this.waiting.delete(call);
      };
      cancellation.onCancel(giveUp);
      this.waiting.add(call);
      call.message = this.link.seal(Kind.request, address, content, deadline);
      this.deliver(call);
    });
  }

  /** Notifies the processes that work on a call of its cancellation. @param reply the subject of its response */
  cancel(peer: string, reply: string): void {
    this.link.publish(Kind.cancel, { subject: processSubject(peer) }, { head: reply });
  }

  /** Fails a call that could not be sent. */
  unsent(reply: string, error: unknown): void {
    this.failWhere((call) => call.address.reply === reply, error);
  }

  /** Fails all calls in flight after the connection was lost. */
  lost(): void {
    this.failWhere(() => true, new ConnectionLost());
  }

  /** Fails calls to a subject for which the server denies permission. */
  refused(subject: string, error: Error): void {
    this.failWhere((call) => call.address.subject === subject, error);
  }

  /**
   * Handles a sign of life of a process that seemed not to listen: it was reconnecting, or the notice was forged. The same messages are
   * sent once more, and it refuses those that it already has.
   */
  present(peer: string): void {
    for (const call of this.waiting.list())
      if (call.isUndelivered && call.peer === peer) {
        call.isUndelivered = false;
        this.deliver(call);
      }
  }

  /** Returns the subjects of responses that a process has been owing for a while. */
  overdue(peer: string): string[] {
    const before = performance.now() - askAfterMs;
    const subjects: string[] = [];
    for (const { peer: of, isUndelivered, sentAt, address } of this.waiting.list())
      if (of === peer && !isUndelivered && sentAt < before && subjects.length < maxAsked)
        subjects.push(address.reply);
    return subjects;
  }

  /**
   * Handles calls that a process does not work on, though the question arrived behind them: it lost its connection, and with it the request
   * or its response. The same message is sent once more, and the process refuses it if it had it. Then the response is lost.
   * @param askedAt when the process was asked
   */
  unknown(peer: string, replies: ReadonlySet<string>, askedAt: number): void {
    for (const call of this.waiting.list()) {
      if (call.peer !== peer || call.isUndelivered || !replies.has(call.address.reply)) continue;
      if (call.sentAt >= askedAt) continue;
      if (call.isSentAgain) call.fail(new ConnectionLost());
      else {
        call.isSentAgain = true;
        this.deliver(call);
      }
    }
  }

  /**
   * Handles a process that may have vanished with its machine: the server keeps the connection as long as it has messages for it.
   * Its reads are left to another process.
   * @param isServedElsewhere true if another process serves a subject
   */
  silent(peer: string, isServedElsewhere: (subject: string) => boolean): void {
    for (const call of this.waiting.list())
      if (call.peer === peer && call.isRepeatable && isServedElsewhere(call.subject)) {
        this.cancel(peer, call.address.reply);
        call.fail(new ConnectionLost());
      }
  }

  /** Handles a process that has ended unexpectedly. */
  gone(peer: string): void {
    this.failWhere((call) => call.peer === peer, new ProcessGone());
  }

  /** Handles a process that has stopped cleanly, after answering all its calls. */
  left(peer: string): void {
    this.failWhere((call) => call.peer === peer, new NotTaken());
  }

  /** Returns the processes that calls wait for. */
  *peers(): Generator<string> {
    for (const { peer } of this.waiting.list()) yield peer;
  }

  private deliver(call: PendingCall): void {
    call.sentAt = performance.now();
    this.link.send(call.address, call.message);
  }

  private failWhere(applies: (call: PendingCall) => boolean, reason: unknown): void {
    for (const call of this.waiting.list()) if (applies(call)) call.fail(reason);
  }
}

/** A call that waits for its response. */
class PendingCall implements Expected {
  readonly kinds = answers;
  address: Address & { reply: string } = { subject: '', reply: '' };
  subject = '';
  isRepeatable = false;
  message: Uint8Array = noMessage;
  /** True if the server reported that nobody received it. */
  isUndelivered = false;
  /** True if the process did not have it, and got it once more. */
  isSentAgain = false;
  /** Its place among the calls in flight. */
  place = 0;
  /** When it was last sent, in milliseconds of `performance.now()`. */
  sentAt = 0;
  end: () => void = () => undefined;

  constructor(
    private readonly target: Listed,
    private readonly settle: (answer: CallAnswer) => void,
    private readonly reject: (reason: unknown) => void,
    private readonly suspect: (peer: string) => void,
  ) {
    target.calls += 1;
  }

  get peer(): string {
    return this.target.id;
  }

  receive(opened: Opened): void {
    if (opened.kind === Kind.notTaken) return this.fail(new NotTaken());
    this.finish();
    this.settle({ opened, reply: this.address.reply });
  }

  absent(): void {
    this.isUndelivered = true;
    this.suspect(this.peer);
  }

  fail(reason: unknown): void {
    this.finish();
    this.reject(reason);
  }

  private finish(): void {
    this.target.calls -= 1;
    this.end();
  }
}

/** Waits for the answers of several processes, without those that are gone or do not take the message. */
export async function withoutGone<T>(answers: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(answers);
  return settled.flatMap((one) => {
    if (one.status === 'fulfilled') return [one.value];
    if (one.reason instanceof NotTaken || one.reason instanceof ProcessGone) return [];
    throw one.reason as Error;
  });
}
