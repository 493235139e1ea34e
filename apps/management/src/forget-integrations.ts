import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Bus, type Events, maxUnheardMs } from '#bus';
import type { CommittedEvent } from '#store';

const log = new Logger('integrations');

/**
 * Waits until no connector uses an integration as it was before a committed change, so that a credential which was replaced is used by
 * no call that begins after the answer. A connector that does not answer forgets by itself, and its time is waited for.
 */
export async function forgetIntegrations(
  bus: Pick<Bus, 'callAll'>,
  events: readonly CommittedEvent[],
): Promise<void> {
  const changed = events.flatMap(({ event, payload }) =>
    event === 'integration.changed' ? [payload as Events['integration.changed']] : [],
  );
  if (changed.length === 0) return;
  const ids = new Set(changed.map(({ integrationId }) => integrationId));
  const deadline = Date.now() + maxUnheardMs;
  try {
    const all = ids.has(undefined) ? [undefined] : [...ids];
    await Promise.all(
      all.map((integrationId) =>
        bus.callAll('integrations.forget', integrationId ? { integrationId } : {}, { deadline }),
      ),
    );
  } catch (error) {
    log.warn({ message: 'a connector did not forget an integration', error: String(error) });
    await sleep(Math.max(0, deadline - Date.now()));
  }
}
