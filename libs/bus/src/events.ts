import type { Service } from './subjects.js';

/** What is told to every process. Each names what changed, never how: listeners ask again. */
export interface Events {
  /** Tokens were revoked, renewed or changed; all of an organization's when no ids are given. */
  'token.changed': { organizationId: string; tokenIds?: readonly string[] };
  /** An integration, its point, its credentials or its mappings changed; all of an organization's when no id is given. */
  'integration.changed': { organizationId: string; integrationId?: string };
}

type Payload = Readonly<Record<string, unknown>>;

interface EventRules {
  publishedBy: readonly Service[];
  heardBy: readonly Service[];
  /** Whether a payload is one of the event: another version of a process may send what this one does not know. */
  isValid: (payload: Payload) => boolean;
}

/** The NATS permissions of the services follow from these. */
export const eventRules: Readonly<Record<keyof Events, EventRules>> = {
  'token.changed': {
    publishedBy: ['management'],
    heardBy: ['gateway'],
    isValid: ({ organizationId, tokenIds }) =>
      typeof organizationId === 'string' &&
      (tokenIds === undefined ||
        (Array.isArray(tokenIds) && tokenIds.every((id) => typeof id === 'string'))),
  },
  'integration.changed': {
    publishedBy: ['management'],
    heardBy: ['connector'],
    isValid: ({ organizationId, integrationId }) =>
      typeof organizationId === 'string' &&
      (integrationId === undefined || typeof integrationId === 'string'),
  },
};

/** @throws Error when the bytes are not such an event */
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
