import type { Cancellation } from './cancellation.js';
import type { Content } from './content.js';
import type { Listed } from './directory.js';
import type { Expected, Inbox } from './inbox.js';
import type { NatsLink } from './nats-link.js';
import { type Address, Kind, type Opened } from './sealed-message.js';
import { processSubject } from './subjects.js';
import { ConnectionLost, DeadlinePassed, ProcessGone } from './transport.js';

/** The process did not begin with the call, because it is about to end: another one may be asked, whatever the call does. */
export class NotTaken extends Error {}

/** The answer to a call, and the subject that the call is known by to who works for it. */
export interface CallAnswer {
  opened: Opened;
  reply: string;
}

const answers = [Kind.answer, Kind.notTaken];
const noMessage = new Uint8Array();

/** Calls under way. Each is addressed to one process. */
export class NatsCalls {
  private readonly waiting = new Set<PendingCall>();

  /** @param suspect hears of a process that nobody listens for */
  constructor(
    private readonly link: NatsLink,
    private readonly inbox: Inbox,
    private readonly suspect: (peer: string) => void,
  ) {}

  /**
   * Sends a call. Whoever works for it is told when it is given up, under the subject its answer would go to.
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

  /** Tells who works for a call that nobody waits for it any more. @param reply the subject of its answer */
  cancel(peer: string, reply: string): void {
    this.link.publish(Kind.cancel, { subject: processSubject(peer) }, { head: reply });
  }

  /** A call could not be sent. */
  unsent(reply: string, error: unknown): void {
    this.failWhere((call) => call.address.reply === reply, error);
  }

  /** The connection broke: the answers that were waited for will not come. */
  lost(): void {
    this.failWhere(() => true, new ConnectionLost());
  }

  /** The server does not let us send to a subject. */
  refused(subject: string, error: Error): void {
    this.failWhere((call) => call.address.subject === subject, error);
  }

  /**
   * A process that nobody seemed to listen for gives a sign of life: it was reconnecting, or the notice was forged. It is sent the same
   * messages once more, and refuses those that it has.
   */
  present(peer: string): void {
    for (const call of this.waiting)
      if (call.isUndelivered && call.peer === peer) {
        call.isUndelivered = false;
        this.link.send(call.address, call.message);
      }
  }

  /** A process has ended without a word. */
  gone(peer: string): void {
    this.failWhere((call) => call.peer === peer, new ProcessGone());
  }

  /** A process has ended in order, and answered all it took. */
  left(peer: string): void {
    this.failWhere((call) => call.peer === peer, new NotTaken());
  }

  /** The processes that calls wait for. */
  *peers(): Generator<string> {
    for (const { peer } of this.waiting) yield peer;
  }

  private failWhere(applies: (call: PendingCall) => boolean, reason: unknown): void {
    for (const call of [...this.waiting]) if (applies(call)) call.fail(reason);
  }
}

/** A call that waits for its answer. */
class PendingCall implements Expected {
  readonly kinds = answers;
  address: Address & { reply: string } = { subject: '', reply: '' };
  message: Uint8Array = noMessage;
  /** The server says that nobody took it. */
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
