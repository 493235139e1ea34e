import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

/** An event of a committed transaction. */
export interface CommittedEvent {
  event: string;
  payload: Record<string, unknown>;
}

/** Listens to the events of committed transactions on a connection of its own, and reconnects when it is lost. */
export class EventRelay {
  private client: pg.Client | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly url: string,
    private readonly heard: (event: CommittedEvent) => void,
    /** Runs when events may have been missed. */
    private readonly missed: () => void,
  ) {}

  async start(): Promise<void> {
    await this.connect();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.client?.end();
  }

  /** Sends an event about changes to all who listen, this one too. Their channel is one that versions without them do not listen to. */
  async notify(event: CommittedEvent): Promise<void> {
    if (this.client === undefined) throw new Error('the event relay is not connected');
    await this.client.query('select pg_notify($1, $2)', ['onefold_changes', JSON.stringify(event)]);
  }

  /** Gives up a connection that does not answer; another one follows. */
  giveUp(): void {
    const socket = (this.client as unknown as { connection: pg.Connection } | undefined)
      ?.connection;
    socket?.stream.destroy();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.heard(JSON.parse(payload) as CommittedEvent);
    });
    client.on('error', () => undefined); // 'end' follows
    try {
      await client.connect();
      // Its notifications need not survive a crash of the database, which ends all who listen.
      await client.query('set synchronous_commit to off; listen onefold; listen onefold_changes');
    } catch (error) {
      await client.end().catch(() => undefined); // whoever called tries again, or tells
      throw error;
    }
    // Only now, because a client that never connected ends too, and must not start a second loop.
    client.once('end', () => void this.reconnect());
    this.client = client;
    if (this.stopped) await client.end();
  }

  private async reconnect(): Promise<void> {
    for (let wait = 100; !this.stopped; wait = Math.min(wait * 2, 5_000)) {
      await sleep(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopped) return;
      try {
        await this.connect();
      } catch {
        continue; // the database is still away
      }
      this.missed();
      return;
    }
  }
}
