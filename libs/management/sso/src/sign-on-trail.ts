import { Injectable, Logger } from '@nestjs/common';
import type { SignOnStep } from '#bus';
import { ApiError } from '#contract';
import { ManagementContext } from '#management/core';
import { type Member, type Transaction, wholeOrganization } from '#store';

const log = new Logger('sso');

/** Records sign-ons in the audit trail: they are not calls of the API, which are recorded automatically. */
@Injectable()
export class SignOnTrail {
  constructor(private readonly context: ManagementContext) {}

  /** Records a sign-on in the transaction that creates the session. */
  async recordSuccess(
    tx: Transaction,
    { visit }: SignOnStep,
    { id }: Member,
    ssoId: string,
  ): Promise<void> {
    await this.context.recordVisit(tx, visit, { memberId: id, data: { sso_id: ssoId } });
  }

  /**
   * Runs a step, and records a refusal. Steps without a sign-on are not recorded, because anyone can send any number of
   * them.
   */
  async recordRefusals<T>(
    { organizationId, visit }: SignOnStep,
    step: () => Promise<T>,
  ): Promise<T> {
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
        this.context.recordVisit(tx, visit, { event: 'sso_refused', message, data: { status } }),
      );
      throw error;
    }
  }
}
