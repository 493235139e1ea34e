import type { Stage } from './stage.js';

export interface ConnectedGithub {
  id: string;
  accountId: string;
  /** Secret of the integration's token. */
  token: string;
}

/** Connects the fake of GitHub for a new account. */
export async function connectGithub(
  stage: Stage,
  name: string,
  secret = stage.githubSecret,
): Promise<ConnectedGithub> {
  await stage.call('POST', '/v1/accounts', { name, fullname: `Account ${name}` });
  const { result } = await stage.call<{
    integration: { id: string; account_id: string };
    token: { access: { secret: string } };
  }>('POST', `/v1/integrations/${name}`, {
    name,
    fullname: `Issues of ${name}`,
    provider_config: {
      type: 'ticketing_github',
      url: stage.githubUrl,
      repository: 'alderpoint/desk',
      credential: { type: 'token', secret },
    },
  });
  const { id, account_id: accountId } = result.integration;
  return { id, accountId, token: result.token.access.secret };
}

/** Reads a ticket by the token of an integration. */
export async function readTicket(stage: Stage, token: string): Promise<Response> {
  return await fetch(`${stage.url}/v1/ticketing/tickets?limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
}
