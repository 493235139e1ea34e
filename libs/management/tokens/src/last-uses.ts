import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ManagementContext } from '#management/core';

const log = new Logger('tokens');
const minuteMs = 60_000;
const pauseMs = 2_000;
const mostWaiting = 50_000;

/** When tokens were last used: written for many at once, and of each at most once in a minute, whoever else writes it. */
@Injectable()
export class LastUses implements OnModuleDestroy {
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly context: ManagementContext) {}

  /** @param known what the database has. */
  note(tokenId: string, known: Date | null): void {
    if (known !== null && known.getTime() > this.context.clock.now() - minuteMs) return;
    if (this.waiting.size >= mostWaiting) return; // it is noted at its next use
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
        message: 'the last uses of tokens are not noted; their next ones will be',
        tokens: ids.length,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }
}
