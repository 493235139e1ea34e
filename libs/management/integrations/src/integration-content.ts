import type { Caller, ManagementSchemas } from '#contract';
import type { EgressPolicy } from '#egress';
import { fault, type ManagementContext } from '#management/core';
import { checkMappings } from '#management/mappings';
import { domainOf } from '#provider-document';
import type { Account, Integration, IntegrationPoint, Transaction } from '#store';
import { checkOrigins } from './credential-origins.js';
import { checkBridgeSelector } from './bridge-selection.js';
import { checkAllowed, checkOnlyOne, checkReach } from './integration-rules.js';
import { readSchedules } from './integration-schedules.js';
import type { IntegrationBody } from './integration-view.js';
import { checkReachable, completeKeys } from './integrator-keys.js';
import { checkAgainstFixed } from './point-templates.js';
import type { ProviderCatalog } from './provider-catalog.js';
import { storeSecrets } from './provider-config.js';
import { sealFields } from './sealed-fields.js';

export type CreateIntegration = ManagementSchemas['CreateIntegrationRequest'];

interface Parts {
  context: ManagementContext;
  catalog: ProviderCatalog;
  egress: EgressPolicy;
}

/** Checks what a caller wants of an integration and stores its secrets. @param before the integration as it is stored */
export async function integrationContent(
  { context, catalog, egress }: Parts,
  tx: Transaction,
  { caller, account, id, name }: { caller: Caller; account: Account; id: string; name: string },
  body: CreateIntegration | IntegrationBody,
  point: IntegrationPoint | undefined,
  before?: Integration,
) {
  const { type } = body.provider_config;
  const domain = domainOf(type);
  checkReach(tx, account, domain);
  const checked = await catalog.check(tx, body.provider_config);
  if (point) checkAllowed(point, account, type);
  if (point?.builtIn) await checkOnlyOne(tx, point, id);
  const schedules = await readSchedules(tx, body.scheduled_operations, {
    domain,
    accountId: account.id,
    provider: checked.provider,
    now: context.now(),
    before,
    point,
  });
  await checkMappings(tx, domain, body);
  checkAgainstFixed(point, type, body.additional_mappings);
  const owner = { type: 'integration', id, accountId: account.id } as const;
  const { config, created, usesBridge } = await storeSecrets(
    context,
    tx,
    owner,
    checked.config,
    name,
  );
  if (usesBridge && !body.bridge_selector)
    throw fault('/bridge_selector', 'is required: a credential is kept by bridge agents', {
      remediation:
        'Select the bridge group whose agents have the secret, or use another credential.',
    });
  const bridgeSelector = await checkBridgeSelector(tx, account.id, body.bridge_selector);
  const wanted = { account, domain, config, bridgeSelector, made: created };
  await checkOrigins(tx, catalog, caller, wanted);
  const webhooks = completeKeys(body.webhook_config, before?.webhookConfig);
  await checkReachable(egress, webhooks.config, before?.webhookConfig);
  const fields = { providerConfig: config, webhookConfig: webhooks.config };
  const sealed = await sealFields(context, tx, { id: account.id, domain }, fields, before);
  return {
    created,
    made: webhooks.made,
    schedules,
    dropped: checked.dropped,
    content: {
      category: domain,
      providerType: type,
      providerFullname: checked.fullname,
      ...sealed,
      integrationPointId: point?.id ?? null,
      bridgeSelector,
      mappings: body.mappings ?? null,
      additionalMappings: body.additional_mappings ?? null,
      // Those of a point are copied as far as the provider can run them.
      scheduledOperations:
        schedules.copiedFrom === undefined
          ? (body.scheduled_operations ?? null)
          : schedules.plans.map(({ settings }) => settings),
      // Clients that do not know the field must not switch it off with an update.
      confirmDangerousActions:
        body.confirm_dangerous_actions ?? before?.confirmDangerousActions ?? false,
    },
  };
}

/** Finds an integration point by name or id; undefined if none is wanted. @throws ApiError 400 if there is none */
export async function findPoint(
  tx: Transaction,
  idOrName: string | null | undefined,
): Promise<IntegrationPoint | undefined> {
  if (!idOrName) return undefined;
  const point = await tx.integrationPoints.find(idOrName);
  if (point === undefined)
    throw fault('/integration_point_id', 'is not the name or id of an integration point', {
      value: idOrName,
      remediation: 'GET /v1/integration-points lists them.',
    });
  return point;
}
