/**
 * Lists that cannot promise each row once while rows are added between their pages, by provider and operation, with the reason.
 * docs/providers/lists.md explains the kinds of paging.
 */
export const notEvenOnce: Readonly<Record<string, string>> = {
  'cloudsecurity_crowdstrike cloudsecurity_query_threats':
    'CrowdStrike pages its alerts by offset, the newest first: a new alert moves all others back by one',
  'siem_elasticsearch siem_query_investigations':
    'Kibana pages cases by page number, the newest first: a new case moves all others back by one',
  'ticketing_pagerduty ticketing_query_tickets':
    'PagerDuty pages incidents by offset: one that is dated back moves the later ones',
};

/** Fields of lists that cannot be compared, because no record has them by this name. */
export const incomparableFields: Readonly<Record<string, readonly string[]>> = {
  'ticketing_pagerduty ticketing_query_tickets': ['time'], // another name of created_at
};

/** Refusals that are not what the engine derives from the status, by provider, operation and status, with the reason. */
export const excusedFailures: Readonly<Record<string, string>> = {
  'identity_github identity_get_user_picture 401':
    'the picture is at a public address, which gets no credential to be named',
  'identity_github identity_get_user_picture 403':
    'the picture is at a public address, which gets no credential to be named',
  'identity_github identity_query_audit_log 404':
    'GitHub has the log in Enterprise Cloud alone, and answers 404 everywhere else: the document makes that a 501',
};

/** Providers whose vendor does not say when a rate limit ends. */
export const limitsWithoutTime: ReadonlySet<string> = new Set([
  'networksecurity_aws',
  'cloudsecurity_aws',
  'siem_elasticsearch',
  'sink_elasticsearch',
]);
