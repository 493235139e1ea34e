// The calls of the vendors' own clients, each beside the operation of ours that shows the same. `read` is what the client has read, and
// `ours` the same of a record of ours, in the order of the vendor.
import { Client as Elasticsearch } from '@elastic/elasticsearch';
import { Octokit } from '@octokit/rest';
import okta from '@okta/okta-sdk-nodejs';
import pagerduty from '@pagerduty/pdjs';
import { WebClient } from '@slack/web-api';
import { awsCalls } from './aws.mjs';
import { azureCalls } from './azure.mjs';
import { azureDevopsCalls } from './azure-devops.mjs';
import { crowdstrikeCalls } from './crowdstrike.mjs';
import { datadogCalls } from './datadog.mjs';
import { gitlabCalls } from './gitlab.mjs';
import { googleCloudCalls } from './google-cloud.mjs';
import { googleCalls } from './google.mjs';
import { jiraCalls } from './jira.mjs';
import { graphCalls } from './microsoft-graph.mjs';
import { opensearchCalls } from './opensearch.mjs';
import { all } from './pages.mjs';
import { splunkCalls } from './splunk.mjs';
import { sqsCalls } from './sqs.mjs';
import { zendeskCalls } from './zendesk.mjs';

/** By type of the mock: makes the client for the fake at the address, and calls it. Each call is the operation, its path, and what was read. */
export const callsOf = {
  async chat_slack_mock({ url, credentials: { secret } }) {
    const slack = new WebClient(secret, { slackApiUrl: `${url}/api/` });
    const users = await all(slack.paginate('users.list', { limit: 15 }), ({ members }) => members);
    const channels = await all(
      slack.paginate('conversations.list', {
        limit: 4,
        types: 'public_channel,private_channel,mpim,im',
      }),
      (page) => page.channels,
    );
    const incident = channels.find(({ name }) => name === 'incident-1208');
    const members = await slack.conversations.members({ channel: incident.id });
    const path = { conversationId: incident.id };
    return [
      { operation: 'chat_query_users', read: users.map(({ id, name }) => [id, name]) },
      { operation: 'chat_query_conversations', read: channels.map(({ id }) => [id]) },
      {
        operation: 'chat_query_conversation_members',
        path,
        read: members.members.map((id) => [id]),
      },
    ];
  },

  async identity_github_mock({ url, credentials: { secret } }) {
    const github = new Octokit({ auth: secret, baseUrl: url });
    const org = 'alderpoint';
    const users = await github.paginate(github.orgs.listMembers, { org, per_page: 15 });
    const teams = await github.paginate(github.teams.list, { org, per_page: 2 });
    const [first] = teams;
    const members = await github.paginate(github.teams.listMembersInOrg, {
      org,
      team_slug: first.slug,
    });
    return [
      { operation: 'identity_query_users', read: users.map(({ login }) => [login]) },
      { operation: 'identity_query_groups', read: teams.map(({ slug, name }) => [slug, name]) },
      {
        operation: 'identity_get_group_members',
        path: { groupId: first.slug },
        read: members.map(({ login }) => [login]),
      },
    ];
  },

  async appsec_github_mock({ url, credentials: { secret } }) {
    const github = new Octokit({ auth: secret, baseUrl: url });
    const repositories = await github.paginate(github.repos.listForOrg, { org: 'alderpoint' });
    const alerts = await github.paginate(github.codeScanning.listAlertsForOrg, {
      org: 'alderpoint',
      per_page: 4,
    });
    const packages = await github.paginate(github.dependabot.listAlertsForOrg, {
      org: 'alderpoint',
    });
    const secrets = await github.paginate(github.secretScanning.listAlertsForOrg, {
      org: 'alderpoint',
    });
    const named = (kind, list) =>
      list.map(({ number, repository }) => [`${repository.name}:${kind}:${number}`]);
    return [
      { operation: 'appsec_query_applications', read: repositories.map(({ name }) => [name]) },
      {
        operation: 'appsec_query_findings',
        read: [
          ...named('code-scanning', alerts),
          ...named('dependabot', packages),
          ...named('secret-scanning', secrets),
        ],
      },
    ];
  },

  async identity_okta_mock({ url, credentials: { secret } }) {
    const client = new okta.Client({
      orgUrl: url,
      token: secret,
      disableHttpsCheck: true,
      testing: { disableHttpsCheck: true },
    });
    const users = await all(await client.userApi.listUsers({ search: 'id pr', limit: 15 }));
    const groups = await all(await client.groupApi.listGroups({}));
    const vpn = groups.find(({ profile }) => profile.name === 'VPN Users');
    const members = await all(await client.groupApi.listGroupUsers({ groupId: vpn.id, limit: 20 }));
    return [
      {
        operation: 'identity_query_users',
        read: users.map(({ id, profile }) => [id, profile.login]),
      },
      { operation: 'identity_query_groups', read: groups.map(({ id }) => [id]) },
      {
        operation: 'identity_get_group_members',
        path: { groupId: vpn.id },
        read: members.map(({ id, profile }) => [id, profile.login]),
      },
    ];
  },

  async siem_elasticsearch_mock({ url, credentials: { basic } }) {
    const client = new Elasticsearch({ node: url, auth: basic });
    const index = '.alerts-security.alerts-default';
    const hits = await client.helpers.search({ index, query: { match_all: {} }, size: 500 });
    const resolved = await client.indices.resolveIndex({ name: 'logs-*' });
    return [
      {
        operation: 'siem_query_alerts',
        read: hits.map((hit) => [hit['kibana.alert.uuid'] ?? hit.kibana?.alert?.uuid]),
      },
      {
        operation: 'siem_query_log_providers',
        read: resolved.data_streams.map(({ name }) => [name]),
      },
    ];
  },

  async ticketing_pagerduty_mock({ url, credentials: { secret } }) {
    const api = (path) =>
      pagerduty.api({ token: secret, url: `${url}${path}` }).then(({ data }) => data);
    const pages = async (path, key) => {
      const items = [];
      for (;;) {
        const mark = path.includes('?') ? '&' : '?';
        const page = await api(`${path}${mark}limit=3&offset=${items.length}`);
        items.push(...page[key]);
        if (!page.more) return items;
      }
    };
    const incidents = await pages('/incidents?date_range=all', 'incidents');
    const services = await pages('/services', 'services');
    return [
      { operation: 'ticketing_query_tickets', read: incidents.map(({ id, title }) => [id, title]) },
      { operation: 'ticketing_list_projects', read: services.map(({ id, name }) => [id, name]) },
    ];
  },

  ...splunkCalls,
  ...awsCalls,
  ...azureCalls,
  ...azureDevopsCalls,
  ...crowdstrikeCalls,
  ...datadogCalls,
  ...gitlabCalls,
  ...googleCalls,
  ...googleCloudCalls,
  ...graphCalls,
  ...jiraCalls,
  ...opensearchCalls,
  ...sqsCalls,
  ...zendeskCalls,
};

const falcon = ['crowdstrike-falcon'];
const graph = ['@microsoft/microsoft-graph-client'];

/** The packages of each. */
export const clients = {
  chat_slack_mock: ['@slack/web-api'],
  identity_github_mock: ['@octokit/rest'],
  appsec_github_mock: ['@octokit/rest'],
  identity_google_mock: ['@googleapis/admin'],
  identity_okta_mock: ['@okta/okta-sdk-nodejs'],
  identity_entra_id_mock: graph,
  endpointmanagement_intune_mock: graph,
  chat_microsoft_teams_mock: graph,
  emailsecurity_defender_for_office_mock: graph,
  siem_elasticsearch_mock: ['@elastic/elasticsearch'],
  siem_opensearch_mock: ['@opensearch-project/opensearch'],
  sink_opensearch_mock: ['@opensearch-project/opensearch'],
  siem_sentinel_mock: ['@azure/arm-securityinsight'],
  sink_azure_monitor_logs_mock: ['@azure/monitor-ingestion'],
  cloudsecurity_google_mock: ['@google-cloud/security-center'],
  cloudsecurity_defender_mock: ['@azure/arm-security'],
  siem_splunk_mock: ['splunk-sdk'],
  siem_datadog_mock: ['@datadog/datadog-api-client'],
  sink_datadog_mock: ['@datadog/datadog-api-client'],
  ticketing_pagerduty_mock: ['@pagerduty/pdjs'],
  appsec_gitlab_mock: ['@gitbeaker/rest'],
  ticketing_azure_devops_mock: ['azure-devops-node-api'],
  ticketing_jira_mock: ['jira.js'],
  ticketing_jira_service_management_mock: ['jira.js'],
  ticketing_zendesk_mock: ['node-zendesk'],
  sink_aws_sqs_mock: ['@aws-sdk/client-sqs'],
  cloudsecurity_aws_mock: ['securityhub', 'guardduty', 'config-service', 'cloudtrail'].map(
    (service) => `@aws-sdk/client-${service}`,
  ),
  edr_crowdstrike_mock: falcon,
  assets_crowdstrike_mock: falcon,
  vulnerabilities_crowdstrike_mock: falcon,
  cloudsecurity_crowdstrike_mock: falcon,
  vulnerabilities_amazon_inspector_mock: ['@aws-sdk/client-inspector2'],
  appsec_amazon_inspector_mock: ['@aws-sdk/client-inspector2'],
  identity_aws_iam_mock: ['@aws-sdk/client-iam'],
  networksecurity_aws_mock: ['@aws-sdk/client-cloudwatch-logs', '@aws-sdk/client-ec2'],
};
