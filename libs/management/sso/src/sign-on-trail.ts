import { Injectable, Logger } from '@nestjs/common';
import type { SignOnStep } from '#bus';
import { ApiError } from '#contract';
import { ManagementContext } from '#management/core';
import { type Member, type Transaction, wholeOrganization } from '#store';

const log = new Logger('sso');

/** What the audit trail has of sign-ons: they are no calls of the API, which would be there by themselves. */
@Injectable()
export class SignOnTrail {
  constructor(private readonly context: ManagementContext) {}

  /** In the transaction that makes the session. */
  async succeeded(
    tx: Transaction,
    { visit }: SignOnStep,
    { id }: Member,
    ssoId: string,
  ): Promise<void> {
    await this.context.visited(tx, visit, { memberId: id, data: { sso_id: ssoId } });
  }

  /** Runs a step; when it refuses, that is recorded. Not so for steps of no sign-on: strangers can take any number of these. */
  async refusals<T>({ organizationId, visit }: SignOnStep, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof ApiError) || error.options.kind === 'no-sign-on') throw error;
      const { message, status } = error;
      log.warn({
        message: 'sign-on refused',
        request_id: visit.requestId,
        organization_id: organizationId,
        status,
        reason: message,
      });
      await this.context.store.write(wholeOrganization(organizationId), (tx) =>
        this.context.visited(tx, visit, { event: 'sso_refused', message, data: { status } }),
      );
      throw error;
    }
  }
}
