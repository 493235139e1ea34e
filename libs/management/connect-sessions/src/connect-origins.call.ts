import { Controller } from '@nestjs/common';
import { type InternalCalls, Serves } from '#bus';
import type { ManagementSchemas } from '#contract';
import { ManagementContext } from '#management/core';
import { wholeOrganization } from '#store';

type Origins = InternalCalls['connect.origins'];

/** Tells the gateway which pages may frame the Connect UI of an organization. */
@Controller()
export class ConnectOriginsCall {
  constructor(private readonly context: ManagementContext) {}

  /** An unknown organization looks like one without origins, so that nobody learns which organizations exist. */
  @Serves('connect.origins')
  async origins({ organization }: Origins['input']): Promise<Origins['output']> {
    const { store } = this.context;
    const organizationId = await store.organizationOf(organization);
    if (organizationId === undefined) return { origins: [] };
    const { options } = await store.read(wholeOrganization(organizationId), (tx) =>
      tx.organization(),
    );
    const connect = options?.['connect'] as ManagementSchemas['ConnectOptions'] | null | undefined;
    return { origins: connect?.origins ?? [] };
  }
}
