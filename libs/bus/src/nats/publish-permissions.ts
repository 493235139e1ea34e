import type { NatsConnection } from '@nats-io/transport-node';
import { untakenSubject } from './try-permissions.js';

/** The subjects to which NATS lets a process publish: it tries each, and remembers what was refused. */
export class PublishPermissions {
  private readonly denied = new Set<string>();

  /** @param patterns of the subjects that the process needs, such as `onefold.bridge.*.*` */
  constructor(
    private readonly connection: NatsConnection,
    private readonly patterns: readonly string[],
  ) {}

  /** Publishes where nobody listens. NATS answers what it refuses with an error of the connection. */
  try(): void {
    this.denied.clear();
    for (const pattern of this.patterns)
      if (pattern.includes('*')) this.connection.publish(untakenSubject(pattern));
  }

  /** Handles an error that names a subject. */
  refused(subject: string): void {
    this.denied.add(subject);
  }

  /** @throws Error that names a refused subject, and the remedy */
  check(): void {
    const [subject] = this.denied;
    if (subject === undefined) return;
    this.try(); // They may have been mended without a new connection: the next check knows.
    throw new Error(
      `NATS does not let this process publish to ${subject}: give its user the permissions that npm run -s admin -- nats-permissions prints`,
    );
  }
}
