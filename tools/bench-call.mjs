// A call of a provider operation as the connector makes it, for benches without a service.
const { CallUsage, Usage } = await import('#connect');
const { Redactor } = await import('#provider-http');

const owner = { organizationId: 'o', accountId: 'a' };
const usage = new CallUsage(new Usage(), { ...owner, integrationId: 'i' });

/** @param more further parts, such as the HTTP client and the credential of the provider of a vendor */
export function callOf(integrationId, clock, more = {}) {
  return {
    integration: {
      id: integrationId,
      ...owner,
      providerConfig: {},
      createdAt: new Date().toISOString().slice(0, 13) + ':00:00Z',
    },
    redactor: new Redactor(),
    signal: new AbortController().signal,
    deadline: Date.now() + 60_000,
    pollUntil: Date.now() + 60_000,
    usage,
    onResponse: () => undefined,
    path: {},
    query: {},
    list: { filters: [], orders: [] },
    clock,
    ...more,
  };
}
