import type { NatsLink } from './nats-link.js';
import { Kind } from './sealed-message.js';
import { presenceSubject } from './subjects.js';

/** Heals what was missed; everything else is told when it happens. */
const announceIntervalMs = 10_000;
/** Processes answer at once when they are asked what they serve. */
const askPatienceMs = 300;

/** A process that serves something. */
export interface Listed {
  readonly id: string;
  subjects: ReadonlySet<string>;
  /** It takes no new calls. */
  isLeaving: boolean;
  /** NATS says that nobody listens there; it is asked again before it counts as gone. */
  isAbsent: boolean;
  /** Calls of this process that it works on. */
  calls: number;
}

/** What processes tell of themselves. */
interface Presence {
  state: 'asking' | 'here' | 'leaving' | 'left';
  subjects?: readonly string[];
}

/**
 * Which processes serve what. A call is addressed to one of them, so that its sender knows whom it waits for, and a message that is
 * delivered to another process as well is not valid there.
 */
export class Directory {
  private readonly processes = new Map<string, Listed>();
  private readonly bySubject = new Map<string, Listed[]>();
  private readonly served = new Set<string>();
  private readonly waiting = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  private state: 'starting' | 'here' | 'leaving' = 'starting';
  private askedAt = 0;
  private turn = 0;

  /** @param left hears of a process that has ended in order: it has answered all it took */
  constructor(
    private readonly link: NatsLink,
    private readonly left: (id: string) => void,
  ) {
    link.listen(presenceSubject, (message) => {
      const opened = link.open(message, [Kind.presence]);
      if (opened !== undefined) this.hear(opened.sender, opened.head);
    });
    this.timer = setInterval(() => this.announce(), announceIntervalMs).unref();
    this.ask();
  }

  /** A subject that this process serves; others hear of it with the next announcement. */
  add(subject: string): void {
    this.served.add(subject);
  }

  /** Calls may come from now on. */
  open(): void {
    this.state = 'here';
    this.announce();
  }

  /** No call shall come any more. */
  leave(): void {
    this.state = 'leaving';
    if (this.served.size > 0) this.tell({ state: 'leaving' });
  }

  get isLeaving(): boolean {
    return this.state === 'leaving';
  }

  /** Everything that this process took has been answered. */
  close(): void {
    clearInterval(this.timer);
    if (this.served.size > 0) this.tell({ state: 'left' });
  }

  /** After a lost connection: much may have changed. */
  resume(): void {
    this.ask();
    this.announce();
  }

  /** Asks all processes what they serve. */
  private ask(): void {
    this.askedAt = Date.now();
    this.tell({ state: 'asking' });
  }

  /** The less busy one of two that serve a subject. @param except processes that did not take the call */
  pick(subject: string, except?: ReadonlySet<string>): Listed | undefined {
    let all = this.bySubject.get(subject);
    if (all === undefined) return undefined;
    const [only] = all;
    if (all.length === 1 && except === undefined && only?.isLeaving === false) return only;
    all = all.filter(({ id, isLeaving }) => !isLeaving && except?.has(id) !== true);
    const present = all.filter(({ isAbsent }) => !isAbsent);
    const candidates = present.length > 0 ? present : all;
    // In turn, so that equals share the work; the other one where it has fewer calls.
    this.turn = (this.turn + 1) % Number.MAX_SAFE_INTEGER;
    const one = candidates[this.turn % candidates.length];
    const other = candidates[(this.turn + 1) % candidates.length];
    return one !== undefined && other !== undefined && other.calls < one.calls ? other : one;
  }

  /** Like `pick`, and asks around when nobody is known: a process may have started this moment. */
  async find(subject: string, except?: ReadonlySet<string>): Promise<Listed | undefined> {
    const until = Date.now() + askPatienceMs;
    for (;;) {
      const found = this.pick(subject, except);
      const left = until - Date.now();
      if (found !== undefined || left <= 0) return found;
      if (Date.now() - this.askedAt > askPatienceMs) this.ask();
      await this.news(left);
    }
  }

  /** Takes a process that is gone out of the list. */
  remove(id: string): void {
    const known = this.processes.get(id);
    if (known === undefined) return;
    this.processes.delete(id);
    for (const subject of known.subjects) {
      const others = this.bySubject.get(subject)?.filter((one) => one !== known) ?? [];
      if (others.length > 0) this.bySubject.set(subject, others);
      else this.bySubject.delete(subject);
    }
  }

  setAbsent(id: string, isAbsent: boolean): void {
    const known = this.processes.get(id);
    if (known !== undefined) known.isAbsent = isAbsent;
  }

  private announce(): void {
    if (this.state === 'here') this.tell({ state: 'here', subjects: [...this.served] });
  }

  private tell(presence: Presence): void {
    this.link.publish(
      Kind.presence,
      { subject: presenceSubject },
      { head: JSON.stringify(presence) },
    );
  }

  private hear(id: string, head: string): void {
    const { state, subjects = [] } = JSON.parse(head) as Presence;
    if (state === 'asking') this.announce();
    else if (state === 'here') this.list(id, subjects);
    else if (state === 'leaving') {
      const known = this.processes.get(id);
      if (known !== undefined) known.isLeaving = true;
    } else if (state === 'left') {
      this.remove(id);
      this.left(id);
    }
  }

  private list(id: string, subjects: readonly string[]): void {
    let known = this.processes.get(id);
    if (known === undefined)
      known = { id, subjects: new Set(), isLeaving: false, isAbsent: false, calls: 0 };
    known.isAbsent = false;
    const { subjects: before } = known;
    if (before.size !== subjects.length || !subjects.every((one) => before.has(one))) {
      this.remove(id);
      known.subjects = new Set(subjects);
      this.processes.set(id, known);
      for (const subject of known.subjects)
        this.bySubject.set(subject, [...(this.bySubject.get(subject) ?? []), known]);
    }
    for (const settle of [...this.waiting]) settle();
  }

  /** Resolves when a process tells what it serves, or after the time. */
  private async news(withinMs: number): Promise<void> {
    await new Promise<void>((settle) => {
      const end = () => {
        clearTimeout(timer);
        this.waiting.delete(end);
        settle();
      };
      const timer = setTimeout(end, withinMs);
      this.waiting.add(end);
    });
  }
}
