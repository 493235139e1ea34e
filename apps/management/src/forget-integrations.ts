import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Bus, maxUnheardMs } from '#bus';

const log = new Logger('integrations');

/**
 * Waits until no connector uses integrations as they were before committed changes of records, so that a credential which was replaced is used by
 * no call that begins after the answer. A connector that does not answer forgets by itself, and its time is waited for.
 */
export async function forgetIntegrations(
  bus: Pick<Bus, 'callAll'>,
  ids: readonly string[],
): Promise<void> {
  const deadline = Date.now() + maxUnheardMs;
  try {
    await Promise.all(
      [...new Set(ids)].map((id) => bus.callAll('integrations.forget', { id }, { deadline })),
    );
  } catch (error) {
    log.warn({ message: 'a connector did not forget an integration', error: String(error) });
    await sleep(Math.max(0, deadline - Date.now()));
  }
}
