import type { Msg } from '@nats-io/transport-node';
import type { Operation } from '#contract';

export type Service = 'gateway' | 'management' | 'connector' | 'operations';

// All subjects of the bus. Subjects of calls end with the name of the addressed process.

/** Returns the subject for the response to a message. The client says an empty text where there is none, although its type says undefined. */
export function replySubject({ reply }: Msg): string | undefined {
  return reply === '' ? undefined : reply;
}

/** Returns the subject of an operation. Connector operations belong to the domain of the token's integration. */
export function subjectOf(operation: Operation, domain: string | undefined): string {
  const owner = operation.side === 'management' ? 'management' : (domain ?? operation.group);
  return operationSubject(owner, operation.id);
}

export const operationSubject = (owner: string, operationId: string): string =>
  `onefold.v1.${owner}.${operationId}`;
/** Returns the owner of the subject of an operation: `management`, a domain, or `hooks`. */
export function ownerOf(subject: string): string | undefined {
  const [, version, owner] = subject.split('.');
  return version === 'v1' ? owner : undefined;
}
export const internalSubject = (name: string): string => `onefold.internal.${name}`;
/** Returns the subject of an internal call that only connectors of one domain can answer. */
export const domainCallSubject = (domain: string, name: string): string =>
  operationSubject(domain, `internal-${name.replaceAll('.', '-')}`);
export const eventSubject = (name: string): string => `onefold.event.${name}`;
/** Returns the subject of a bridge group, which the gateways serve that its agents are connected to. */
export const bridgeSubject = (bridgeId: string): string => `onefold.bridge.${bridgeId}`;
/** Returns the subject for messages to a single process. */
export const processSubject = (processId: string): string => `onefold.process.${processId}`;
/** Returns the subject for responses to a process. @param role of the process, because only processes of its role may subscribe there */
export const inboxSubject = (role: string, processId: string, name: string | number): string =>
  `onefold.inbox.${role}.${processId}.${name}`;
/** The subject for announcements of processes. With a subject for an answer, a question is an operator's for their reports. */
export const presenceSubject = 'onefold.presence';
