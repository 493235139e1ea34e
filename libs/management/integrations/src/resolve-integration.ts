import { Controller } from '@nestjs/common';
import {
  type ResolvedAdditionalMapping,
  type ResolvedChain,
  type ResolvedIntegration,
  Serves,
} from '#bus';
import { type ManagementSchemas, notFound } from '#contract';
import { SecretReads } from '#management/audit';
import { ManagementContext } from '#management/core';
import { resolvedCredentials } from '#management/credentials';
import { resolveMapping } from '#management/mappings';
import type { Sealer } from '#secrets';
import {
  dataKey,
  type Integration,
  type IntegrationPoint,
  type Reader,
  type Transaction,
  wholeOrganization,
} from '#store';
import { resolveBridge } from './bridge-selection.js';
import { ProviderCatalog } from './provider-catalog.js';
import { credentialSlots } from './credential-slots.js';
import { type AdditionalMapping, fixedMappings, isFor } from './point-templates.js';

type Chain = ManagementSchemas['MappingChain'] & { providers?: string[] };

/** Gives connectors the data that they need to run operations of an integration. */
@Controller()
export class ResolveIntegration {
  constructor(
    readonly context: ManagementContext,
    private readonly reads: SecretReads,
    readonly catalog: ProviderCatalog,
  ) {}

  @Serves('integrations.resolve')
  async resolve({
    organizationId,
    integrationId,
  }: {
    organizationId: string;
    integrationId: string;
  }): Promise<ResolvedIntegration> {
    return await this.context.store.write(wholeOrganization(organizationId), async (tx) => {
      const integration = await tx.integrations.find(integrationId);
      if (integration === undefined) throw notFound('integration', integrationId);
      const found = await describeIntegration(tx, this, integration);
      const recording = await this.recordingOf(tx, integration);
      await this.reads.note(tx, {
        accountId: integration.accountId,
        integrationId: integration.id,
        credentialIds: Object.keys(found.credentials),
      });
      return recording === undefined ? found : { ...found, recording };
    });
  }

  /** The recording of bodies that goes on, with the key of the account. */
  private async recordingOf(
    tx: Transaction,
    { accountId: id, category: domain, recording }: Integration,
  ): Promise<ResolvedIntegration['recording']> {
    const { sealer } = this.context;
    const now = this.context.now();
    if (recording === null || Date.parse(recording.until) <= now.getTime()) return undefined;
    return { until: recording.until, dataKey: await dataKey(tx, sealer, { id, domain }, now) };
  }
}

/** The parts of management that integrations are described by. */
export interface Described {
  context: Pick<ManagementContext, 'sealer'>;
  catalog: ProviderCatalog;
}

/** Returns an integration in the form that connectors need. */
export async function describeIntegration(
  tx: Reader,
  { context, catalog }: Described,
  integration: Integration,
): Promise<ResolvedIntegration> {
  const point = integration.integrationPointId
    ? await tx.integrationPoints.find(integration.integrationPointId)
    : undefined;
  const document = await catalog.document(tx, integration.providerType);
  const bridge = await resolveBridge(tx, integration);
  return {
    id: integration.id,
    organizationId: integration.organizationId,
    accountId: integration.accountId,
    category: integration.category,
    createdAt: integration.createdAt.toISOString(),
    providerType: integration.providerType,
    providerConfig: integration.providerConfig,
    ...(document === undefined ? {} : { providerDocument: document }),
    credentials: await credentialsOf(tx, context.sealer, integration),
    chains: await chainsOf(tx, integration, point),
    additionalMappings: additionalOf(integration, point),
    ...(bridge === undefined ? {} : { bridge }),
    ...(integration.confirmDangerousActions ? { confirmsDangers: true } : {}),
  };
}

async function credentialsOf(
  tx: Reader,
  sealer: Sealer,
  { accountId, category: domain, providerConfig }: Integration,
): Promise<ResolvedIntegration['credentials']> {
  const ids = credentialSlots(providerConfig).flatMap((slot) =>
    slot.kind === 'stored' ? slot.reference : [],
  );
  return await resolvedCredentials(tx, sealer, ids, { accountId, domain });
}

/**
 * "An integration's chain for an operation overrides the point's": the integration's chains come first, and the first
 * match is used.
 */
async function chainsOf(
  tx: Reader,
  integration: Integration,
  point: IntegrationPoint | undefined,
): Promise<ResolvedChain[]> {
  const own = (integration.mappings ?? []) as Chain[];
  const templates = ((point?.mappings ?? []) as Chain[]).filter((chain) =>
    isFor(chain, integration.providerType),
  );
  const chains: ResolvedChain[] = [];
  for (const chain of [...own, ...templates]) {
    const mappings = [];
    for (const reference of chain.mappings) {
      const mapping = await resolveMapping(tx, reference);
      if (mapping === undefined) throw notFound('mapping', reference);
      mappings.push(mapping);
    }
    chains.push({ operationIds: chain.operation_ids, mappings });
  }
  return chains;
}

function additionalOf(
  integration: Integration,
  point: IntegrationPoint | undefined,
): ResolvedAdditionalMapping[] {
  const own = (integration.additionalMappings ?? []) as AdditionalMapping[];
  // The later mapping of a field replaces the earlier one: an integration may be older than the fixed mapping of its
  // point.
  return [...own, ...fixedMappings(point, integration.providerType)].map((one) => ({
    resource: one.resource,
    actions: one.actions,
    source: one.source,
    destination: one.destination,
    literal: one.literal ?? false,
    dataType: one.data_type,
  }));
}

/** Marks credentials that are only tried: they are removed after verification, so their ids lead nowhere. */
export function markUnsaved(
  integration: ResolvedIntegration,
  created: readonly { id: string }[],
): ResolvedIntegration {
  const credentials = { ...integration.credentials };
  for (const { id } of created) {
    const one = credentials[id];
    if (one !== undefined) credentials[id] = { ...one, isStored: false };
  }
  return { ...integration, credentials };
}
