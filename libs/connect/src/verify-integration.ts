import { Controller } from '@nestjs/common';
import { type ResolvedIntegration, Serves } from '#bus';
import { Connector } from './connector.js';

/** Time for the calls that try a configuration. */
const budgetMs = 25_000;

/** Tries the configurations of integrations for the management service. */
@Controller()
export class VerifyIntegration {
  constructor(private readonly connector: Connector) {}

  @Serves('integrations.verify')
  async verify(integration: ResolvedIntegration): Promise<{ isTried: boolean }> {
    const deadline = Date.now() + budgetMs;
    const signal = AbortSignal.timeout(budgetMs);
    return { isTried: await this.connector.verify(integration, deadline, signal) };
  }
}
