import type { Directory } from './directory.js';
import type { NatsLink } from '../nats-link.js';
import type { FrameHandler, Offer } from '../../transport.js';

/** The subjects of a process that come and go. Their subscriptions stay, so that a call that is under way when one goes is handed back. */
export class OfferedSubjects {
  /** Undefined for a subject that has gone. */
  private readonly handlers = new Map<string, FrameHandler | undefined>();

  constructor(
    private readonly link: NatsLink,
    private readonly directory: Directory,
  ) {}

  /** True if the process has not subscribed to the subject. */
  isNew(subject: string): boolean {
    return !this.handlers.has(subject);
  }

  handlerOf(subject: string): FrameHandler | undefined {
    return this.handlers.get(subject);
  }

  /** Announces a subject as soon as the server has its subscription. */
  add(subject: string, handler: FrameHandler): Offer {
    this.handlers.set(subject, handler);
    const isOffered = () => this.handlers.get(subject) === handler;
    let share = 1;
    let isAnnounced = false;
    void this.link.flush().then(
      () => {
        if (!isOffered()) return;
        isAnnounced = true;
        this.directory.offer(subject, share);
      },
      () => undefined, // the connection is closed
    );
    return {
      setShare: (newShare) => {
        if (newShare === share) return;
        share = newShare;
        if (isAnnounced && isOffered()) this.directory.offer(subject, share);
      },
      stop: () => {
        if (!isOffered()) return;
        this.handlers.set(subject, undefined);
        this.directory.withdraw(subject);
      },
    };
  }
}
