import type { Service } from './subjects.js';

/** A cache that depends on events forgets by itself after this time, because an event may be lost. */
export const maxUnheardMs = 1_000;

/** Events for every process. Each says what changed but not how, so listeners must read it again. */
export interface Events {
  /**
   * Records that look-ups of tokens and integrations read were changed: each as the id that it concerns (of the record, its account or its
   * organization), a space, and the transaction.
   */
  'records.changed': { changes: readonly string[] };
  /** The credential of a bridge group is not valid any more; without an id, those of groups of the organization that were deleted. */
  'bridge.changed': { organizationId: string; bridgeId?: string };
}

type Payload = Readonly<Record<string, unknown>>;

interface EventRules {
  publishedBy: readonly Service[];
  heardBy: readonly Service[];
  /** Checks the payload of an event, because a process of another version may send an unknown one. */
  isValid: (payload: Payload) => boolean;
}

/** The NATS permissions of the services are derived from these. */
export const eventRules: Readonly<Record<keyof Events, EventRules>> = {
  'records.changed': {
    publishedBy: ['management'],
    heardBy: ['gateway', 'connector'],
    isValid: ({ changes }) =>
      Array.isArray(changes) && changes.every((one) => typeof one === 'string'),
  },
  'bridge.changed': {
    publishedBy: ['management'],
    heardBy: ['gateway'],
    isValid: ({ organizationId, bridgeId }) =>
      typeof organizationId === 'string' &&
      (bridgeId === undefined || typeof bridgeId === 'string'),
  },
};

/** @throws Error if the bytes are not a valid event */
export function readEvent<Name extends keyof Events>(name: Name, bytes: Uint8Array): Events[Name] {
  const payload: unknown = JSON.parse(Buffer.from(bytes).toString());
  if (
    typeof payload !== 'object' ||
    payload === null ||
    !eventRules[name].isValid(payload as Payload)
  )
    throw new Error(`the payload is not a valid ${name} event`);
  return payload as Events[Name];
}
