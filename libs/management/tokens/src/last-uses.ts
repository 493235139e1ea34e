import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ManagementContext } from '#management/core';

const log = new Logger('tokens');
const minuteMs = 60_000;
const pauseMs = 2_000;
const maxWaiting = 50_000;

/** Stores when tokens were last used: for many at once, and for each at most once a minute across all processes. */
@Injectable()
export class LastUses implements OnModuleDestroy {
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly context: ManagementContext) {}

  /** Notes a use. @param known the stored time */
  note(tokenId: string, known: Date | null): void {
    if (known !== null && known.getTime() > this.context.clock.now() - minuteMs) return;
    if (this.waiting.size >= maxWaiting) return; // The next use of the token is noted instead.
    this.waiting.add(tokenId);
    this.timer ??= setTimeout(() => void this.flush(), pauseMs).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const ids = [...this.waiting];
    this.waiting.clear();
    if (ids.length === 0) return;
    try {
      await this.context.store.noteUses(ids, this.context.now());
    } catch (error) {
      log.warn({
        message: 'last uses of tokens not stored',
        tokens: ids.length,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }
}
