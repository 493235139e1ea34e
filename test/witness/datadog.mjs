// The calls of Datadog's own client, which pages through searches of logs and of signals, and sends logs.
import { client, v2 } from '@datadog/datadog-api-client';
import { events as eventsOf } from './events.mjs';

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

  async sink_datadog_mock({ url, credentials: { secret }, sent }) {
    const configuration = client.createConfiguration({
      authMethods: { apiKeyAuth: secret },
      // The client has an address of its own for the intake of logs.
      httpApi: {
        send(request) {
          const { pathname } = new URL(request.getUrl());
          return fetch(`${url}${pathname}`, {
            method: request.getHttpMethod(),
            headers: request.getHeaders(),
            body: request.getBody(),
          }).then(
            (response) =>
              new client.ResponseContext(response.status, Object.fromEntries(response.headers), {
                text: () => response.text(),
                binary: () => response.arrayBuffer(),
              }),
          );
        },
      },
    });
    const body = eventsOf(23);
    const logs = body.map((event) => ({
      ddsource: 'ocsf',
      service: event.metadata.product.name,
      message: event.message,
      additionalProperties: { status: 'info', timestamp: event.time, ocsf: event },
    }));
    await new v2.LogsApi(configuration).submitLog({ body: logs });
    return [
      {
        operation: 'sink_post_events',
        body,
        read: body.map(({ metadata }) => [metadata.uid]),
        sent: sent(),
      },
    ];
  },
};
