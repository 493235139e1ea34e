/** How long messages are collected before the server is asked whether it has them: one question for all of them. */
const confirmIntervalMs = 100;
/** The oldest are forgotten beyond this. A call whose response is lost then ends as one of a process that has ended. */
const maxKeptBytes = 8 * 1024 * 1024;

interface Kept {
  send: () => void;
  bytes: number;
}

/**
 * Keeps messages until the server has confirmed that it got them, and sends them again after a lost connection. The server closes the
 * connection of a process that was too busy to answer its pings, and what the process wrote since then is lost without an error.
 * Receivers refuse a message that they already have.
 */
export class Unconfirmed {
  private readonly kept: Kept[] = [];
  private bytes = 0;
  /** Number of messages that were removed from the beginning. */
  private removed = 0;
  /** Counts connections: a confirmation of the server counts only for what was sent on the same one. */
  private connection = 0;
  private connected = true;
  private timer: NodeJS.Timeout | undefined;

  /** @param confirm resolves when everything sent so far has reached the server, and rejects if the connection is lost before */
  constructor(private readonly confirm: () => Promise<void>) {}

  add(send: () => void, bytes: number): void {
    this.kept.push({ send, bytes });
    this.bytes += bytes;
    while (this.bytes > maxKeptBytes && this.kept.length > 1) this.remove(1);
    this.schedule();
  }

  /** Handles the loss of the connection. */
  lost(): void {
    this.connected = false;
    this.connection += 1;
  }

  /** Sends what the server has not confirmed once more. */
  reconnected(): void {
    this.connected = true;
    for (const { send } of this.kept) send();
    this.schedule();
  }

  private schedule(): void {
    if (this.timer !== undefined || !this.connected || this.kept.length === 0) return;
    this.timer = setTimeout(() => void this.ask(), confirmIntervalMs).unref();
  }

  private async ask(): Promise<void> {
    const { connection, connected } = this;
    const end = this.removed + this.kept.length;
    const isConfirmed =
      connected &&
      (await this.confirm().then(
        () => true,
        () => false, // the connection is lost or closed
      ));
    this.timer = undefined;
    if (!isConfirmed || connection !== this.connection) return this.schedule();
    this.remove(end - this.removed);
    this.schedule();
  }

  private remove(count: number): void {
    for (const { bytes } of this.kept.splice(0, Math.max(0, count))) {
      this.bytes -= bytes;
      this.removed += 1;
    }
  }
}
