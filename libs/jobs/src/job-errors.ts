import { storableText } from '#contract';
import type { AsyncOperation } from '#store';

/** Errors that a job keeps: the newest. */
export const maxErrors = 100;

/** Adds an error to those of a job, which the caller saves. */
export function noteError(job: AsyncOperation, message: string): void {
  job.errors = [...(job.errors ?? []), { message: storableText(message) }].slice(-maxErrors);
}
