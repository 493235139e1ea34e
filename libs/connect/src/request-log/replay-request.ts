import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type InternalContext, type ReplayedCall, type ResolvedIntegration, Serves } from '#bus';
import type { ManagementSchemas } from '#contract';
import { findDifference } from '#patch';
import { compileProviders } from '#provider-document';
import { Connector } from '../connector.js';
import { documentProvider } from '../document/document-provider.js';
import type { Providers } from '../provider.js';
import { notReplayed } from './recorded-answers.js';

/** Time of a run. Where the recorded call waited, its replay waits as well. */
const budgetMs = 25_000;

/** Runs recorded calls again for the management service. */
@Controller()
export class ReplayRequest {
  constructor(private readonly connector: Connector) {}

  @Serves('requests.replay')
  async replay(
    @Payload() { operation, integration, sealed, given }: ReplayedCall,
    @Ctx() context: InternalContext,
  ): Promise<ManagementSchemas['ReplayedRequest']> {
    const { run, bodies } = this.connector.openRecorded(integration.accountId, sealed);
    if (typeof run === 'string')
      throw notReplayed(`the call cannot be run again: ${run}`, 'Replay another call.');
    if (bodies.request && bodies.request.omitted > 0)
      throw notReplayed('the body of the call was not recorded whole', 'Send less in one call.');
    const outcomeOf = async (as: ResolvedIntegration, providers?: Providers) => {
      const signal = AbortSignal.any([AbortSignal.timeout(budgetMs), context.signal()]);
      const recorded = { operation, run, bodies };
      return plain(await this.connector.replay(recorded, as, signal, providers));
    };
    const { mappings, providerDocument } = given;
    const chains = mappings && [{ operationIds: [run.as], mappings }, ...integration.chains];
    const stored = await outcomeOf(integration);
    const other = await outcomeOf(
      { ...integration, ...(chains && { chains }) },
      providerDocument === undefined ? undefined : onlyProvider(providerDocument),
    );
    return { stored, given: other, difference: findDifference(stored, other) };
  }
}

/** Finds providers in a document. The management service has checked it. */
function onlyProvider(document: string): Providers {
  const compiled = compileProviders(document);
  return {
    find: (type) => {
      const found = compiled.find(({ source }) => source.provider === type);
      return Promise.resolve(found && documentProvider(found));
    },
  };
}

/** Returns a value as a response writes it. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
