import { Controller } from '@nestjs/common';
import { type InternalCalls, Serves } from '#bus';
import { ChangeFeed, type ConfirmedChanges } from '#store';

/** Tells processes that remember look-ups which records have changed. */
@Controller()
export class ConfirmChanges {
  constructor(private readonly feed: ChangeFeed) {}

  @Serves('changes.confirm')
  async confirm({ after }: InternalCalls['changes.confirm']['input']): Promise<ConfirmedChanges> {
    return await this.feed.confirm(after);
  }
}
