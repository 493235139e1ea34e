import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import type { Call, ManagementSchemas, Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { type Integration, type Reader, requestBodyQueries } from '#store';

const hourMs = 3_600_000;

/** `/v1/integrations/…/recording`: whether the bodies of an integration's calls are recorded. */
@Controller()
export class RecordingHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('requests_get_recording')
  async get(call: Call<'requests_get_recording'>): Promise<Reply<'requests_get_recording'>> {
    return await this.context.read(call, async (tx) => {
      const { recording } = await find(tx, call.path, 'get');
      return { result: this.view(recording) };
    });
  }

  /** Connectors know it before the response is sent. */
  @Handles('requests_record_bodies')
  async start(call: Call<'requests_record_bodies'>): Promise<Reply<'requests_record_bodies'>> {
    const { caller, body } = call;
    return await this.context.write(call, async (tx) => {
      const integration = await find(tx, call.path, 'getLocked');
      const now = this.context.now();
      const recording = {
        since: now.toISOString(),
        until: new Date(now.getTime() + body.hours * hourMs).toISOString(),
        member_id: caller.memberId,
        token_id: caller.tokenId,
      };
      await tx.integrations.save({ ...integration, recording });
      tx.forget(integration.id);
      return { result: this.view(recording) };
    });
  }

  @Handles('requests_stop_recording')
  async stop(call: Call<'requests_stop_recording'>): Promise<Reply<'requests_stop_recording'>> {
    await this.context.write(call, async (tx) => {
      const integration = await find(tx, call.path, 'getLocked');
      await tx.integrations.save({ ...integration, recording: null });
      await requestBodyQueries.deleteOfIntegration(tx, integration.id);
      tx.forget(integration.id);
    });
    return undefined as Reply<'requests_stop_recording'>;
  }

  private view(recording: Integration['recording']): ManagementSchemas['Recording'] {
    const isActive =
      recording !== null && Date.parse(recording.until) > this.context.now().getTime();
    return isActive ? { active: true, ...recording } : { active: false };
  }
}

async function find(
  tx: Reader,
  { accountId, integrationId }: { accountId: string; integrationId: string },
  how: 'get' | 'getLocked',
): Promise<Integration> {
  const account = await tx.accounts.get(accountId);
  return await tx.integrations[how](integrationId, { accountId: account.id });
}
