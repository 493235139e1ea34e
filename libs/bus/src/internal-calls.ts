import type { Caller } from '#contract';

/** What the management service says of a token. */
export interface Introspection {
  caller: Caller;
  /** A refresh secret is good for refresh and reset only. */
  kind: 'access' | 'refresh';
  /** Epoch milliseconds. */
  expiresAt: number;
  organizationState: 'enabled' | 'disabled';
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

/** The calls between services: name, input, output. All of them travel as JSON. */
export interface InternalCalls {
  /** By the token's SHA-256 in hexadecimal: the token itself stays in the gateway. */
  'tokens.introspect': { input: { hash: string }; output: Introspection | null };
  'integrations.resolve': {
    input: { organizationId: string; integrationId: string };
    output: ResolvedIntegration;
  };
}
