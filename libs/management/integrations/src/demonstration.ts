import { servedDomains } from '#contract';
import type { ManagementContext } from '#management/core';
import { issueToken } from '#management/tokens';
import { domainOf, isMadeUp, isMockType, type Manifest } from '#provider-document';
import { type Integration, integrationQueries, kinds, wholeOrganization } from '#store';

const tokenTtl = { text: '24h', milliseconds: 86_400_000 };

/** The account of the integrations of a demonstration. */
export interface DemonstrationPlace {
  organizationId: string;
  accountId: string;
  /** The member who owns their tokens. */
  memberId: string;
}

/**
 * Creates an integration of a mock in each served domain that has one. They are created in one transaction and without
 * compiling their documents, so that no document and no fake is loaded before its first use; they have the same age, so
 * their fakes show the same world.
 * @param except domains that have an integration already
 */
export async function createDemonstration(
  context: ManagementContext,
  { organizationId, accountId, memberId }: DemonstrationPlace,
  manifests: readonly Manifest[],
  except: readonly string[],
): Promise<void> {
  const now = context.now();
  await context.store.write(wholeOrganization(organizationId), async (tx) => {
    for (const { type, fullname } of mocksOfDomains(manifests, except)) {
      const category = domainOf(type);
      const integration: Integration = {
        id: context.ids.next(kinds.integrations),
        organizationId,
        accountId,
        name: `demo-${category}`,
        fullname,
        createdAt: now,
        updatedAt: now,
        category,
        providerType: type,
        providerFullname: fullname,
        providerConfig: configurationOf(type),
        refreshTokenId: context.ids.next(kinds.tokens),
        integrationPointId: null,
        bridgeSelector: null,
        webhookConfig: null,
        mappings: null,
        additionalMappings: null,
        scheduledOperations: null,
        confirmDangerousActions: false,
        recording: null,
      };
      await tx.integrations.insert(integration);
      await issueToken(context, tx, {
        id: integration.refreshTokenId,
        ownerId: integration.id,
        ownerType: 'integration',
        memberId,
        accountId,
        fullname: `Token of ${integration.name}`,
        tokenType: 'default',
        ttl: tokenTtl,
        endsBy: null,
      });
    }
  });
}

/**
 * Values that the contract requires: a bucket of the made-up storage, nothing for other made-up vendors, a dataset for
 * the mocks of real vendors.
 */
function configurationOf(type: string): Integration['providerConfig'] {
  if (!isMadeUp(type)) return { type, dataset: 'basic_v0' };
  return domainOf(type) === 'storage' ? { type, bucket: 'demo' } : { type };
}

/**
 * Mocks that go before others of their domain: GitHub knows neither logons nor risk, and disables nobody; a notification of Jira needs a
 * project; Falcon's collector has no more to show than Elasticsearch, where the SIEM of the demonstration is. Inspector covers the cloud
 * alone, whereas the stories of the demonstration are about the code and the hosts of the whole company. The devices of the company are in
 * Intune, Windows as well, and PagerDuty has its tickets; others are those of GitHub.
 */
const preferredMocks = [
  'appsec_github_mock',
  'endpointmanagement_intune_mock',
  'identity_okta_mock',
  'incidentresponse_pagerduty_mock',
  'notifications_slack_mock',
  'siem_elasticsearch_mock',
  'sink_elasticsearch_mock',
  'ticketing_github_mock',
  'vulnerabilities_crowdstrike_mock',
];

/** The mock of each domain: that of a real vendor, if one exists. */
function mocksOfDomains(manifests: readonly Manifest[], except: readonly string[]): Manifest[] {
  const mocks = manifests.filter(({ type }) => isMockType(type));
  const rank = (type: string) => (preferredMocks.includes(type) ? 0 : isMadeUp(type) ? 2 : 1);
  mocks.sort((one, other) => rank(one.type) - rank(other.type));
  return servedDomains
    .filter((domain) => !except.includes(domain))
    .flatMap((domain) => mocks.find(({ type }) => domainOf(type) === domain) ?? []);
}

/** Integration of a mock, with a token for it. */
export interface DemonstrationToken {
  integration: Integration;
  /** Access secret that is valid for a day. */
  secret: string;
}

/** Issues a token for the first integration of a mock in each domain of an organization, in the order of the domains. */
export async function demonstrationTokens(
  context: ManagementContext,
  organizationId: string,
): Promise<DemonstrationToken[]> {
  return await context.store.write(wholeOrganization(organizationId), async (tx) => {
    const rows = await integrationQueries.listProviders(tx);
    const byDomain = new Map<string, string>();
    for (const { id, category, provider_type: type } of rows)
      if (isMockType(type) && !byDomain.has(category)) byDomain.set(category, id);
    const made: DemonstrationToken[] = [];
    for (const id of byDomain.values()) {
      const integration = await tx.integrations.get(id);
      const { secrets } = await issueToken(context, tx, {
        ownerId: id,
        ownerType: 'integration',
        memberId: null,
        accountId: integration.accountId,
        fullname: `Demonstration of ${integration.category}`,
        tokenType: 'default',
        ttl: tokenTtl,
        endsBy: null,
        accessOnly: true,
      });
      made.push({ integration, secret: secrets.access });
    }
    return made;
  });
}
