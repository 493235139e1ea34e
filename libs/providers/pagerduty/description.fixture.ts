/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- A description is JSON of any shape. */
import { sharedDescription } from '#test/harness';

/** Schemas of the description, of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Schemas = Record<string, any>;

export const description = sharedDescription(
  'pagerduty.json',
  {
    // It requires a media type even without a body.
    optionalHeaders: ['accept', 'content-type'],
    formats: { url: /^https?:/, tzinfo: /^[A-Z][a-z]+\/[A-Za-z_]+$/ },
  },
  // It describes references only; included records have the type of the object.
  ({ components }) => {
    const { Oncall, TeamReference, UserReference } = components.schemas;
    TeamReference.allOf[1].properties.type = { enum: ['team', 'team_reference'] };
    UserReference.allOf[1].properties.type = { enum: ['user', 'user_reference'] };
    // Null if somebody is always on call, as its texts say.
    for (const name of ['schedule', 'start', 'end']) Oncall.properties[name].nullable = true;
    correctIncidents(components.schemas as Schemas);
    // PagerDuty gives the body of an incident to those who ask for it, and does not say so.
    const { schema } = components.parameters.include_incident;
    schema.enum = [...schema.enum, 'body'];
  },
);

/** Included records are whole; the description has them as references alone, with a text that says so. */
export const undescribed =
  /has no field (?:\/escalation_policies\/\*\/(?:escalation_rules\/\*\/targets|teams)\/\*|\/oncalls\/\*\/user)\//;

/** Corrects what the description says of incidents and services. */
function correctIncidents({ Incident, IncidentBody, Service }: Schemas): void {
  const incident = Incident.allOf[1].properties;
  // Null where the account has no priorities, and until it is resolved.
  incident.priority = { anyOf: [incident.priority, { enum: [null] }] };
  incident.resolved_at.nullable = true;
  // An incident that was made with a body has it when it is read alone.
  const details = { type: 'string' }; // an object, it says, and has a text as the example
  IncidentBody.properties.details = details;
  incident.body = { type: 'object', nullable: true, properties: { type: details, details } };
  // Null where the feature is disabled, as their texts say.
  const service = Service.allOf[1].properties;
  for (const name of ['auto_resolve_timeout', 'acknowledgement_timeout'])
    service[name].nullable = true;
}
