import type { Caller, ManagementSchemas } from '#contract';
import type { Service } from './subjects.js';

/** What the management service says of a token. */
export interface Introspection {
  caller: Caller;
  /** A refresh secret is good for refresh and reset only. */
  kind: 'access' | 'refresh';
  /** Epoch milliseconds. */
  expiresAt: number;
  organizationState: 'enabled' | 'disabled';
}

/** A secret that the management service gave out once, and that opens nothing any more: whose it was. */
export interface RefusedSecret {
  /** `reused`: a refresh secret came back after its time, and its token is revoked by that. */
  refused: 'expired' | 'revoked' | 'reused';
  organizationId: string;
  memberId?: string;
  accountId?: string;
  integrationId?: string;
}

/** Where a secret came from, for the record of what is done about it. */
export interface Origin {
  requestId: string;
  method: string;
  path: string;
  remoteAddress: string;
  userAgent: string;
}

/** A call with a token that is known, which ended at the gateway: for the audit trail. */
export interface GatewayRecord extends Origin {
  organizationId: string;
  memberId?: string;
  accountId?: string;
  integrationId?: string;
  /** What happened, where that is more than a call that failed. */
  event?: 'token_refused' | 'permission_denied';
  /** The status of the answer, where the call is one of the management API. */
  status?: number;
  message?: string;
  /** How often, one like the other. */
  times: number;
}

/** A chain of mappings for some operations; `name:version` of each, in order, with their documents. */
export interface ResolvedChain {
  operationIds: readonly string[];
  mappings: readonly ResolvedMapping[];
}

export interface ResolvedMapping {
  /** `default:0`, or the mapping's name and version. */
  reference: string;
  /** The YAML document; absent for `default:0`, which the provider brings. */
  data?: string;
}

export interface ResolvedAdditionalMapping {
  resource: string;
  actions: readonly string[];
  source: string;
  destination: string;
  literal: boolean;
  dataType: string;
}

/** What a connector needs to run operations of an integration. Credentials are sealed. */
export interface ResolvedIntegration {
  id: string;
  organizationId: string;
  accountId: string;
  category: string;
  providerType: string;
  providerConfig: Record<string, unknown>;
  /** The customer's own document that describes the provider; absent for built-in ones. */
  providerDocument?: { id: string; version: string; data: string };
  /** By credential id: the configuration, sealed, and until when it is good. */
  credentials: Readonly<Record<string, { sealed: string; expires: string | null }>>;
  chains: readonly ResolvedChain[];
  additionalMappings: readonly ResolvedAdditionalMapping[];
}

/** A step of a sign-on, as it came over HTTP. */
export interface SignOnStep {
  organizationId: string;
  visit: {
    requestId: string;
    method: string;
    path: string;
    remoteAddress: string;
    userAgent: string;
  };
}

/** The browser that began the sign-on, by its cookie. */
interface InBrowser {
  browser: {
    secret: string;
    /** It travels encrypted, and nobody else can have set it. */
    secure: boolean;
  };
}

/** The calls between services: name, input, output. All of them travel as JSON. */
export interface InternalCalls {
  /** By the token's SHA-256 in hexadecimal: the token itself stays in the gateway. */
  'tokens.introspect': {
    input: { hash: string; origin?: Origin };
    output: Introspection | RefusedSecret | null;
  };
  'audit.gateway': { input: { records: readonly GatewayRecord[] }; output: null };
  /** Asks the provider of an integration, which need not be stored; the answer says nothing, a failure why. */
  'integrations.verify': { input: ResolvedIntegration; output: null };
  'integrations.resolve': {
    input: { organizationId: string; integrationId: string };
    output: ResolvedIntegration;
  };
  /** Begins a sign-on: where the browser goes, and whether its cookie travels encrypted only. */
  'sso.begin': {
    input: SignOnStep & {
      /** The secret that the cookie will have. */
      secret: string;
      /** A configuration by id or name. */
      sso: string;
      /** The page that is given the code of the session, and what it is to be told again. */
      returnTo: string | null;
      returnState: string | null;
    };
    output: { signOn: string; location: string; secure: boolean };
  };
  /** What came to the redirect address, as the query of its URL. */
  'sso.oidc_answer': {
    input: SignOnStep & InBrowser & { signOn: string; search: string };
    output: { location: string };
  };
  /** What came to the assertion consumer service. */
  'sso.saml_answer': {
    input: SignOnStep & { signOn: string; response: string };
    output: { location: string };
  };
  'sso.finish': {
    input: SignOnStep & InBrowser & { code: string };
    output: { location: string } | { logon: ManagementSchemas['LogonResponse'] };
  };
  'sso.exchange': {
    input: SignOnStep & { code: string };
    output: ManagementSchemas['LogonResponse'];
  };
  'sso.saml_metadata': { input: { organizationId: string }; output: { xml: string } };
}

/** What the bus has to know of an internal call. */
export interface InternalCallRules {
  servedBy: 'management' | 'connector';
  calledBy: readonly Service[];
  /** Input and output carry secrets, such as cookies, codes or tokens: both travel sealed. */
  hasSecrets: boolean;
  /** Doing it twice does no harm: when the process that took it ends, another one is asked. */
  isRepeatable: boolean;
}

const signOn: InternalCallRules = {
  servedBy: 'management',
  calledBy: ['gateway'],
  hasSecrets: true,
  isRepeatable: false,
};

/** The NATS permissions of the services and the sealing of bodies follow from these. */
export const internalCallRules: Readonly<Record<keyof InternalCalls, InternalCallRules>> = {
  'tokens.introspect': {
    servedBy: 'management',
    calledBy: ['gateway'],
    hasSecrets: false, // a hash of 256 random bits
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
    hasSecrets: false, // credentials are sealed as they are in the database
    isRepeatable: true,
  },
  'integrations.resolve': {
    servedBy: 'management',
    calledBy: ['connector'],
    hasSecrets: false,
    isRepeatable: true,
  },
  'sso.begin': signOn,
  'sso.oidc_answer': signOn,
  'sso.saml_answer': signOn,
  'sso.finish': signOn,
  'sso.exchange': signOn,
  'sso.saml_metadata': { ...signOn, hasSecrets: false, isRepeatable: true },
};
