import { createHash } from 'node:crypto';
import type { NatsLink } from '../nats-link.js';
import { Kind } from '../../messages/sealed-message.js';
import { ownerOf, presenceSubject, processSubject, replySubject } from '../../subjects.js';

/** The shortest interval of announcements. */
const minIntervalMs = 10_000;
/** Every process hears one announcement in this time at most, so that their traffic grows with the number of processes and not with its square. */
const msPerProcess = 100;
/** How long to wait for announcements after a query; processes respond immediately. */
const askPatienceMs = 300;
/** A process with more gets no more calls than with these, so that the turns of a subject stay a short list. */
const maxShare = 16;

/** A process that serves at least one subject. */
export interface Listed {
  readonly id: string;
  /** The share of each subject: one with 2 gets twice as many calls as one with 1. */
  subjects: ReadonlyMap<string, number>;
  /** The digest that it told of its subjects; undefined for one of a version without them. */
  digest: string | undefined;
  /** True if it accepts no new calls. */
  isLeaving: boolean;
  /** True if NATS reports that it does not listen; it is pinged again before it counts as gone. */
  isAbsent: boolean;
  /** Number of calls from this process in progress there. */
  calls: number;
}

/** The announcement of a process. */
interface Presence {
  /** `same` repeats what a process serves by its digest alone. Versions before ignore it, and announce `here` in its place. */
  state: 'asking' | 'here' | 'same' | 'leaving' | 'left';
  subjects?: readonly string[];
  /** The shares that are not 1. Versions without shares ignore it. */
  shares?: Readonly<Record<string, number>>;
  /** Changes with subjects and shares; empty for a process that serves nothing. */
  digest?: string;
  /** How the answers to a question come to the process that asks: each for itself, as `here` or as `same`. Versions before answer to all. */
  answers?: 'here' | 'same';
}

/** Returns the interval of announcements, which make up for missed ones; changes are announced immediately. @param processes that are known */
export function announceIntervalMs(processes: number): number {
  return Math.max(minIntervalMs, processes * msPerProcess);
}

/**
 * Knows which processes serve which subjects. Each call is addressed to one process, so that the sender knows for which process it waits,
 * and a message that is also delivered to another process is not valid there.
 */
export class Directory {
  private readonly processes = new Map<string, Listed>();
  /** Each process as often as its share says. */
  private readonly bySubject = new Map<string, Listed[]>();
  private readonly served = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private timer: NodeJS.Timeout;
  private state: 'starting' | 'here' | 'leaving' = 'starting';
  private askedAt = 0;
  /** When another process last announced itself, in milliseconds of `performance.now()`. */
  heardAt = -Infinity;
  private turn = 0;

  /**
   * @param left called for a process that has stopped cleanly, after answering all its calls
   * @param asked called for an operator's question, with the subject for the answer
   */
  constructor(
    private readonly link: NatsLink,
    private readonly left: (id: string) => void,
    asked: (reply: string) => void,
  ) {
    link.listen(presenceSubject, (message) => {
      const opened = link.open(message, [Kind.presence]);
      if (opened === undefined) return;
      this.hear(opened);
      const reply = replySubject(message);
      if (reply !== undefined) asked(reply);
    });
    this.timer = this.announceLater();
    this.ask('here');
  }

  /** Adds a subject that this process serves; the next announcement includes it. */
  add(subject: string): void {
    this.served.set(subject, 1);
  }

  /** Adds a subject, or changes its share, and announces it at once. */
  offer(subject: string, share: number): void {
    this.served.set(subject, share);
    this.announce();
  }

  /** Removes a subject, and announces that at once. */
  withdraw(subject: string): void {
    this.served.delete(subject);
    this.announce();
  }

  /** Announces that this process accepts calls. */
  open(): void {
    this.state = 'here';
    this.announce();
  }

  /** Announces that this process accepts no more calls. */
  leave(): void {
    this.state = 'leaving';
    if (this.served.size > 0) this.tell({ state: 'leaving' });
  }

  get isLeaving(): boolean {
    return this.state === 'leaving';
  }

  /** Announces that this process has answered all its calls. */
  close(): void {
    clearTimeout(this.timer);
    if (this.served.size > 0) this.tell({ state: 'left' });
  }

  /** Refreshes the directory after a lost connection. */
  resume(): void {
    this.ask('same');
    this.announce('same');
  }

  /** Asks all processes for their announcements. */
  private ask(answers: 'here' | 'same'): void {
    this.askedAt = Date.now();
    this.tell({ state: 'asking', answers });
  }

  /** Picks the less busy of two processes that serve a subject. @param except processes that did not accept the call */
  pick(subject: string, except?: ReadonlySet<string>): Listed | undefined {
    let all = this.bySubject.get(subject);
    if (all === undefined) return undefined;
    const [only] = all;
    if (all.length === 1 && except === undefined && only?.isLeaving === false) return only;
    all = all.filter(({ id, isLeaving }) => !isLeaving && except?.has(id) !== true);
    const present = all.filter(({ isAbsent }) => !isAbsent);
    const candidates = present.length > 0 ? present : all;
    // Processes take turns; the next one is used instead if it has fewer calls for its share.
    this.turn = (this.turn + 1) % Number.MAX_SAFE_INTEGER;
    const one = candidates[this.turn % candidates.length];
    const other = candidates[(this.turn + 1) % candidates.length];
    if (one === undefined || other === undefined) return one;
    const shareOf = ({ subjects }: Listed) => subjects.get(subject) ?? 1;
    return other.calls * shareOf(one) < one.calls * shareOf(other) ? other : one;
  }

  /** Returns the processes that serve a subject, those that stop too. */
  all(subject: string): readonly Listed[] {
    return [...new Set(this.bySubject.get(subject))];
  }

  /** True if another process is known to serve a subject and to listen. */
  hasOther(subject: string, id: string): boolean {
    const all = this.bySubject.get(subject) ?? [];
    return all.some((one) => one.id !== id && !one.isLeaving && !one.isAbsent);
  }

  /** Lists the other processes that serve something, with the owners of their subjects. */
  peers(): { process: string; serves: string[] }[] {
    return [...this.processes.values()].flatMap(({ id, subjects, isLeaving }) => {
      if (id === this.link.processId || isLeaving) return [];
      const owners = [...subjects.keys()].flatMap((subject) => ownerOf(subject) ?? []);
      return [{ process: id, serves: [...new Set(owners)].sort() }];
    });
  }

  /** Like `pick`, but asks all processes if none is known, because one may have just started. */
  async find(subject: string, except?: ReadonlySet<string>): Promise<Listed | undefined> {
    const until = Date.now() + askPatienceMs;
    for (;;) {
      const found = this.pick(subject, except);
      const left = until - Date.now();
      if (found !== undefined || left <= 0) return found;
      if (Date.now() - this.askedAt > askPatienceMs) this.ask('here');
      await this.news(left);
    }
  }

  /** Removes a process that has ended. */
  remove(id: string): void {
    const known = this.processes.get(id);
    if (known === undefined) return;
    this.processes.delete(id);
    for (const subject of known.subjects.keys()) {
      const others = this.bySubject.get(subject)?.filter((one) => one !== known) ?? [];
      if (others.length > 0) this.bySubject.set(subject, others);
      else this.bySubject.delete(subject);
    }
  }

  setAbsent(id: string, isAbsent: boolean): void {
    const known = this.processes.get(id);
    if (known !== undefined) known.isAbsent = isAbsent;
  }

  private announceLater(): NodeJS.Timeout {
    const again = () => {
      this.announce('same');
      this.timer = this.announceLater();
    };
    return setTimeout(again, announceIntervalMs(this.processes.size)).unref();
  }

  /** @param subject that of a process that has asked, or the one of all */
  private announce(state: 'here' | 'same' = 'here', subject = presenceSubject): void {
    if (this.state !== 'here') return;
    const subjects = [...this.served.keys()];
    const shares = Object.fromEntries([...this.served].filter(([, share]) => share !== 1));
    const digest = digestOf(this.served);
    this.tell(state === 'same' ? { state, digest } : { state, subjects, shares, digest }, subject);
  }

  private tell(presence: Presence, subject: string = presenceSubject): void {
    this.link.publish(Kind.presence, { subject }, { head: JSON.stringify(presence) });
  }

  /** Handles an announcement, to all or to this process alone. */
  hear({ sender, head }: { sender: string; head: string }): void {
    const { state, subjects = [], shares = {}, digest, answers } = JSON.parse(head) as Presence;
    if (sender !== this.link.processId) this.heardAt = performance.now();
    if (state === 'asking')
      this.announce(
        answers === 'same' ? 'same' : 'here',
        answers === undefined ? presenceSubject : processSubject(sender),
      );
    else if (state === 'here') {
      const shared = new Map(subjects.map((one) => [one, shareFrom(shares[one])]));
      this.list(sender, shared, digest);
    } else if (state === 'same') this.compare(sender, digest);
    else if (state === 'leaving') {
      const known = this.processes.get(sender);
      if (known !== undefined) known.isLeaving = true;
    } else if (state === 'left') {
      this.remove(sender);
      this.left(sender);
    }
  }

  /** Asks a process for what it serves, if this one has missed it. */
  private compare(id: string, digest: string | undefined): void {
    const known = this.processes.get(id);
    if (digest === '') this.remove(id);
    else if (known !== undefined && known.digest === digest) known.isAbsent = false;
    else this.tell({ state: 'asking', answers: 'here' }, processSubject(id));
  }

  private list(id: string, subjects: ReadonlyMap<string, number>, digest?: string): void {
    let known = this.processes.get(id);
    known ??= { id, subjects, digest, isLeaving: false, isAbsent: false, calls: 0 };
    known.isAbsent = false;
    known.digest = digest;
    if (!this.processes.has(id) || !areEqual(known.subjects, subjects)) {
      this.remove(id);
      known.subjects = subjects;
      if (subjects.size > 0) this.processes.set(id, known);
      for (const [subject, share] of subjects) {
        const others = this.bySubject.get(subject) ?? [];
        this.bySubject.set(subject, [...others, ...new Array<Listed>(share).fill(known)]);
      }
    }
    for (const settle of [...this.waiting]) settle();
  }

  /** Resolves when a process announces itself, or after a timeout. */
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

/** Reads a share, which another version may have written differently. */
function shareFrom(value: unknown): number {
  return Number.isInteger(value) ? Math.min(Math.max(Number(value), 1), maxShare) : 1;
}

/** Returns a short text that changes with subjects and shares. */
function digestOf(served: ReadonlyMap<string, number>): string {
  if (served.size === 0) return '';
  const lines = [...served].map(([subject, share]) => `${subject} ${share}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('base64url').slice(0, 16);
}

function areEqual(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}
