// The calls of Microsoft's clients of Sentinel, Defender for Cloud and the ingestion of logs.
import { gunzipSync } from 'node:zlib';
import { SecurityCenter } from '@azure/arm-security';
import { SecurityInsights } from '@azure/arm-securityinsight';
import { createDefaultHttpClient } from '@azure/core-rest-pipeline';
import { LogsIngestionClient } from '@azure/monitor-ingestion';
import { events } from './events.mjs';
import { all } from './pages.mjs';
import { valuesIn } from './values.mjs';

const subscription = '6f0b1c52-0d3e-4a7b-9a55-1f2c8e7d4b60';
const https = 'https://azure.example';

/** Credentials and options of a client. The clients send tokens by https alone; the last step of theirs sends to the fake. */
function optionsOf({ url, credentials: { client } }) {
  const credential = {
    async getToken(scopes) {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
        scope: [scopes].flat().join(' '),
      });
      const answer = await fetch(`${url}${client.tokenPath}`, { method: 'POST', body });
      const { access_token: token, expires_in: seconds } = await answer.json();
      return { token, expiresOnTimestamp: Date.now() + seconds * 1000 };
    },
  };
  const http = createDefaultHttpClient();
  const httpClient = {
    async sendRequest(request) {
      request.url = request.url.replace(https, url);
      request.allowInsecureConnection = true;
      // Records have bodies as text.
      if (request.headers.get('content-encoding') === 'gzip') {
        request.body = gunzipSync(request.body).toString();
        request.headers.delete('content-encoding');
        request.headers.delete('content-length');
      }
      const response = await http.sendRequest(request);
      // The links to further pages have the address of the fake.
      const bodyAsText = response.bodyAsText?.replaceAll(url, https);
      return { ...response, bodyAsText };
    },
  };
  return { credential, options: { endpoint: https, httpClient } };
}

/** Texts of the times of an incident, with as many digits as Azure has. */
const timesOf = (times) => times.map((time) => time.toISOString().replace('Z', '0000Z'));
const msOf = (times) => times.map((time) => String(time.getTime()));

/** Our record has the owner by address alone, and no resource id. */
function valuesOfIncident(incident) {
  const { createdTimeUtc, firstActivityTimeUtc, lastActivityTimeUtc, ...rest } = incident;
  const { lastModifiedTimeUtc, ...others } = rest;
  const times = [createdTimeUtc, firstActivityTimeUtc, lastActivityTimeUtc, lastModifiedTimeUtc];
  return [...valuesIn(others, ['id', 'type', 'etag', 'assignedTo', 'objectId']), ...timesOf(times)];
}

/** Times are numbers here. */
function valuesOfAlert(alert) {
  const { startTimeUtc, endTimeUtc, timeGeneratedUtc, processingEndTimeUtc, ...others } = alert;
  const { name, resourceIdentifiers, entities, ...rest } = others;
  return [
    name,
    ...valuesIn([resourceIdentifiers, entities]),
    ...valuesIn(rest, ['id', 'type']),
    ...msOf([startTimeUtc, endTimeUtc, timeGeneratedUtc, processingEndTimeUtc]),
  ];
}

function valuesOfAssessment({ status, ...others }) {
  const { firstEvaluationDate, statusChangeDate, ...state } = status;
  return [
    ...valuesIn(others),
    ...valuesIn(state),
    ...msOf([firstEvaluationDate, statusChangeDate]),
  ];
}

export const azureCalls = {
  async siem_sentinel_mock(fake) {
    const { credential, options } = optionsOf(fake);
    const client = new SecurityInsights(credential, subscription, options);
    const workspace = ['security', 'alderpoint-sentinel'];
    const incidents = await all(client.incidents.list(...workspace, { top: 3 }));
    return [{ operation: 'siem_query_investigations', read: incidents.map(valuesOfIncident) }];
  },

  async sink_azure_monitor_logs_mock(fake) {
    const { credential, options } = optionsOf(fake);
    const client = new LogsIngestionClient(https, credential, options);
    const body = events(23);
    const rows = body.map((event) => ({
      ...event,
      TimeGenerated: new Date(event.time).toISOString(),
    }));
    await client.upload('dcr-00a1b2c3d4e5f60718293a4b5c6d7e8f', 'Custom-Onefold', rows);
    return [
      {
        operation: 'sink_post_events',
        body,
        read: body.map(({ metadata }) => [metadata.uid]),
        sent: fake.sent(),
      },
    ];
  },

  async cloudsecurity_defender_mock(fake) {
    const { credential, options } = optionsOf(fake);
    const client = new SecurityCenter(credential, subscription, options);
    const alerts = await all(client.alerts.list());
    const assessments = await all(client.assessments.list(`subscriptions/${subscription}`));
    return [
      { operation: 'cloudsecurity_query_threats', read: alerts.map(valuesOfAlert) },
      {
        operation: 'cloudsecurity_query_ioms',
        read: assessments
          .filter(({ status }) => status.code === 'Unhealthy')
          .map(valuesOfAssessment),
      },
    ];
  },
};
