import { systemClock } from '#config';
import { ProviderHttp, Redactor } from '#provider-http';
import { Problems } from '../problems.js';
import type { ProviderCall } from '../provider.js';
import { CallUsage, Usage } from '../usage/usage.js';

type HttpParts = ConstructorParameters<typeof ProviderHttp>[0];

/** An HTTP client without limits and access tokens. */
export function plainHttp(
  parts: Pick<HttpParts, 'dispatcher' | 'policy' | 'certificates'>,
): ProviderHttp {
  return new ProviderHttp({
    ...parts,
    clock: systemClock,
    permits: { acquire: () => Promise.resolve(() => undefined) },
    tokens: { get: () => Promise.reject(new Error('no tokens here')) },
  });
}

/** The call of an operation by an integration; specs give what they are about. */
export function documentCall({
  accountId = 'acc_1',
  providerConfig = {},
  ...given
}: {
  http: ProviderHttp;
  accountId?: string;
  providerConfig?: Record<string, unknown>;
} & Partial<Pick<ProviderCall, 'credential' | 'path'>>): ProviderCall {
  const ids = { organizationId: 'org_1', accountId };
  return {
    path: {},
    query: {},
    clock: systemClock,
    credential: () => undefined,
    ...given,
    integration: { id: 'int_1', ...ids, providerConfig },
    signal: new AbortController().signal,
    deadline: Date.now() + 5_000,
    pollUntil: Date.now() + 5_000,
    usage: new CallUsage(new Usage(), { ...ids, integrationId: 'int_1' }),
    onResponse: () => undefined,
    list: { filters: [], orders: [] },
    redactor: new Redactor(),
    problems: new Problems(),
  } as unknown as ProviderCall;
}
