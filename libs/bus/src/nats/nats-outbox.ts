import type { NatsConnection } from '@nats-io/transport-node';

/** Maximum number of messages per write. With more, calls that started together stay together, and processes wait for each other. */
const maxBatchSize = 8;

/**
 * Sends messages together, once per turn of the event loop, so that everything read in a turn is answered with one write. Under load,
 * writes took a fifth of the time of a process.
 */
export class NatsOutbox {
  private waiting: [subject: string, payload: Uint8Array, reply: string | undefined][] = [];

  /** @param failed called for a message that cannot be sent, such as on a closed connection */
  constructor(
    private readonly connection: NatsConnection,
    private readonly failed: (error: unknown, subject: string, reply?: string) => void,
  ) {}

  publish(subject: string, payload: Uint8Array, reply?: string): void {
    const waiting = this.waiting.push([subject, payload, reply]);
    if (waiting === 1) setImmediate(() => this.flush());
    if (waiting === maxBatchSize) this.flush();
  }

  /** Sends all waiting messages. */
  flush(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const [subject, payload, reply] of waiting)
      try {
        this.connection.publish(subject, payload, reply === undefined ? {} : { reply });
      } catch (error) {
        this.failed(error, subject, reply);
      }
  }
}
