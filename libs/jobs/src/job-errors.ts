import { storableText } from '#contract';
import type { Value } from '@onefold/mapping';
import type { AsyncOperation } from '#store';

/** Errors that a job keeps: the newest. */
export const maxErrors = 100;

/** Maximum number of characters of one problem. */
const maxProblemLength = 1_000;

/** Adds an error to those of a job, which the caller saves. */
export function noteError(job: AsyncOperation, message: string): void {
  job.errors = [...(job.errors ?? []), { message: storableText(message) }].slice(-maxErrors);
}

/** Returns the messages of the informational problems of a response, such as of records that a list left out. */
export function problemsOf(response: Record<string, Value>): string[] {
  const { problems } = (response['messages'] ?? {}) as { problems?: { message: string }[] | null };
  return (problems ?? []).map(({ message }) => message.slice(0, maxProblemLength));
}
