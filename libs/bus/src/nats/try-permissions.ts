import { errors, type NatsConnection } from '@nats-io/transport-node';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connectOnce } from './connect-once.js';
import { type BusRole, subjectPermissions } from './nats-permissions.js';
import { natsHosts, type NatsSettings } from './nats-settings.js';

/** Difference between what a NATS user may do and what its process needs. Entries are such as `publish onefold.bridge.*.*`. */
export interface TriedPermissions {
  /** Subjects that the process needs and NATS refuses. */
  missing: string[];
  /** Subjects that NATS allows although only other processes need them. */
  excess: string[];
}

/** A connection for questions: it is tried once, and ends with them. */
export interface NatsProbe {
  /** Addresses without credentials. */
  readonly hosts: string;
  readonly version: string;
  /** The largest message that the server accepts. */
  readonly maxPayloadBytes: number;
  tryPermissions(role: BusRole, others: readonly BusRole[]): Promise<TriedPermissions>;
  close(): Promise<void>;
}

/** Takes the place of wildcards. No process, inbox or bridge has this name, so nobody listens at these subjects. */
const placeholder = 'doctor';

/** Connects to NATS once. @throws StartError for contradictory settings, Error that says why there is no connection */
export async function probeNats(settings: NatsSettings): Promise<NatsProbe> {
  const hosts = natsHosts(settings);
  const connection = await connectOnce(settings);
  return {
    hosts,
    version: connection.info?.version ?? 'unknown',
    maxPayloadBytes: connection.info?.max_payload ?? 0,
    tryPermissions: (role, others) => tryPermissions(connection, role, others),
    close: () => connection.close(),
  };
}

/**
 * Tries every kind of subject of the bus: publishes empty messages where nobody listens, and subscribes for a moment. Events and
 * announcements have subjects without a free part, so publishing one would reach processes: that is not tried.
 */
async function tryPermissions(
  connection: NatsConnection,
  role: BusRole,
  others: readonly BusRole[],
): Promise<TriedPermissions> {
  const own = subjectPermissions(role);
  const all = [role, ...others].map(subjectPermissions);
  const refused = new Set<string>();
  const listening = collectRefusals(connection, refused);
  const result: TriedPermissions = { missing: [], excess: [] };
  const tried: { verb: 'publish' | 'subscribe'; pattern: string; isOwn: boolean }[] = [];
  for (const verb of ['publish', 'subscribe'] as const)
    for (const pattern of new Set(all.flatMap((one) => one[verb]))) {
      if (verb === 'publish' && !pattern.includes('*')) continue;
      const subject = untakenSubject(pattern);
      tried.push({ verb, pattern, isOwn: own[verb].some((one) => covers(one, subject)) });
      if (verb === 'publish') connection.publish(subject);
      else connection.subscribe(subject, { callback: () => undefined });
    }
  await connection.flush();
  await nextTurn(); // the refusals arrived before the flush was confirmed, and are read from a queue
  for (const { verb, pattern, isOwn } of tried) {
    const isAllowed = !refused.has(`${verb} ${untakenSubject(pattern)}`);
    if (isOwn && !isAllowed) result.missing.push(`${verb} ${pattern}`);
    if (!isOwn && isAllowed) result.excess.push(`${verb} ${pattern}`);
  }
  await connection.close();
  await listening;
  return result;
}

async function collectRefusals(connection: NatsConnection, refused: Set<string>): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type !== 'error' || !(status.error instanceof errors.PermissionViolationError))
      continue;
    const { operation, subject } = status.error;
    refused.add(`${operation === 'publish' ? 'publish' : 'subscribe'} ${subject}`);
  }
}

/** Returns a subject of a permission at which nobody listens. */
export function untakenSubject(pattern: string): string {
  return pattern.replaceAll('*', placeholder);
}

/** Whether a subject of a permission, in which `*` is any one part, includes a subject. */
function covers(pattern: string, subject: string): boolean {
  const parts = subject.split('.');
  const wanted = pattern.split('.');
  return (
    wanted.length === parts.length && wanted.every((one, at) => one === '*' || one === parts[at])
  );
}
