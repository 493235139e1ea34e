import type {
  Caller,
  ConnectSessionData,
  Locale,
  ManagementSchemas,
  OperationId,
  VerificationCheck,
} from '#contract';
import type { AgentFacts, AgentStats } from '#bridge';

/** The result of looking up a token in the management service. */
export interface Introspection {
  caller: Caller;
  /** A refresh secret can only refresh and reset its token. */
  kind: 'access' | 'refresh';
  /** Epoch milliseconds. */
  expiresAt: number;
  organizationState: 'enabled' | 'disabled';
  /** After so many milliseconds the answer may be another one without a change, as something has expired. Earlier versions do not say. */
  validMs?: number;
}

/** The owner of a secret that was issued once and is no longer valid. */
export interface RefusedSecret {
  /** `reused`: a refresh secret was used again too late, which revoked its token. */
  refused: 'expired' | 'revoked' | 'reused';
  organizationId: string;
  memberId?: string;
  accountId?: string;
  integrationId?: string;
}

/** The origin of a request with a secret, for the audit trail. */
export interface Origin {
  requestId: string;
  method: string;
  path: string;
  remoteAddress: string;
  userAgent: string;
}

/** A request with a known token that ended at the gateway, or that changed something at a provider, for the audit trail. */
export interface GatewayRecord extends Origin {
  organizationId: string;
  memberId?: string;
  accountId?: string;
  integrationId?: string;
  /** The Connect session of the caller. */
  session?: ConnectSessionData;
  /** The event, if it is more than a failed call. */
  event?: 'token_refused' | 'permission_denied';
  /** The status of the response, for calls of the management API and changes at providers. */
  status?: number;
  message?: string;
  /** Number of equal requests. */
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
  /** The YAML document; absent for `default:0`, which is part of the provider. */
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

/** The result of trying a configuration that the provider accepts. */
export interface Verification {
  /** False if the provider has no verification, so that nothing was called. */
  isTried: boolean;
  /** The calls of the document's verification; all of them passed. */
  checks?: readonly VerificationCheck[];
  /** Faults of the document or its mappings: a record that does not fit the contract, with mapping and field. */
  invalid?: string;
  /** The reason for which no records were checked. */
  unchecked?: string;
}

/** A credential as connectors get it. */
export interface ResolvedCredential {
  /** The encrypted configuration. */
  sealed: string;
  expires: string | null;
  /** It is tried before anything is stored. */
  isStored?: false;
  /** Present for a token that a person granted, and the provider renews. */
  renewal?: ResolvedRenewal;
}

/** How a connector has a token renewed. */
export interface ResolvedRenewal {
  /** ISO 8601; null where the token is renewed when the provider refuses it. */
  dueAt: string | null;
  /** Permits it, for this credential and the domain of the integration. */
  ticket: string;
}

/** The result of a renewal: the credential as it is then, or why the provider renews it no more. */
export type RenewedCredential =
  { sealed: string; renewal: ResolvedRenewal } | { refused: string; credentialId: string };

/** The end of a granted token whose credential is deleted. */
export interface GrantRevoked {
  /** `over`: the provider took it no more before. `kept`: somebody else uses it. `left`: the provider still takes it. */
  outcome: 'revoked' | 'over' | 'kept' | 'left';
  /** One sentence without a token. */
  reason?: string;
}

/** The data with which a connector runs operations of an integration. Credentials are encrypted. */
export interface ResolvedIntegration {
  id: string;
  organizationId: string;
  accountId: string;
  category: string;
  /** ISO 8601. */
  createdAt: string;
  providerType: string;
  providerConfig: Record<string, unknown>;
  /** The document of a custom provider; absent for built-in ones. */
  providerDocument?: { id: string; version: string; data: string };
  /** By credential id. */
  credentials: Readonly<Record<string, ResolvedCredential>>;
  chains: readonly ResolvedChain[];
  additionalMappings: readonly ResolvedAdditionalMapping[];
  /** The bridge groups that calls go through; absent where they go directly. */
  bridge?: ResolvedBridge;
  /** Dangerous operations need the token of their dry run. */
  confirmsDangers?: true;
  /** Present while the bodies of its calls are recorded: until when (ISO 8601), and the wrapped data key that seals them. */
  recording?: { until: string; dataKey: string };
}

/** A recorded call, and what it is replayed with beside the integration as it is. */
export interface ReplayedCall {
  operation: OperationId;
  integration: ResolvedIntegration;
  /** The recorded bodies. */
  sealed: string;
  given: {
    /** In place of the chain of the operation. */
    mappings?: readonly ResolvedMapping[];
    /** In place of the document of the provider. */
    providerDocument?: string;
  };
}

/** The bridge groups that an integration selects, in the order of their names. */
export interface ResolvedBridge {
  /** As a person would say it: `the bridge group "plant-north"`. */
  selected: string;
  groups: readonly string[];
  /** When the last agent of them was there, ISO 8601; null if there never was one. */
  lastSeen: string | null;
}

/** A webhook at a provider. Token and secret are encrypted for the account. */
export interface GoneWebhook {
  providerId: string;
  project: string;
  token: string;
  secret: string;
}

/** The HTTP request of a sign-on step. */
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

/** The secret from the cookie of the browser that started the sign-on. */
interface InBrowser {
  browser: {
    secret: string;
    /** True if the cookie is only sent over https and could not be set by another host. */
    secure: boolean;
  };
}

/** An agent that asks to be admitted. */
export interface BridgeAgent {
  /** The fingerprint of its own key. */
  key: string;
  /** Identifies the process of the agent. */
  instance: string;
  facts: AgentFacts;
}

/** The state of an agent at its gateway. */
export interface BridgeReport {
  organizationId: string;
  bridgeId: string;
  key: string;
  instance: string;
  /** Identifies the connection. */
  session: string;
  isConnected: boolean;
  stats: AgentStats;
  /** Milliseconds between a ping and its answer. */
  responseMs: number | null;
}

/** The state of an internal call besides its input; a method gets it by `@Ctx()`. */
export interface InternalContext {
  /** Creates the signal that is aborted when the caller hangs up, or when its deadline passes. */
  signal: () => AbortSignal;
}

/** A browser that brings the answer of a provider: the one that began, `secure` where a cookie shows it that only the gateway can set. */
export type GrantBrowser = 'secure' | 'same' | 'another';

/** The end of an authorization, as the browser is told it. */
export interface AuthorizationOutcome {
  status: 'granted' | 'refused';
  /** One sentence for the person, in the language of the session, or else of the browser. */
  message: string;
  /** Language of the sentence, such as `de`. */
  language: string;
}

/** The calls between services: name, input, output. All are serialized as JSON. */
export interface InternalCalls {
  /** Answers a process that asks whether the management service accepts its calls. */
  'management.ping': { input: Record<string, never>; output: null };
  /** Takes the SHA-256 hash of the token in hexadecimal, so that the token itself stays in the gateway. */
  'tokens.introspect': {
    input: { hash: string; origin?: Origin };
    output: Introspection | RefusedSecret | null;
  };
  /** Issues the token of a webhook at a provider: it takes in messages of the integration, and does nothing else. */
  'hooks.issue_token': {
    input: { organizationId: string; integrationId: string };
    output: { tokenId: string; secret: string };
  };
  'hooks.revoke_token': { input: { organizationId: string; tokenId: string }; output: null };
  /** Deletes a webhook at the provider of an integration that does not exist any more. No error if it is gone there. */
  'hooks.unregister': {
    input: { integration: ResolvedIntegration; webhook: GoneWebhook };
    output: null;
  };
  /**
   * Admits an agent to its bridge group: checks the credential, pins the agent's key, and refuses a key that another process of
   * the agent uses. @throws ApiError 401 or 409
   */
  'bridges.admit': {
    input: { credential: string; agent: BridgeAgent; origin: Origin };
    output: { organizationId: string; bridgeId: string; session: string };
  };
  /** Tells of the agents that a gateway has, and of those that it had. Returns the keys of those that must be disconnected. */
  'bridges.report': {
    input: { agents: readonly BridgeReport[] };
    output: { invalid: readonly string[] };
  };
  /** The origins whose pages may embed the Connect UI of an organization, by its id or name; none if there is no such organization. */
  'connect.origins': {
    input: { organization: string };
    output: { origins: readonly string[] };
  };
  /** Finds the page of the provider at which somebody decides; null for a `state` that is unknown, expired or used. With what a person is told or asked there. */
  'connect.authorization_page': {
    input: { state: string; acceptLanguage: string };
    output: {
      location: string | null;
      isSecure: boolean;
      language: Locale;
      message: string;
      next: string;
    };
  };
  /** Takes the answer of a provider's authorization page: the query of the request to the redirect address. */
  'connect.authorization_answer': {
    input: {
      search: string;
      browser: GrantBrowser;
      visit: SignOnStep['visit'];
      acceptLanguage: string;
    };
    output: AuthorizationOutcome;
  };
  /** Where the API is reached from outside. */
  'hooks.public_url': { input: Record<string, never>; output: { url: string } };
  'audit.gateway': { input: { records: readonly GatewayRecord[] }; output: null };
  /** Verifies an integration, stored or not, with its provider. An error says what failed; without a verification nothing is tried. */
  'integrations.verify': { input: ResolvedIntegration; output: Verification };
  /** Runs a recorded call again, as the integration is and with what is given, from recorded answers alone. @throws ApiError 409 if that is not possible */
  'requests.replay': { input: ReplayedCall; output: ManagementSchemas['ReplayedRequest'] };
  /**
   * Returns the changes of records that were committed before the call, as far as they are behind a position of an earlier answer. Without
   * `changes`, any record may have changed.
   */
  'changes.confirm': {
    input: { after?: string };
    output: { position: string; changes?: readonly string[] };
  };
  /** Forgets integrations that depend on a record; without an id, all. Every connector is asked, and answers when it has. */
  'integrations.forget': { input: { id?: string }; output: null };
  'integrations.resolve': {
    input: { organizationId: string; integrationId: string };
    output: ResolvedIntegration;
  };
  /** Renews a granted token that is due, or that the provider refused (the SHA-256 hash of it in hexadecimal). */
  'credentials.renew': {
    input: { organizationId: string; ticket: string; refused?: string };
    output: RenewedCredential;
  };
  /** Gives the token of a deleted credential back to its provider. An error says that it may be tried again. */
  'credentials.revoke': {
    input: { organizationId: string; id: string };
    output: GrantRevoked;
  };
  /** Starts a sign-on. Returns the URL for the browser, and whether its cookie must be sent over https only. */
  'sso.begin': {
    input: SignOnStep & {
      /** The secret for the cookie. */
      secret: string;
      /** A configuration by id or name. */
      sso: string;
      /** The page that gets the code of the session, and its state. */
      returnTo: string | null;
      returnState: string | null;
    };
    output: { signOn: string; location: string; secure: boolean };
  };
  /** The query of the request to the redirect URL. */
  'sso.oidc_answer': {
    input: SignOnStep & InBrowser & { signOn: string; search: string };
    output: { location: string };
  };
  /** The form that was posted to the assertion consumer service. */
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
