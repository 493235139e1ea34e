import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type InternalContext, type ResolvedIntegration, Serves, type Verification } from '#bus';
import { Connector } from '../connector.js';

/** Time for the calls that try a configuration. */
const budgetMs = 25_000;

/** Tries the configurations of integrations for the management service. */
@Controller()
export class VerifyIntegration {
  constructor(private readonly connector: Connector) {}

  @Serves('integrations.verify')
  async verify(
    @Payload() integration: ResolvedIntegration,
    @Ctx() context: InternalContext,
  ): Promise<Verification> {
    const deadline = Date.now() + budgetMs;
    const signal = AbortSignal.any([AbortSignal.timeout(budgetMs), context.signal()]);
    const checks = await this.connector.verify(integration, deadline, signal);
    const records = await this.connector.verifyRecords(integration, deadline, signal);
    return { ...records, ...(checks && { checks, isTried: true }) };
  }
}
