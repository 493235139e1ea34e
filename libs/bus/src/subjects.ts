import type { Operation } from '#contract';

export type Service = 'gateway' | 'management' | 'connector';

// All subjects of the bus. Calls end with the name of the process they are addressed to.

/** The subject of an operation: connector operations belong to the category of the token's integration. */
export function subjectOf(operation: Operation, category: string | undefined): string {
  const owner = operation.side === 'management' ? 'management' : (category ?? operation.group);
  return operationSubject(owner, operation.id);
}

export const operationSubject = (owner: string, operationId: string): string =>
  `onefold.v1.${owner}.${operationId}`;
export const internalSubject = (name: string): string => `onefold.internal.${name}`;
export const eventSubject = (name: string): string => `onefold.event.${name}`;
/** What a process is told alone. */
export const processSubject = (processId: string): string => `onefold.process.${processId}`;
/** What a process asked for. @param role what the process is, so that only processes of its kind may listen there */
export const inboxSubject = (role: string, processId: string, name: string | number): string =>
  `onefold.inbox.${role}.${processId}.${name}`;
/** Where processes tell what they serve. */
export const presenceSubject = 'onefold.presence';
