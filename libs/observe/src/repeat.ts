import { Logger } from '@nestjs/common';

const log = new Logger('repeat');

/** Does work at once, and repeats it until it is stopped. A failure is logged, because the next time may succeed. @param failed the message of the log */
export function repeat(
  failed: string,
  intervalMs: number,
  work: () => Promise<void>,
): { stop: () => void } {
  let busy = false;
  const attempt = () => {
    if (busy) return;
    busy = true;
    work()
      .catch((error: unknown) => log.debug({ message: failed, error: String(error) }))
      .finally(() => (busy = false));
  };
  attempt();
  const timer = setInterval(attempt, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
