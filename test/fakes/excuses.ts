import type { Lie } from './lies.js';

type Reasons = Partial<Record<Lie, string>>;

const readsOnly: Reasons = { 'a write that does nothing': 'it writes nothing' };
const listsOnly: Reasons = { ...readsOnly, 'a swallowed error': 'it has lists alone' };
const unread: Reasons = { 'a write that does nothing': 'nothing reads what was written' };
const noFilter: Reasons = { 'a filter that is ignored': 'the vendor applies no filter' };
const noTime: Reasons = {
  'a time in another zone': 'its records have no times but that of the call',
};
const noSeverity: Reasons = {
  'a severity turned round':
    'the vendor has no records of two severities or priorities by which they could be ordered',
};
const noList: Reasons = {
  'a lost page': 'it has no list',
  'a filter that is ignored': 'it has no list',
  'a row twice': 'it has no list',
  'an empty list for a refusal': 'it has no list',
};

/** Lies that are not told or not found, by provider, each with the reason. */
const excuses: Readonly<Record<string, Reasons>> = {
  networksecurity_aws: { ...listsOnly, ...noSeverity },
  cloudsecurity_aws: listsOnly,
  vulnerabilities_amazon_inspector: listsOnly,
  appsec_amazon_inspector: readsOnly,
  assets_crowdstrike: listsOnly,
  assets_qualys_cloud: { ...listsOnly, ...noSeverity },
  vulnerabilities_rapid7_insight_cloud: readsOnly,
  vulnerabilities_qualys_cloud: {
    ...readsOnly,
    'a severity turned round': 'its records are XML, whose severities values.yaml holds instead',
  },
  assets_servicenow: noSeverity,
  vulnerabilities_crowdstrike: listsOnly,
  vulnerabilities_servicenow_vr: listsOnly,
  appsec_servicenow: readsOnly,
  cloudsecurity_crowdstrike: listsOnly,
  cloudsecurity_defender: listsOnly,
  cloudsecurity_google: listsOnly,
  cloudsecurity_wiz: listsOnly,
  vulnerabilities_wiz: listsOnly,
  assets_defender: listsOnly,
  vulnerabilities_defender: readsOnly,
  sink_elasticsearch: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_aws_sqs: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_datadog: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_crowdstrike_hec: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_gcs: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_opensearch: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_splunk: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_azure_monitor_logs: { ...noList, ...noTime, ...noSeverity, ...unread },
  sink_google_security_operations: { ...noList, ...noTime, ...noSeverity, ...unread },
  appsec_github: readsOnly,
  appsec_snyk: { ...readsOnly, 'a lost page': 'its lists have a page each in the made-up company' },
  identity_github: { ...readsOnly, ...noSeverity },
  identity_google: noSeverity,
  identity_aws_iam: { ...noFilter, ...noSeverity },
  endpointmanagement_intune: { ...noSeverity, ...unread },
  endpointmanagement_jamf: { ...noSeverity, ...unread },
  emailsecurity_defender_for_office: readsOnly,
  chat_microsoft_teams: { ...listsOnly, ...noSeverity },
  appsec_mock_appsec: {
    ...noFilter,
    ...noTime,
    ...noSeverity,
    'a wrong type': 'its records have no text beside their ids',
  },
  assets_mock_assets: { ...listsOnly, ...noFilter },
  chat_mock_chat: { ...listsOnly, ...noSeverity },
  custom_mock_custom: {
    ...noTime,
    ...noSeverity,
    'a wrong type': 'the contract leaves the fields of the domain open',
  },
  notifications_mock_notifications: { ...noList, ...noTime, ...noSeverity },
  sink_mock_sink: { ...noList, ...noTime, ...noSeverity },
  vulnerabilities_mock_vulnerabilities: { ...noFilter, ...noSeverity },
  incidentresponse_pagerduty: { ...listsOnly, ...noFilter, ...noTime, ...noSeverity },
  incidentresponse_incidentio: { ...listsOnly, ...noFilter, ...noTime, ...noSeverity },
  chat_slack: { ...listsOnly, ...noSeverity },
  notifications_slack: { ...noList, ...noTime, ...noSeverity },
  notifications_slack_webhook: {
    ...noList,
    ...noTime,
    ...noSeverity,
    ...unread,
  },
  notifications_teams: {
    ...noList,
    ...noTime,
    ...noSeverity,
    ...unread,
  },
  notifications_jira: {
    ...noList,
    ...noTime,
    ...noSeverity,
    'an invented field in the fake': 'its issues are those of ticketing_jira, which finds it',
  },
  ticketing_github: {
    ...noSeverity,
    'an unknown id that is found':
      'its fake asks of each record whether it is of the repository, which nothing is not',
  },
  ticketing_linear: {
    'an invented field in the fake': 'GraphQL sends the fields that a query names, and no others',
  },
};

/** Returns why the checks of the kit do not find a lie of a provider; undefined if they have to. */
export function excuseOf(type: string, lie: Lie): string | undefined {
  return excuses[type]?.[lie];
}
