import type { Cancellation } from './cancellation.js';
import type { Content } from './content.js';
import type { Listed } from './directory.js';
import type { Expected, Inbox } from './inbox.js';
import type { NatsLink } from './nats-link.js';
import { type Address, Kind, type Opened } from './sealed-message.js';
import { processSubject } from './subjects.js';
import { ConnectionLost, DeadlinePassed, ProcessGone } from './transport.js';

/** The process did not start the call because it is stopping, so any call can be sent to another process. */
export class NotTaken extends Error {}

/** The response to a call, and the subject that identifies the call for the processes that work on it. */
export interface CallAnswer {
  opened: Opened;
  reply: string;
}

const answers = [Kind.answer, Kind.notTaken];
const noMessage = new Uint8Array();

/** Calls in flight. Each is addressed to one process. */
export class NatsCalls {
  private readonly waiting = new Set<PendingCall>();

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
    { deadline, cancellation }: { deadline: number; cancellation: Cancellation },
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
      call.end = () => {
        clearTimeout(timer);
        cancellation.offCancel(giveUp);
        this.inbox.forget(reply);
        this.waiting.delete(call);
      };
      cancellation.onCancel(giveUp);
      this.waiting.add(call);
      call.message = this.link.seal(Kind.request, address, content, deadline);
      this.link.send(address, call.message);
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
    for (const call of this.waiting)
      if (call.isUndelivered && call.peer === peer) {
        call.isUndelivered = false;
        this.link.send(call.address, call.message);
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
    for (const { peer } of this.waiting) yield peer;
  }

  private failWhere(applies: (call: PendingCall) => boolean, reason: unknown): void {
    for (const call of [...this.waiting]) if (applies(call)) call.fail(reason);
  }
}

/** A call that waits for its response. */
class PendingCall implements Expected {
  readonly kinds = answers;
  address: Address & { reply: string } = { subject: '', reply: '' };
  message: Uint8Array = noMessage;
  /** True if the server reported that nobody received it. */
  isUndelivered = false;
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
