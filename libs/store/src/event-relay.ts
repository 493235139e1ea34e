import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a committed transaction had to tell. */
export interface CommittedEvent {
  event: string;
  payload: Record<string, unknown>;
}

/** Listens to the events of committed transactions on a connection of its own, which it makes anew when it is lost. */
export class EventRelay {
  private client: pg.Client | undefined;
  private stopped = false;

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
    this.stopped = true;
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.heard(JSON.parse(payload) as CommittedEvent);
    });
    client.on('error', () => undefined); // 'end' follows
    client.once('end', () => void this.reconnect());
    await client.connect();
    await client.query('listen onefold');
    this.client = client;
  }

  private async reconnect(): Promise<void> {
    for (let wait = 100; !this.stopped; wait = Math.min(wait * 2, 5_000)) {
      await sleep(wait);
      try {
        await this.connect();
        this.missed();
        return;
      } catch {
        // the database is still away; the next round tries again
      }
    }
  }
}
