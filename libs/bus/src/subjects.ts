import type { Operation } from '#contract';

/** The subject of an operation: connector operations belong to the category of the token's integration. */
export function subjectOf(operation: Operation, category: string | undefined): string {
  const owner = operation.side === 'management' ? 'management' : (category ?? operation.group);
  return `onefold.v1.${owner}.${operation.id}`;
}

export const internalSubject = (name: string): string => `onefold.internal.${name}`;
export const eventSubject = (name: string): string => `onefold.event.${name}`;
