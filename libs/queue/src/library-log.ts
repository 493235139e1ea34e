import { Logger } from '@nestjs/common';
import type { Logger as LibraryLogger } from 'graphile-worker';

const log = new Logger('queue');

/** The library's log without its lines about single tasks, which are logged here with their names and without stacks. */
export async function quietLogger(): Promise<LibraryLogger> {
  const { Logger: Quiet } = await import('graphile-worker');
  return new Quiet(() => (level, message, meta) => {
    // Places share connections, which they use for moments: fewer connections than places are meant.
    if (message.includes('maxPoolSize')) return;
    const isImportant = ['error', 'warning'].includes(level) && meta?.['failure'] !== true;
    if (isImportant) log.warn({ message: 'queue error', error: message.split('\n', 1)[0] });
  });
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
