/** A record of any shape, as far as clients look into it. */
type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

interface Rule {
  /** The records that the rule is about. */
  of: (record: Json) => boolean;
  members: readonly string[];
}

const isFinding = ({ class_uid: uid }: Json) => uid >= 2001 && uid <= 2007 && uid !== 2005;

/** Members that clients of this API shape read without a check, such as the name of a device that they copy. */
const rules: readonly Rule[] = [
  {
    of: ({ class_uid: uid, metadata }) => typeof uid === 'number' && metadata !== undefined,
    members: [
      'metadata.version',
      'metadata.product.name',
      'metadata.product.vendor_name',
      'severity',
      'severity_id',
      'time',
      'type_uid',
    ],
  },
  {
    of: ({ device }) => device?.hostname !== undefined || device?.uid !== undefined,
    members: ['device.name', 'device.hostname', 'device.uid', 'device.type_id'],
  },
  {
    of: isFinding,
    members: ['resources.0.uid', 'resources.0.name', 'resources.0.type', 'message'],
  },
  {
    of: (record) => isFinding(record) && record['finding'] !== undefined,
    members: ['finding.uid', 'finding.title', 'finding.desc'],
  },
  {
    of: (record) => isFinding(record) && record['finding_info'] !== undefined,
    members: ['finding_info.uid', 'finding_info.title'],
  },
  {
    of: ({ vulnerabilities }) => vulnerabilities?.[0]?.cve !== undefined,
    members: ['vulnerabilities.0.cve.uid', 'vulnerabilities.0.cve.cvss.0.base_score'],
  },
  { of: ({ entity }) => entity?.user !== undefined, members: ['entity.uid', 'entity.user.name'] },
  { of: ({ entity }) => entity?.group !== undefined, members: ['entity.uid', 'entity.group.name'] },
];

const resource = ['resources.0.uid', 'resources.0.name', 'resources.0.type'];
const ofCloud = '3 alerts of the company name neither a host nor a user';
const noHost = 'an assessment names the id of the sensor alone';
const splunkHosts = 'Splunk knows hosts by name';
const sentinelHosts = 'entities of alerts and columns of tables name hosts, and have no id of most';
const asPosted = 'records that callers post stay as they are';

/** Members that a vendor does not have, by provider, operation and member, with the reason. */
const unknownMembers: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['edr_crowdstrike edr_query_posture_score', ['device.name', 'device.hostname'], noHost],
    [
      'assets_defender assets_query_device_software',
      ['device.name', 'device.hostname'],
      'the software of a device names its id alone',
    ],
    [
      'endpointmanagement_intune endpointmanagement_query_devices',
      ['device.hostname'],
      '6 phones of the company have names that people gave them',
    ],
    [
      'vulnerabilities_wiz vulnerabilities_query_assets',
      ['device.hostname'],
      '2 functions of the company run on no host',
    ],
    [
      'vulnerabilities_amazon_inspector vulnerabilities_query_assets',
      ['device.hostname'],
      'functions and images run on no host, and Inspector knows instances by their tags',
    ],
    [
      'vulnerabilities_amazon_inspector vulnerabilities_query_findings',
      ['device.hostname'],
      'functions and images run on no host, and Inspector knows instances by their tags',
    ],
    [
      'appsec_servicenow appsec_query_findings',
      ['vulnerabilities.0.cve.cvss.0.base_score'],
      'Application Vulnerability Response uses no data of the NVD, and has no scores of CVSS',
    ],
    ['siem_mock_siem siem_query_alerts', ['device.uid'], 'the made-up SIEM knows hosts by name'],
    ['siem_mock_siem siem_get_alert', ['device.uid'], 'the made-up SIEM knows hosts by name'],
    ['cloudsecurity_crowdstrike cloudsecurity_query_events', resource, ofCloud],
    ['siem_elasticsearch siem_query_alerts', resource, ofCloud],
    ['siem_mock_siem siem_query_alerts', resource, ofCloud],
    ['siem_mock_siem siem_query_events', ['severity'], asPosted],
    ['siem_elasticsearch siem_query_events', ['severity'], asPosted],
    ['siem_crowdstrike siem_query_alerts', resource, ofCloud],
    ['siem_crowdstrike siem_query_events', ['severity'], asPosted],
    [
      'siem_crowdstrike siem_query_events',
      ['device.uid'],
      'events that no sensor saw name hosts, and have no id of them',
    ],
    ['siem_datadog siem_query_events', ['severity'], asPosted],
    ['siem_datadog siem_query_alerts', ['device.uid'], 'Datadog knows hosts by name'],
    ['siem_datadog siem_get_alert', ['device.uid'], 'Datadog knows hosts by name'],
    ['siem_splunk siem_query_alerts', resource, ofCloud],
    ['siem_splunk siem_query_events', ['severity'], asPosted],
    ['siem_splunk siem_query_alerts', ['device.uid'], splunkHosts],
    ['siem_splunk siem_get_alert', ['device.uid'], splunkHosts],
    ['siem_splunk siem_query_events', ['device.uid'], splunkHosts],
    ['edr_sentinelone edr_query_alerts', [...resource, 'device.uid'], ofCloud],
    ['edr_sentinelone edr_query_edr_events', ['device.uid'], 'base events have no device'],
    ['siem_opensearch siem_query_events', ['severity'], asPosted],
    ['siem_google_security_operations siem_query_events', ['severity'], asPosted],
    ['siem_google_security_operations siem_query_alerts', resource, ofCloud],
    ['siem_sentinel siem_query_events', ['severity'], asPosted],
    ['siem_sentinel siem_query_alerts', resource, ofCloud],
    ['siem_sentinel siem_query_alerts', ['device.uid'], sentinelHosts],
    ['siem_sentinel siem_get_alert', ['device.uid'], sentinelHosts],
    ['siem_sentinel siem_query_events', ['device.uid'], sentinelHosts],
    ['cloudsecurity_defender cloudsecurity_query_threats', ['device.uid'], sentinelHosts],
    [
      'vulnerabilities_mock_vulnerabilities vulnerabilities_query_findings',
      ['device.uid'],
      asPosted,
    ],
    [
      'vulnerabilities_mock_vulnerabilities vulnerabilities_query_findings',
      ['finding.desc'],
      asPosted,
    ],
    ...['appsec_create_findings', 'appsec_query_findings'].map(
      (id) => [`appsec_mock_appsec ${id}`, ['severity', 'message', ...resource], asPosted] as const,
    ),
  ].flatMap(([operation, members, reason]) =>
    (members as string[]).map((member) => [`${String(operation)} ${member}`, String(reason)]),
  ),
);

/** True if so many records may lack a member: its reason may begin with their number. */
export function isExcused(place: string, records: number): boolean {
  const reason = unknownMembers[place];
  return reason !== undefined && records <= (parseInt(reason) || records);
}

/** Returns the members that clients read of a record and that it does not have. */
export function wantedMembers(record: unknown): string[] {
  if (typeof record !== 'object' || record === null) return [];
  return rules.flatMap(({ of, members }) =>
    of(record) ? members.filter((member) => isEmpty(valueAt(record, member))) : [],
  );
}

function valueAt(record: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Json | undefined)?.[name], record);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
