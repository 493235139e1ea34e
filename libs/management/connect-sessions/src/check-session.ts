import { type ConnectScope, type ManagementSchemas, offersProvider } from '#contract';
import { fault } from '#management/core';
import type { Account, Integration, IntegrationPoint, Organization } from '#store';

type Request = ManagementSchemas['CreateConnectSessionRequest'];

/**
 * Returns the limits of a session: never more than the integration point allows in the account's environment.
 * @param integration the one to reconnect
 * @param released returns the providers of the domain that are offered in production where nobody names them
 * @throws ApiError 400
 */
export async function limitsOf(
  body: Request,
  account: Account,
  point: IntegrationPoint,
  integration: Integration | undefined,
  released: () => Promise<readonly string[]>,
): Promise<ConnectScope> {
  checkMode(body);
  const connector = point.connector;
  const allowed = point.environments[account.environment] ?? [];
  const ofPoint: ConnectScope = {
    integrationPointId: point.id,
    connector,
    providers: allowed,
    ...(body.end_user ? { endUserId: body.end_user.id } : {}),
    ...(body.link ? { link: true } : {}),
  };
  if (integration) {
    if (!isForPoint(integration, point))
      throw fault('/integration_id', `does not belong to the integration point "${point.name}"`, {
        value: body.integration_id,
        remediation: 'Name the integration point of the integration.',
      });
    return {
      ...ofPoint,
      providers: [integration.providerType],
      integrationId: integration.id,
      ...(body.mode === 'manage' ? { manages: true } : {}),
    };
  }
  for (const [index, type] of (body.providers ?? []).entries())
    if (!offersProvider(ofPoint, type))
      throw fault(
        `/providers/${index}`,
        `is not allowed by the integration point "${point.name}" in the environment ${account.environment}`,
        {
          value: type,
          remediation: `It allows ${allowed.length === 0 ? 'none' : allowed.join(', ')} of ${connector}.`,
        },
      );
  if (body.providers) return { ...ofPoint, providers: body.providers };
  if (account.environment !== 'prod' || !allowed.includes('*')) return ofPoint;
  // The page is for the customer's own people: to offer them a mock or a draft, the host names it.
  const named = allowed.filter((type) => type !== '*');
  return { ...ofPoint, providers: [...new Set([...(await released()), ...named])] };
}

/** An integration that belongs to no integration point can be renewed for any of its domain, and stays without one. */
function isForPoint({ integrationPointId, category }: Integration, point: IntegrationPoint) {
  return integrationPointId ? integrationPointId === point.id : category === point.connector;
}

/** A mode says what happens to an integration, which there is or is not. @throws ApiError 400 */
function checkMode({ mode, integration_id: integrationId }: Request): void {
  if (!mode) return;
  if (mode === 'create' && integrationId)
    throw fault('/mode', 'is not allowed together with integration_id', {
      value: mode,
      remediation: 'Send reconnect or manage for an integration that there is.',
    });
  if (mode !== 'create' && !integrationId)
    throw fault('/mode', 'needs an integration_id', {
      value: mode,
      remediation: 'Name the integration of the account, or send create.',
    });
}

/**
 * Returns the page that a session belongs to, which must be one of the organization's own.
 * @throws ApiError 400
 */
export function pageOf(
  { origin, return_url: returnUrl, link }: Request,
  { options }: Pick<Organization, 'options'>,
): { origin: string | null; returnUrl: string | null } {
  if (origin && returnUrl)
    throw fault('/return_url', 'is not allowed together with origin', {
      remediation: 'Send origin for a page that embeds, return_url for one that is returned to.',
    });
  if (origin && link)
    throw fault('/origin', 'is not allowed together with link', {
      remediation: 'A link is opened in a page of its own; send return_url to return from it.',
    });
  if (origin) checkListed(origin, origin, '/origin', options);
  if (returnUrl) checkListed(originOf(returnUrl), returnUrl, '/return_url', options);
  return { origin: origin ?? null, returnUrl: returnUrl ?? null };
}

function checkListed(
  origin: string | undefined,
  value: string,
  pointer: string,
  options: Organization['options'],
): void {
  const connect = options?.['connect'] as ManagementSchemas['ConnectOptions'] | null | undefined;
  if (origin !== undefined && connect?.origins?.includes(origin)) return;
  throw fault(pointer, 'is not at an origin that the organization lists', {
    value,
    remediation: 'Add its origin to options.connect.origins: PATCH /v1/organization.',
  });
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
