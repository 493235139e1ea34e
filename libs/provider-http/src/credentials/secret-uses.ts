import type { Dispatcher } from 'undici';
import type { SecretUse } from '#bridge';
import { ApiError } from '#contract';
import type { ProviderRequest } from '../provider-request.js';
import type { Route } from '../sending/route.js';

/** The parts that a dispatcher gets beside the request: the client of undici hands it on as it is, and only that of bridges reads it. */
export type DispatchedSecrets = Dispatcher.DispatchOptions & Pick<ProviderRequest, 'secretUses'>;

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
  return { ...request, secretUses: [...(request.secretUses ?? []), use] };
}
