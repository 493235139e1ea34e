import { servedDomains } from '#contract';
import { eventRules } from '../events.js';
import { internalCallRules } from '../calls/internal-call-rules.js';
import {
  bridgeSubject,
  domainCallSubject,
  eventSubject,
  inboxSubject,
  internalSubject,
  operationSubject,
  presenceSubject,
  processSubject,
  type Service,
} from '../subjects.js';

/** A kind of process with its own NATS user. */
export interface BusRole {
  /** As in `NatsTransportOptions`; also the name of the user. */
  role: string;
  services: readonly Service[];
  /** The domains of a connector. */
  domains?: readonly string[];
}

export interface SubjectPermissions {
  publish: string[];
  subscribe: string[];
}

const oneProcess = '*';

/** The subjects that a kind of process needs, and no others. */
export function subjectPermissions({ role, services, domains = [] }: BusRole): SubjectPermissions {
  const is = (those: readonly Service[]) => those.some((one) => services.includes(one));
  const publish = [presenceSubject, processSubject(oneProcess), inboxSubject('*', '*', '*')];
  const subscribe = [presenceSubject, processSubject(oneProcess), inboxSubject(role, '*', '*')];
  if (is(['gateway'])) publish.push(`${operationSubject('*', '*')}.${oneProcess}`);
  if (is(['gateway'])) subscribe.push(`${bridgeSubject('*')}.${oneProcess}`);
  if (is(['connector'])) publish.push(`${bridgeSubject('*')}.${oneProcess}`);
  // The worker runs operations of integrations, as their clients do.
  if (is(['operations']))
    for (const domain of servedDomains)
      publish.push(`${operationSubject(domain, '*')}.${oneProcess}`);
  // Management asks the connector of an integration to create a job of it.
  if (is(['management']))
    for (const domain of servedDomains)
      publish.push(`${operationSubject(domain, 'operations_create')}.${oneProcess}`);
  const owners = [
    ...(is(['management']) ? ['management'] : []),
    ...(is(['connector']) ? [...domains, 'hooks'] : []),
  ];
  for (const owner of owners) subscribe.push(`${operationSubject(owner, '*')}.${oneProcess}`);
  for (const [name, { calledBy, servedBy }] of Object.entries(internalCallRules)) {
    const subject = `${internalSubject(name)}.${oneProcess}`;
    if (is(calledBy)) publish.push(subject);
    if (is(calledBy) && servedBy === 'connector' && is(['management']))
      for (const domain of servedDomains)
        publish.push(`${domainCallSubject(domain, name)}.${oneProcess}`);
    if (is([servedBy])) subscribe.push(subject);
  }
  for (const [name, { publishedBy, heardBy }] of Object.entries(eventRules)) {
    if (is(publishedBy)) publish.push(eventSubject(name));
    if (is(heardBy)) subscribe.push(eventSubject(name));
  }
  return { publish, subscribe };
}

/** Returns the variable from which nats-server reads the password of a role. */
export function passwordVariable(role: string): string {
  return `NATS_PASSWORD_${role.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/** Returns a user per role in the format of nats-server's configuration. */
export function natsPermissions(roles: readonly BusRole[]): string {
  const list = (subjects: readonly string[]) =>
    subjects.map((subject) => `          "${subject}"\n`).join('');
  const users = roles.map((one) => {
    const { publish, subscribe } = subjectPermissions(one);
    return `    {
      user: "${one.role}"
      password: $${passwordVariable(one.role)}
      permissions: {
        publish: { allow: [
${list(publish)}        ] }
        subscribe: { allow: [
${list(subscribe)}        ] }
      }
    }
`;
  });
  return `authorization {
  users: [
${users.join('')}  ]
}
`;
}
