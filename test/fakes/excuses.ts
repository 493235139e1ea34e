import type { Lie } from './lies.js';

type Reasons = Partial<Record<Lie, string>>;

const readsOnly: Reasons = { 'a write that does nothing': 'it writes nothing' };
const listsOnly: Reasons = { ...readsOnly, 'a swallowed error': 'it has lists alone' };
const unread: Reasons = { 'a write that does nothing': 'nothing reads what was written' };
const noDescription: Reasons = {
  'an invented field in the fake': 'no description of the vendor can be had',
};
const madeUp: Reasons = {
  'an invented field in the fake': 'the vendor is made up: its fake is all that describes it',
};
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
  networksecurity_aws: { ...listsOnly, ...noDescription, ...noSeverity },
  cloudsecurity_aws: { ...listsOnly, ...noDescription },
  edr_crowdstrike: noDescription,
  assets_crowdstrike: { ...listsOnly, ...noDescription },
  vulnerabilities_crowdstrike: { ...listsOnly, ...noDescription },
  cloudsecurity_crowdstrike: { ...listsOnly, ...noDescription },
  sink_elasticsearch: { ...noList, ...noTime, ...noSeverity, ...unread },
  appsec_github: readsOnly,
  identity_github: { ...readsOnly, ...noSeverity },
  identity_entra_id: noDescription,
  endpointmanagement_intune: { ...noDescription, ...noSeverity, ...unread },
  emailsecurity_defender_for_office: { ...readsOnly, ...noDescription },
  chat_microsoft_teams: { ...listsOnly, ...noDescription, ...noSeverity },
  appsec_mock_appsec: {
    ...madeUp,
    ...noFilter,
    ...noTime,
    ...noSeverity,
    'a wrong type': 'its records have no text beside their ids',
  },
  assets_mock_assets: { ...listsOnly, ...madeUp, ...noFilter },
  chat_mock_chat: { ...listsOnly, ...madeUp, ...noSeverity },
  custom_mock_custom: {
    ...madeUp,
    ...noTime,
    ...noSeverity,
    'a wrong type': 'the contract leaves the fields of the domain open',
  },
  notifications_mock_notifications: { ...noList, ...madeUp, ...noTime, ...noSeverity },
  siem_mock_siem: madeUp,
  sink_mock_sink: { ...noList, ...madeUp, ...noTime, ...noSeverity },
  vulnerabilities_mock_vulnerabilities: { ...madeUp, ...noFilter, ...noSeverity },
  incidentresponse_pagerduty: { ...listsOnly, ...noFilter, ...noTime, ...noSeverity },
  chat_slack: { ...listsOnly, ...noDescription, ...noSeverity },
  notifications_slack: { ...noList, ...noDescription, ...noTime, ...noSeverity },
  notifications_slack_webhook: {
    ...noList,
    ...noDescription,
    ...noTime,
    ...noSeverity,
    ...unread,
  },
  vulnerabilities_tenable_cloud: noDescription,
  assets_tenable_cloud: noDescription,
};

/** Returns why the checks of the kit do not find a lie of a provider; undefined if they have to. */
export function excuseOf(type: string, lie: Lie): string | undefined {
  return excuses[type]?.[lie];
}
