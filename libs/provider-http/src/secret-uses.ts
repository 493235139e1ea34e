import type { SecretUse } from '#bridge';
import { ApiError } from '#contract';
import type { ProviderRequest } from './provider-request.js';
import type { Route } from './route.js';

/** Carries to the bridge what its agents put into the request. No host gets it. */
const header = 'onefold-bridge-secrets';

/** Lets the agent of a bridge put a secret into a request. @throws ApiError 502 for a request that goes through none */
export function withSecretUse(
  request: ProviderRequest,
  use: SecretUse,
  route: Route | undefined,
): ProviderRequest {
  if (route === undefined)
    throw new ApiError(502, `the secret "${use.secret}" is kept by bridge agents`, {
      remediation: 'Set bridge_selector of the integration to the bridge group that has it.',
    });
  const uses = [...(takeSecretUses(request.headers).secrets ?? []), use];
  const value = Buffer.from(JSON.stringify(uses)).toString('base64');
  return {
    ...request,
    headers: { ...request.headers, [header]: value },
    secretHeaders: [...request.secretHeaders, header],
  };
}

/** Separates the uses of secrets from the headers of a request. */
export function takeSecretUses({ [header]: value, ...headers }: Readonly<Record<string, string>>): {
  headers: Record<string, string>;
  secrets?: SecretUse[];
} {
  if (value === undefined) return { headers };
  const secrets = JSON.parse(Buffer.from(value, 'base64').toString()) as SecretUse[];
  return { headers, secrets };
}
