// The calls of Google's client of Security Command Center, by REST instead of gRPC.
import { v2 } from '@google-cloud/security-center';
import { auth as google } from '@googleapis/admin';
import { fetchFrom } from './google.mjs';
import { valuesIn } from './values.mjs';

const parent = 'organizations/408513600123/sources/-';

/** Times are numbers here, and enumerations words of OCSF. */
function valuesOfFinding(finding) {
  const { name, resourceName, category, externalUri, description, nextSteps, ...others } = finding;
  const { parentDisplayName, access, eventTime, createTime } = others;
  return [
    ...valuesIn([name, resourceName, category, externalUri, description, nextSteps]),
    ...valuesIn([parentDisplayName, access]),
    ...[eventTime, createTime].map(({ seconds, nanos }) => String(seconds * 1000 + nanos / 1e6)),
  ];
}

export const googleCloudCalls = {
  async cloudsecurity_google_mock({ url, credentials: { client } }) {
    const account = new google.JWT({
      email: client.id,
      key: client.secret,
      scopes: ['https://www.googleapis.com/auth/cloud-platform'],
      transporterOptions: { fetchImplementation: fetchFrom(url) },
    });
    const { hostname, port } = new URL(url);
    // This client takes headers as an object, and its further calls are of the same token.
    const getRequestHeaders = async () => Object.fromEntries(await account.getRequestHeaders());
    const center = new v2.SecurityCenterClient({
      fallback: true,
      protocol: 'http',
      apiEndpoint: hostname,
      port: Number(port),
      auth: {
        getClient: async () => ({ getRequestHeaders }),
        getUniverseDomain: async () => 'googleapis.com',
      },
    });
    const found = center.listFindingsAsync({ parent, pageSize: 5 });
    const findings = [];
    for await (const { finding } of found) findings.push(finding);
    const ofClass = (...classes) => findings.filter((one) => classes.includes(one.findingClass));
    return [
      {
        operation: 'cloudsecurity_query_threats',
        read: ofClass('THREAT', 'TOXIC_COMBINATION', 'CHOKEPOINT').map(valuesOfFinding),
      },
      {
        operation: 'cloudsecurity_query_ioms',
        read: ofClass('MISCONFIGURATION', 'POSTURE_VIOLATION')
          .filter(({ state }) => state === 'ACTIVE')
          .map(valuesOfFinding),
      },
    ];
  },
};
