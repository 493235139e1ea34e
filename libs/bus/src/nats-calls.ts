import type { Cancellation } from './cancellation.js';
import type { Content } from './content.js';
import type { Listed } from './directory.js';
import type { Inbox } from './inbox.js';
import type { NatsLink } from './nats-link.js';
import { Kind, type Opened } from './sealed-message.js';
import { processSubject } from './subjects.js';
import { ConnectionLost, DeadlinePassed, ProcessGone } from './transport.js';

/** The process did not begin with the call, because it is about to end: another one may be asked, whatever the call does. */
export class NotTaken extends Error {}

/** The answer to a call, and the subject that the call is known by to who works for it. */
export interface CallAnswer extends Opened {
  reply: string;
}

interface Waiting {
  /** The subject that the call was sent to. */
  subject: string;
  peer: string;
  /** The server says that nobody took it. */
  isUndelivered: boolean;
  resend: () => void;
  fail: (reason: unknown) => void;
}

const answers = [Kind.answer, Kind.notTaken];

/** Calls under way. Each is addressed to one process. */
export class NatsCalls {
  private readonly waiting = new Map<string, Waiting>();

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
      const { id: peer } = target;
      const end = () => {
        clearTimeout(timer);
        cancellation.offCancel(giveUp);
        this.inbox.forget(reply);
        if (this.waiting.delete(reply)) target.calls -= 1;
      };
      const giveUp = (reason: Error) => {
        end();
        this.cancel(peer, reply);
        fail(reason);
      };
      const reply = this.inbox.expect({
        kinds: answers,
        receive: (answer) => {
          end();
          if (answer.kind === Kind.notTaken) fail(new NotTaken());
          else settle({ ...answer, reply });
        },
        absent: () => {
          call.isUndelivered = true;
          this.suspect(peer);
        },
      });
      const timer = setTimeout(
        () => giveUp(new DeadlinePassed(subject)),
        Math.max(1, deadline - Date.now()),
      );
      cancellation.onCancel(giveUp);
      const address = { subject: `${subject}.${peer}`, reply };
      target.calls += 1;
      const message = this.link.seal(Kind.request, address, content, deadline);
      const call: Waiting = {
        subject: address.subject,
        peer,
        isUndelivered: false,
        resend: () => this.link.send(address, message),
        fail: (reason) => {
          end();
          fail(reason);
        },
      };
      this.waiting.set(reply, call);
      call.resend();
    });
  }

  /** Tells who works for a call that nobody waits for it any more. @param reply the subject of its answer */
  cancel(peer: string, reply: string): void {
    this.link.publish(Kind.cancel, { subject: processSubject(peer) }, { head: reply });
  }

  /** A call could not be sent. */
  unsent(reply: string, error: unknown): void {
    this.waiting.get(reply)?.fail(error);
  }

  /** The connection broke: the answers that were waited for will not come. */
  lost(): void {
    this.failWhere(() => true, new ConnectionLost());
  }

  /** The server does not let us send to a subject. */
  refused(subject: string, error: Error): void {
    this.failWhere((call) => call.subject === subject, error);
  }

  /**
   * A process that nobody seemed to listen for gives a sign of life: it was reconnecting, or the notice was forged. It is sent the same
   * messages once more, and refuses those that it has.
   */
  present(peer: string): void {
    for (const call of this.waiting.values())
      if (call.isUndelivered && call.peer === peer) {
        call.isUndelivered = false;
        call.resend();
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
    for (const { peer } of this.waiting.values()) yield peer;
  }

  private failWhere(applies: (call: Waiting) => boolean, reason: Error): void {
    for (const call of [...this.waiting.values()]) if (applies(call)) call.fail(reason);
  }
}
