import { type MistakeKind, mistakes } from './plant.js';

type Reasons = Partial<Record<MistakeKind, string>>;

const forAll = (kinds: readonly MistakeKind[], reason: string): Reasons =>
  Object.fromEntries(kinds.map((kind) => [kind, reason]));

const id = { 'an unknown id is found': 'no step of the walk asks for an unknown id' };
const ownId = {
  'an unknown id is found': 'the document says itself that there is none',
};
const write = { 'a write is forgotten': 'the provider writes nothing' };
const unread = { 'a write is forgotten': 'nothing reads what was written' };
const unknown = {
  'there is an unknown field': 'the mapping reads the fields that it knows, and leaves no others',
};
const order = { 'the order is reversed': 'the rows are put in order here' };
const noList = forAll(
  mistakes.filter((kind) => kind !== 'an unknown id is found' && kind !== 'a write is forgotten'),
  'its fake has no list of several records',
);
const onePage = forAll(
  [
    'a page is lost',
    'a page comes again',
    'the last row of a page is lost',
    'a row is there twice',
    'the list ends early',
    'the filter is ignored',
    'the order is reversed',
  ],
  'its list has one page and no filter',
);
const shortPage = {
  'the list ends early': 'the list ends with a short page, whatever is said of the next',
};

const byNumber =
  'its lists come in chunks by their number, which a page that comes again does not reach';
const noFilter = { 'the filter is ignored': 'the vendor applies no filter' };
const lastRow = {
  'the last row of a page is lost':
    'the next page begins behind the rows that came, so that the lost row is on it',
};

const nextRow = {
  'a page comes again':
    'the list goes on behind the last row that it gave, so that each row comes once, a page later',
};

/** Mistakes that are not found, by mock, each with the reason. */
const excuses: Readonly<Record<string, Reasons>> = {
  networksecurity_aws_mock: { ...id, ...write },
  cloudsecurity_aws_mock: { ...id, ...write },
  edr_crowdstrike_mock: id,
  assets_crowdstrike_mock: { ...write, ...ownId },
  vulnerabilities_crowdstrike_mock: { ...id, ...write },
  cloudsecurity_crowdstrike_mock: { ...id, ...write, ...order },
  siem_elasticsearch_mock: { ...id, ...unknown, ...shortPage },
  sink_elasticsearch_mock: { ...noList, ...id, ...unread },
  appsec_github_mock: { ...id, ...write },
  identity_github_mock: write,
  endpointmanagement_intune_mock: unread,
  emailsecurity_defender_for_office_mock: { ...write, ...ownId },
  chat_microsoft_teams_mock: { ...id, ...write, ...order },
  appsec_mock_appsec: { ...noList, ...id },
  assets_mock_assets: {
    ...id,
    ...write,
    ...unknown,
    ...lastRow,
    ...nextRow,
    ...noFilter,
    'a field has another type': 'ids and names of devices are written as texts, whatever they are',
  },
  custom_mock_custom: {
    'a field has an unknown value': 'the contract leaves the fields of the domain open',
  },
  chat_mock_chat: { ...id, ...write, ...unknown },
  notifications_mock_notifications: noList,
  siem_mock_siem: { ...id, ...unknown },
  sink_mock_sink: { ...noList, ...id },
  vulnerabilities_mock_vulnerabilities: {
    ...id,
    ...unknown,
    ...lastRow,
    ...nextRow,
    ...noFilter,
  },
  incidentresponse_pagerduty_mock: { ...onePage, ...id, ...write },
  ticketing_pagerduty_mock: id,
  chat_slack_mock: { ...id, ...write },
  notifications_slack_mock: { ...noList, ...id },
  notifications_slack_webhook_mock: { ...noList, ...id, ...unread },
  vulnerabilities_tenable_cloud_mock: {
    ...order,
    'a page comes again': byNumber,
    'the list ends early': 'an export says how many chunks it has',
  },
  assets_tenable_cloud_mock: {
    ...id,
    ...order,
    'a page comes again': byNumber,
    'a field has an unknown value': 'the mapping keeps what it does not know',
    'the list ends early': 'an export says how many chunks it has',
  },
};

/** Returns why the checks of a mock do not find a mistake; undefined if they have to. */
export function excuseOf(type: string, kind: MistakeKind): string | undefined {
  return excuses[type]?.[kind];
}
