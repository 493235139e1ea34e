// The calls of FalconJS, which CrowdStrike makes from the descriptions of its API.
import { FalconClient } from 'crowdstrike-falcon';
import { follow } from './pages.mjs';

function clientOf({ url, credentials: { client } }) {
  return new FalconClient({
    cloud: 'us-1',
    clientId: client.id,
    clientSecret: client.secret,
    // The client calls the clouds of CrowdStrike alone.
    fetchApi: (address, init) => fetch(address.replace('https://api.crowdstrike.com', url), init),
  });
}

/** A page of a response, whose token the vendor has in its meta data. */
const pageOf = ({ resources, meta }) => ({
  items: resources ?? [],
  next: meta.next ?? meta.pagination.after,
});

const hostsOf = (falcon) =>
  follow(async (token) => {
    const { resources, meta } = await falcon.hosts.combinedDevicesByFilter(token, 15);
    return { items: resources, next: meta.pagination.next };
  });
const alertsOf = (falcon, filter) =>
  follow(async (after) =>
    pageOf(await falcon.alerts.postCombinedAlertsV1({ after, limit: 5, filter })),
  );
const applicationsOf = (falcon) =>
  follow(async (after) =>
    pageOf(
      await falcon.discover.combinedApplications("name:!''", after, 100, undefined, ['host_info']),
    ),
  );
const vulnerabilitiesOf = (falcon) =>
  follow(async (after) =>
    pageOf(
      await falcon.spotlightVulnerabilities.combinedQueryVulnerabilities(
        "status:!''",
        after,
        200,
        undefined,
        ['cve', 'host_info'],
      ),
    ),
  );
const readHosts = (hosts) => hosts.map(({ deviceId, hostname }) => [deviceId, hostname]);
const readAlerts = (alerts) =>
  alerts.map(({ compositeId, displayName }) => [compositeId, displayName]);
const readFindings = (findings) => findings.map(({ id, cve }) => [id, cve.id]);

export const crowdstrikeCalls = {
  async edr_crowdstrike_mock(fake) {
    const falcon = clientOf(fake);
    const hosts = await hostsOf(falcon);
    const alerts = await alertsOf(falcon);
    const applications = await applicationsOf(falcon);
    const indicators = await follow(async (after) =>
      pageOf(await falcon.ioc.indicatorCombinedV1(undefined, undefined, 3, undefined, after)),
    );
    const scores = await follow(async (after) =>
      pageOf(await falcon.zeroTrustAssessment.getAssessmentsByScoreV1('score:>=0', 15, after)),
    );
    return [
      { operation: 'edr_query_endpoints', read: readHosts(hosts) },
      { operation: 'edr_query_alerts', read: readAlerts(alerts) },
      {
        operation: 'edr_query_applications',
        read: applications.map(({ host, name, version }) => [host.aid, name, version]),
      },
      {
        operation: 'edr_query_iocs',
        read: indicators
          // Addresses and hashes alone are patterns of STIX.
          .map(({ id }) => [id]),
      },
      { operation: 'edr_query_posture_score', read: scores.map(({ aid }) => [aid]) },
    ];
  },

  async assets_crowdstrike_mock(fake) {
    const falcon = clientOf(fake);
    const hosts = await hostsOf(falcon);
    const alerts = await alertsOf(falcon);
    const applications = await applicationsOf(falcon);
    const findings = await vulnerabilitiesOf(falcon);
    return [
      { operation: 'assets_query_devices', read: readHosts(hosts) },
      { operation: 'assets_query_alerts', read: readAlerts(alerts) },
      {
        operation: 'assets_query_software',
        read: applications.map(({ host, name, version }) => [host.aid, name, version]),
      },
      { operation: 'assets_query_vulnerabilities', read: readFindings(findings) },
    ];
  },

  async vulnerabilities_crowdstrike_mock(fake) {
    const falcon = clientOf(fake);
    const hosts = await hostsOf(falcon);
    const findings = await vulnerabilitiesOf(falcon);
    return [
      { operation: 'vulnerabilities_query_assets', read: readHosts(hosts) },
      { operation: 'vulnerabilities_query_findings', read: readFindings(findings) },
    ];
  },

  async cloudsecurity_crowdstrike_mock(fake) {
    const falcon = clientOf(fake);
    const { cloudSecurity, cloudSecurityAssets, cloudSecurityDetections } = falcon;
    const resourceIds = await follow(async (after) =>
      pageOf(await cloudSecurityAssets.cloudSecurityAssetsQueries(after, undefined, undefined, 15)),
    );
    const resources = await cloudSecurityAssets.cloudSecurityAssetsEntitiesGet(resourceIds);
    const iomIds = await follow(async (after) =>
      pageOf(
        await cloudSecurityDetections.cspmEvaluationsIomQueries(
          undefined,
          undefined,
          5,
          undefined,
          after,
        ),
      ),
    );
    const ioms = await cloudSecurityDetections.cspmEvaluationsIomEntities(iomIds);
    const risks = await cloudSecurity.combinedCloudRisks(undefined, undefined, 100);
    return [
      {
        operation: 'cloudsecurity_query_cloud_resource_inventory',
        read: resources.resources.map(({ resourceId }) => [resourceId]),
      },
      { operation: 'cloudsecurity_query_ioms', read: ioms.resources.map(({ id }) => [id]) },
      { operation: 'cloudsecurity_query_threats', read: risks.resources.map(({ id }) => [id]) },
    ];
  },
};
