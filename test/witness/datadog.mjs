// The calls of Datadog's own client, which pages through searches of logs and of signals.
import { client, v2 } from '@datadog/datadog-api-client';

/** All items of a search that the client pages through. */
async function gather(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

export const datadogCalls = {
  async siem_datadog_mock({ url, credentials: { secret } }) {
    const configuration = client.createConfiguration({
      baseServer: new client.BaseServerConfiguration(url, {}),
      authMethods: { apiKeyAuth: secret, appKeyAuth: secret },
    });
    const filter = { query: '*', from: '2020-01-01T00:00:00Z' };
    const logs = new v2.LogsApi(configuration).listLogsWithPagination({
      body: { filter, sort: '-timestamp', page: { limit: 100 } },
    });
    const events = await gather(logs);
    const monitoring = new v2.SecurityMonitoringApi(configuration);
    const found = monitoring.searchSecurityMonitoringSignalsWithPagination({
      body: { filter: { query: '*', from: new Date(0) }, sort: '-timestamp', page: { limit: 3 } },
    });
    const signals = await gather(found);
    return [
      {
        operation: 'siem_query_events',
        read: events.map(({ id, attributes }) => [id, attributes.message]),
      },
      { operation: 'siem_query_alerts', read: signals.map(({ id }) => [id]) },
    ];
  },
};
