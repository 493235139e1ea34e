// The calls of Splunk's own client, which starts search jobs, asks whether they are done, and reads their results in pages.
import splunk from 'splunk-sdk';
import { follow } from './pages.mjs';

function clientOf({ url, credentials: { secret } }) {
  const { protocol, hostname, port } = new URL(url);
  return new splunk.Service({
    scheme: protocol.slice(0, -1),
    host: hostname,
    port,
    // From this version on the client calls the second version of the search API.
    version: '9.3.0',
    authorization: 'Bearer',
    sessionKey: secret,
    autologin: false,
  });
}

/** The results of a search, the newest first. */
async function search(service, query) {
  const job = await service.jobs().create(query, { exec_mode: 'normal', earliest_time: 0 });
  await new Promise((done, failed) => job.track({ period: 50 }, { done, failed, error: failed }));
  const { resultCount } = job.properties();
  const rows = await follow(async (offset) => {
    const [{ results }] = await job.results({
      offset: offset ?? 0,
      count: 40,
      output_mode: 'json',
    });
    const next = (offset ?? 0) + results.length;
    return { items: results, next: next < resultCount ? next : undefined };
  });
  await job.cancel();
  return rows;
}

export const splunkCalls = {
  async siem_splunk_mock(fake) {
    const service = clientOf(fake);
    const events = await search(service, 'search index=* index!=notable');
    const findings = await search(service, 'search `notable`');
    return [
      {
        operation: 'siem_query_events',
        read: events.map(({ _bkt, _cd, sourcetype }) => [`${_bkt}:${_cd}`, sourcetype]),
      },
      {
        operation: 'siem_query_alerts',
        read: findings.map((finding) => [finding.event_id, finding.rule_title]),
      },
    ];
  },
};
