import type { InternalCalls } from './internal-calls.js';
import type { Service } from '../subjects.js';

/** How the bus handles an internal call. */
export interface InternalCallRules {
  servedBy: 'management' | 'connector';
  calledBy: readonly Service[];
  /** Input and output contain secrets, such as cookies, codes or tokens, and are encrypted. */
  hasSecrets: boolean;
  /** The call is idempotent: if the process that accepted it ends, it is sent to another one. */
  isRepeatable: boolean;
}

const signOn: InternalCallRules = {
  servedBy: 'management',
  calledBy: ['gateway'],
  hasSecrets: true,
  isRepeatable: false,
};

/** The NATS permissions of the services and the encryption of bodies are derived from these. */
export const internalCallRules: Readonly<Record<keyof InternalCalls, InternalCallRules>> = {
  'management.ping': {
    servedBy: 'management',
    calledBy: ['gateway', 'connector', 'operations'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'tokens.introspect': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: false, // a hash of 256 random bits
    isRepeatable: true,
  },
  'hooks.issue_token': {
    servedBy: 'management',
    calledBy: ['connector'],
    hasSecrets: true,
    isRepeatable: false,
  },
  'hooks.revoke_token': {
    servedBy: 'management',
    calledBy: ['connector'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'hooks.unregister': {
    servedBy: 'connector',
    calledBy: ['operations'],
    hasSecrets: false, // encrypted as in the database
    isRepeatable: true,
  },
  'bridges.admit': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: true,
    isRepeatable: true,
  },
  'bridges.report': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'connect.origins': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'connect.authorization_page': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: true,
    isRepeatable: true,
  },
  'connect.authorization_answer': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: true,
    isRepeatable: false,
  },
  'hooks.public_url': {
    servedBy: 'management',
    calledBy: ['connector'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'audit.gateway': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: false,
    isRepeatable: false,
  },
  'integrations.verify': {
    servedBy: 'connector',
    calledBy: ['management'],
    hasSecrets: false, // credentials are encrypted as in the database
    isRepeatable: true,
  },
  'requests.replay': {
    servedBy: 'connector',
    calledBy: ['management'],
    hasSecrets: true, // bodies of customers
    isRepeatable: true,
  },
  'changes.confirm': {
    servedBy: 'management',
    calledBy: ['gateway', 'connector'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'integrations.forget': {
    servedBy: 'connector',
    calledBy: ['management'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'integrations.resolve': {
    servedBy: 'management',
    calledBy: ['connector'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'credentials.renew': {
    servedBy: 'management',
    calledBy: ['connector'],
    hasSecrets: false, // credentials are encrypted as in the database
    isRepeatable: true,
  },
  'credentials.revoke': {
    servedBy: 'management',
    calledBy: ['operations'],
    hasSecrets: false, // an id, and a sentence
    isRepeatable: true,
  },
  'sso.begin': signOn,
  'sso.oidc_answer': signOn,
  'sso.saml_answer': signOn,
  'sso.finish': signOn,
  'sso.exchange': signOn,
  'sso.saml_metadata': { ...signOn, hasSecrets: false, isRepeatable: true },
};
