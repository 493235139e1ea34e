import { type ManagementSchemas, operations } from '#contract';

export type Domain = ManagementSchemas['CategoryId'];
type Connector = ManagementSchemas['Connector'];
type Availability = ManagementSchemas['Availability'];

/** Display name and description of each domain. */
const texts: Readonly<Record<Domain, readonly [fullname: string, description: string]>> = {
  appsec: ['Application security', 'Applications, their scans and findings'],
  assets: ['Assets', 'Devices, software and their use'],
  chat: ['Chat', 'Conversations, their members and messages'],
  cloudsecurity: ['Cloud security', 'Cloud resources, misconfigurations and threats'],
  custom: ['Custom', 'Operations that a customer defines'],
  edr: ['Endpoint detection and response', 'Endpoints, alerts, threats and actions on them'],
  emailsecurity: ['Email security', 'Mail events and threats'],
  endpointmanagement: ['Endpoint management', 'Managed devices, compliance and actions'],
  identity: ['Identity', 'Users, groups, risks and the audit log'],
  incidentresponse: ['Incident response', 'Escalation policies and who is on call'],
  networksecurity: ['Network security', 'Traffic logs and their configuration'],
  notifications: ['Notifications', 'Messages that are raised and cleared'],
  siem: ['SIEM', 'Events, alerts and investigations'],
  sink: ['Sink', 'Destinations for events'],
  storage: ['Storage', 'Files and folders'],
  ticketing: ['Ticketing', 'Tickets, comments, notes and attachments'],
  vulnerabilities: ['Vulnerabilities', 'Findings, assets and scans'],
};

export const domains = Object.keys(texts) as Domain[];

/** Describes a domain, without its providers. */
export function connectorOf(domain: Domain, providerIds: readonly string[]): Connector {
  const [fullname, description] = texts[domain];
  return {
    id: domain,
    name: domain,
    fullname,
    description,
    provider_ids: [...providerIds],
    release: { availability: availabilityOf(domain, providerIds) },
  };
}

/** A domain is in development without a served operation, or without a built-in provider. */
function availabilityOf(domain: Domain, providerIds: readonly string[]): Availability {
  if (domain !== 'custom' && providerIds.length === 0) return 'in-development';
  const served = [...operations.values()].some(
    ({ side, group, state }) => side === 'connector' && group === domain && state === 'served',
  );
  return served ? 'generally-available' : 'in-development';
}
