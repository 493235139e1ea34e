import type { WebhookEvent } from '#contract';
import type { Evidence, Proof } from './proof.js';

/** A provider document as its YAML has it; `provider-document.schema.json` describes each key. */
export interface DocumentSource extends Omit<
  ProviderSource,
  'provider' | 'fullname' | 'authorization' | 'proof'
> {
  provider?: string;
  fullname?: string;
  proof?: Proof | Evidence[];
  /** Beside several providers: shared by those at which people authorize. */
  authorization?: Partial<AuthorizationSource>;
  /** Several providers of one vendor, by their ids. */
  providers?: Record<string, EntrySource>;
}

/** The keys of one provider of several. */
export interface EntrySource extends Partial<
  Pick<
    ProviderSource,
    'fullname' | 'vendor' | 'description' | 'availability' | 'setup' | 'configuration' | 'verify'
  >
> {
  proof?: Proof | Evidence[];
  base_url?: string;
  /** Keys that are absent are as the document has them beside `providers`. */
  authorization?: Partial<AuthorizationSource>;
}

/** How people authorize an application of the host at the provider: the authorization code grant of OAuth 2. */
export interface AuthorizationSource {
  /** Place of the credential in provider_config; it accepts tokens. */
  credential: string;
  authorize_url: string;
  token_url: string;
  scopes: string[];
  /** Between two scopes; a space when absent, as the standard says. */
  separator?: string;
  /** The name of the authorization server in its answers (RFC 9207), where it has one. */
  issuer?: string;
  /** Where client id and secret stand in the token request; basic when absent. */
  client?: 'basic' | 'body';
  parameters?: Record<string, string>;
  /** Properties of the configuration that claims of the id token tell, which is then asked for. */
  claims?: Record<string, string>;
  /** Where tokens are given back, or why they cannot be. */
  revocation?: RevocationSource;
  /** Where the vendor documents this. */
  source: string;
}

/** How granted tokens are given back: `form` is RFC 7009. */
export type RevocationSource =
  | {
      url: string;
      token?: 'form' | 'bearer' | 'json';
      /** Statuses by which the vendor says that it takes the token no more. */
      over?: number[];
      source: string;
    }
  | { none: string };

/** A document of one provider. */
export interface ProviderSource {
  provider: string;
  version: string;
  fullname: string;
  vendor: string;
  description?: string;
  owner?: string;
  availability?:
    'internal' | 'in-development' | 'pre-release' | 'deprecated' | 'generally-available';
  proof?: Proof;
  setup?: Setup;
  authorization?: AuthorizationSource;
  configuration?: Record<string, unknown>;
  credentials?: Record<string, CredentialSource>;
  http: HttpSource;
  errors?: ErrorSource[];
  verify?: VerificationSource[];
  /** Files with more operations. */
  include?: string[];
  /** Calls that steps and others use, by their names. */
  calls?: Record<string, SharedCallSource>;
  mappings?: Record<string, unknown>;
  /** Reasons by operation: what the API of the provider cannot serve. */
  unsupported?: Record<string, string>;
  webhooks?: WebhooksSource;
  /** Reads that other operations use, and callers cannot call. */
  reads?: Record<string, OperationSource>;
  operations: Record<string, OperationSource>;
}

/** How the provider reports changes of its records. */
export interface WebhooksSource {
  events: string[];
  event_types?: WebhookEvent[];
  instructions?: string;
  register?: WebhookCallSource;
  inspect?: WebhookCallSource;
  unregister?: WebhookCallSource;
  signature?: {
    header: string;
    prefix?: string;
    encoding?: 'hex' | 'base64';
    algorithm?: 'sha256' | 'sha1' | 'sha512';
    secret?: 'text' | 'hex' | 'base64';
    content?: string;
  };
  timestamp?: { value: string; unit?: 'seconds' | 'milliseconds' | 'date' };
  id?: string;
  /** The name of a mapping. */
  mapping: string;
}

export interface WebhookCallSource {
  needs?: string;
  /** Conditions that the request has to fulfil. */
  checks?: CheckSource[];
  steps: StepSource[];
  result?: string;
}

/** How somebody gets the credential at the provider. */
export interface Setup {
  /** Steps for a person, in order. */
  steps: string[];
  /** A page of the provider. */
  link?: string;
}

export const credentialKinds = [
  'basic',
  'token',
  'secret',
  'o_auth_client',
  'aws',
  'aws_role',
  'tls_certificate',
] as const;
export type CredentialKind = (typeof credentialKinds)[number];
export type CredentialSource = { optional?: boolean; beside?: boolean } & Partial<
  Record<CredentialKind, SendingSource>
>;

export type SendingSource =
  | { send: 'basic'; username?: string; password?: string }
  | { send: 'header' | 'query'; name: string; value: string }
  | { send: 'body'; name?: string; value: string }
  | SessionSource
  | { send: 'address'; value: string }
  | {
      send: 'client_credentials';
      token_url: string;
      scope?: string;
      parameters?: string;
      /** `basic`, `body`, or a query in braces. */
      client?: string;
    }
  | { send: 'sigv4'; service?: string; region: string }
  | { send: 'tls' }
  | { send: 'hmac_sha256'; name: string; prefix?: string; secret?: string }
  | { send: 'azure_storage'; secret?: string };

/** A session that a login opens. */
export interface SessionSource {
  send: 'session';
  login: SessionCallSource;
  token: string;
  /** Seconds. */
  lifetime?: string | number;
  /** How the token is sent. */
  as: Extract<SendingSource, { send: 'header' | 'query' | 'body' }>;
  logout?: SessionCallSource;
}

export interface HttpSource {
  base_url: string;
  origins?: string[];
  headers?: string;
  timeout?: number;
  message?: string;
  limited?: string;
  warnings?: string;
  limits?: {
    concurrency?: number;
    requests?: number;
    period?: number;
    budgets?: BudgetSource[];
    response_bytes?: number;
    stream_bytes?: number;
  };
  retry?: {
    attempts?: number;
    statuses?: number[];
    after?: string;
    resets?: { header: string; unit: 'seconds' | 'epoch' | 'epoch_ms' | 'date' }[];
  };
}

/** How many calls of a kind the provider takes in a period. */
export interface BudgetSource {
  name: string;
  paths?: string[];
  methods?: Method[];
  requests: number | string;
  /** Seconds. */
  period: number;
  source?: string;
}

export interface ErrorSource {
  when: string;
  status: number;
  message?: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Encoding = 'json' | 'form' | 'multipart' | 'ndjson' | 'binary' | 'stream';
export type ResponseKind = 'json' | 'text' | 'ndjson' | 'binary' | 'stream' | 'none';

export interface CallSource {
  /** The name of one of `calls`, whose keys it takes over. */
  use?: string;
  /** The input of that call. */
  with?: string;
  method?: Method;
  /** Absent if a step has `url`. */
  path?: string;
  query?: string;
  headers?: string;
  body?: string;
  credential?: string;
}

/** A request and how its response is read. */
export interface RequestSource extends CallSource {
  url?: string;
  encoding?: Encoding;
  answer?: ResponseKind;
  accept?: number[];
  repeatable?: boolean;
  anonymous?: boolean;
  checks?: CheckSource[];
  result?: string;
}

export type SharedCallSource = Omit<RequestSource, 'use' | 'with'>;
export type SessionCallSource = Omit<RequestSource, 'credential' | 'anonymous' | 'url'>;

export interface VerificationSource extends CallSource {
  needs: string;
  answer?: 'json' | 'text';
  accept?: number[];
  passes?: string;
  message?: string;
}

/** A condition, and what the caller gets where it does not hold. */
export interface CheckSource {
  that: string;
  status: number;
  message: string;
}

export interface StepSource extends RequestSource {
  name?: string;
  when?: string;
  each?: string;
  concurrency?: number;
  /** The name of the part that is the uploaded file. */
  part?: string;
  at_end?: boolean;
  optional?: boolean | string;
  /** A function of the vendor's `client.ts`, instead of a request. */
  function?: string;
  poll?: { until: string; failed?: string; every?: number };
  page?: PageSource;
  cut?: string;
}

export interface PageSource {
  kind: 'offset' | 'page' | 'token' | 'link' | 'keyset';
  size: number;
  step?: string;
  count?: string;
  total?: string;
  more?: string;
  next?: string;
  again?: string;
  key?: string;
  advance?: string;
  short_page_is_last?: boolean;
  fixed_size?: boolean;
  max_pages?: number;
  /** The rows of an answer, for a page of a step. */
  rows?: string;
  window?: WindowSource;
}

/** How a list is read that the provider ends early: by windows of time. */
export interface WindowSource {
  time: string;
  descending?: string;
  from?: string;
  until?: string;
  max_rows?: number;
  span_days?: number;
  earliest?: string;
}

/** The effect of an operation on the provider's records. */
export type Action = 'query' | 'read' | 'create' | 'patch' | 'delete';

export interface OperationSource {
  resource?: string;
  action?: Action;
  needs?: string;
  request?: string;
  response?: string;
  fields?: Record<
    string,
    {
      /** Absent for the type of the contract. */
      type?: 'string' | 'number' | 'boolean' | 'datetime' | 'enum' | 'list';
      values?: string[];
      filters?: string[];
      orders?: ('asc' | 'desc')[];
      sortable?: boolean;
      path?: string;
      /** The name of the field at the provider. */
      name?: string;
    }
  >;
  order?: string;
  required_fields?: string[];
  read_only?: string[];
  current?: string;
  page?: PageSource;
  steps: StepSource[];
  rows?: string;
  record?: string;
  /** The result of an action that has no record. */
  result?: string;
  /** Texts about the parts that failed, where the rest succeeded. */
  problems?: string;
  /** Name and type of the file that the operation returns. */
  file?: string;
  then?: { operation: string; path?: string };
  /** Conditions that the request has to fulfil. */
  checks?: CheckSource[];
  errors?: ErrorSource[];
}
