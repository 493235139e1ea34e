// The calls of OpenSearch's own client: a point in time that it pages through, findings of Security Analytics, and bulk requests.
import { Client } from '@opensearch-project/opensearch';
import { events } from './events.mjs';
import { follow } from './pages.mjs';
import { valuesIn } from './values.mjs';

const clientOf = ({ url, credentials: { basic } }) => new Client({ node: url, auth: basic });

const dataset = 'system.auth';

/** Times are numbers, outcomes words of OCSF and addresses of hardware in another form here. */
const valuesOfEvent = ({ _id, _source }) => [
  _id,
  ...valuesIn(_source, ['@timestamp', 'outcome', 'mac']),
  String(Date.parse(_source['@timestamp'])),
];

/** Tags are the severity and the attacks of a finding here. */
const valuesOfFinding = ({ document_list, queries, ...finding }) => [
  ...valuesIn(finding),
  ...valuesIn(document_list, ['document']),
  ...valuesIn(queries, ['tags']),
  JSON.parse(document_list[0].document).message,
];

export const opensearchCalls = {
  async siem_opensearch_mock(fake) {
    const client = clientOf(fake);
    const pit = await client.createPit({ index: 'logs-*', keep_alive: '1m' });
    const sort = [{ '@timestamp': 'asc' }, { _shard_doc: 'asc' }];
    const found = await follow(async (after) => {
      const page = { pit: { id: pit.body.pit_id }, sort, size: 100 };
      const body = after === undefined ? page : { ...page, search_after: after };
      const { hits } = (await client.search({ body })).body.hits;
      return { items: hits, next: hits.at(-1)?.sort };
    });
    await client.deletePit({ body: { pit_id: [pit.body.pit_id] } });
    const findings = await follow(async (startIndex = 0) => {
      const { body } = await client.securityAnalytics.getFindings({ size: 10, startIndex });
      const next = startIndex + body.findings.length;
      return { items: body.findings, next: next < body.total_findings ? next : undefined };
    });
    const resolved = await client.indices.resolveIndex({ name: 'logs-*' });
    return [
      {
        operation: 'siem_query_events',
        read: found.map(({ _id, _source }) => [_id, _source.message]),
      },
      {
        operation: 'siem_query_events',
        filter: `metadata.log_name[eq]${dataset}`,
        read: found
          .filter(({ _source }) => _source.data_stream.dataset === dataset)
          .map(valuesOfEvent),
      },
      { operation: 'siem_query_alerts', read: findings.map(valuesOfFinding) },
      {
        operation: 'siem_query_log_providers',
        read: resolved.body.data_streams.map(({ name }) => [name]),
      },
    ];
  },

  async sink_opensearch_mock(fake) {
    const client = clientOf(fake);
    const body = events(23);
    const lines = body.flatMap((event) => [
      { create: {} },
      { ...event, '@timestamp': new Date(event.time).toISOString() },
    ]);
    const { items } = (await client.bulk({ index: 'logs-onefold', body: lines })).body;
    return [
      {
        operation: 'sink_post_events',
        body,
        read: items.map(({ create }, index) => [`witness-${index}`, String(create.status)]),
        // The client puts what the document posts: OpenSearch takes both.
        sent: fake.sent().map((text) => text.replace(/^PUT/, 'POST')),
      },
    ];
  },
};
