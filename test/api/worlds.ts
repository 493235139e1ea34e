/** Ids and names of one tenant's records, by the path parameter that takes them. */
export type World = Record<string, string[]>;

/** Calls, and expects success. @returns the result */
export type Ask = <T = Record<string, never>>(
  method: string,
  path: string,
  token: string,
  body?: unknown,
) => Promise<T>;

const label = { near: 'emea', far: 'us', strange: 'emea' };

/** A world without gaps: an id that is missing would be tried as a name nobody has. */
function complete(world: World): World {
  for (const [name, values] of Object.entries(world))
    for (const value of values)
      if (typeof value !== 'string' || value === '') throw new Error(`${name} has no value`);
  return world;
}

/** An account with one of everything that can lie in it, and the secrets that were given out with it. */
export async function accountWorld(
  ask: Ask,
  token: string,
  name: keyof typeof label,
): Promise<{ world: World; secrets: Record<string, string> }> {
  interface Pair {
    access: { secret: string };
    refresh: { secret: string };
  }
  interface Made {
    account: { id: string };
    token: Pair & { id: string; primary: Pair };
    integration: { id: string; refresh_token_id: string };
    bridge: { id: string };
    id: string;
  }
  const { account, token: limited } = await ask<Made>('POST', '/v1/accounts', token, {
    name: `${name}-account`,
    labels: [label[name]],
    token: { name: `${name}-token`, permission_set: 'account-manager' },
  });
  const inside = `/${account.id}`;
  const { integration, token: pair } = await ask<Made>('POST', `/v1/integrations${inside}`, token, {
    name: `${name}-integration`,
    provider_config: { type: 'ticketing_mock_ticketing' },
  });
  const secrets = {
    'token of the account': limited.primary.access.secret,
    'refresh secret of the account': limited.primary.refresh.secret,
    'token of the integration': pair.access.secret,
    'refresh secret of the integration': pair.refresh.secret,
  };
  const { id: credential } = await ask<Made>('POST', `/v1/credentials${inside}`, token, {
    name: `${name}-credential`,
    config: { type: 'token', secret: 'canary' },
  });
  const { bridge } = await ask<Made>('POST', `/v1/bridges${inside}`, token, {
    name: `${name}-bridge`,
  });
  const world = {
    accountId: [account.id, `${name}-account`],
    integrationId: [integration.id, `${name}-integration`],
    credentialId: [credential, `${name}-credential`],
    bridgeId: [bridge.id, `${name}-bridge`],
    refreshTokenId: [limited.id, integration.refresh_token_id, `${name}-token`],
    ownerId: [account.id, integration.id],
  };
  return { world: complete(world), secrets };
}

/** One of everything that lies in the organization itself. */
export async function organizationWorld(ask: Ask, token: string, name: string): Promise<World> {
  const make = async (path: string, body: object, key?: string): Promise<string> => {
    const made = await ask<Record<string, { id: string }>>('POST', path, token, body);
    return (key === undefined ? (made as unknown as { id: string }) : made[key])?.id ?? '';
  };
  const role = await make('/v1/roles', { name: `${name}-role`, permission_set: 'viewer' });
  const member = await make(
    '/v1/members',
    { name: `${name}-member`, type: 'service', secret: 'correct horse battery' },
    'member',
  );
  const webhook = await make('/v1/organization/webhooks', {
    name: `${name}-webhook`,
    url: 'https://example.com/hook',
    filters: ['all'],
    secret: { value: 'a secret of 24 characters or more' },
  });
  const sso = await make('/v1/auth/sso', {
    fullname: `${name}-sso`,
    config: { type: 'oidc', issuer_url: 'https://example.com', client_id: 'c', client_secret: 's' },
  });
  return complete({
    roleId: [role, `${name}-role`],
    memberId: [member, `${name}-member`],
    webhookId: [webhook, `${name}-webhook`],
    ssoId: [sso],
  });
}

/** A provider of somebody's own. */
const documentOf = (name: string) => `
provider: custom_${name}
version: 1.0.0
fullname: ${name}
vendor: Specs
credentials: { credential: { token: { send: header, name: authorization, value: this.credential.secret } } }
http: { base_url: this.config.url, origins: ['https://${name}.example.com'], message: this.body.error }
operations:
  custom_get:
    steps: [{ name: thing, path: '/things/{this.path.id}' }]
    record: this.steps.thing
`;

/** What everybody in an organization may read. */
export async function sharedWorld(ask: Ask, token: string, name: string): Promise<World> {
  const point = await ask<{ id: string }>('POST', '/v1/integration-points', token, {
    name: `${name}-point`,
    connector: 'ticketing',
    environments: { prod: ['*'] },
  });
  const { mapping } = await ask<{ mapping: { id: string } }>('POST', '/v1/mappings', token, {
    name: `${name}-mapping`,
    data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n',
  });
  const { custom } = await ask<{ custom: { id: string } }>('POST', '/v1/customs', token, {
    name: `${name}-custom`,
    data: documentOf(name),
  });
  return complete({
    customId: [custom.id, `${name}-custom`],
    integrationPointId: [point.id, `${name}-point`],
    mappingId: [mapping.id, `${name}-mapping`],
  });
}
