import type { Value } from '@onefold/mapping';
import type { Language } from '../languages/language.js';
import type {
  InputKindSource,
  PageSource,
  ParameterSource,
  RevocationSource,
  RouteSource,
  WriteSource,
} from '../generated/fake-source.js';
import type { Headers, Query, Template, TextTemplate } from './expressions.js';

/** A fake document, compiled. Caches use the object itself as key, so it never changes. */
export interface FakeDocument {
  readonly name: string;
  readonly constants: Readonly<Record<string, Value>>;
  readonly refusesUnknownParameters: boolean;
  /** True if routes with GET and POST take their parameters from a form, too. */
  readonly takesForms: boolean;
  /** Ending that any path may have. */
  readonly pathSuffix: string | undefined;
  readonly collections: ReadonlyMap<string, Collection>;
  readonly templates: ReadonlyMap<string, Template>;
  readonly auth: Auth | undefined;
  readonly limits: { fallback: Limit; buckets: ReadonlyMap<string, Limit> } | undefined;
  readonly headers: Headers;
  readonly errors: Errors;
  readonly faults: ReadonlyMap<string, VendorFault>;
  readonly routes: readonly Route[];
  readonly mock: MockDefaults;
  readonly odd: OddDefaults;
}

/** Settings of the document for the dataset ODD. */
export interface OddDefaults {
  readonly constants: Readonly<Record<string, Value>>;
  /** False where a field without a value is null, never absent. */
  readonly leavesOut: boolean;
  /** The scope of the part that is not licensed; null for none, undefined for the engine's choice. */
  readonly unlicensed: string | null | undefined;
}

/** Defaults of the integrations of mocks that run over the fake. */
export interface MockDefaults {
  /** `provider_config` of the provider documents, without credentials. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** The principal whose credentials they use; the first of the document when undefined. */
  readonly principal: string | undefined;
}

export interface Collection {
  readonly name: string;
  readonly from: Query | undefined;
  readonly row: Template | undefined;
  readonly id: Query;
  readonly also: readonly string[];
  readonly hidden: readonly string[];
  readonly inside: string | undefined;
  readonly visibleAfterMs: number;
  /** Records of the world that are served, evenly spread; set by a test, all when undefined. */
  readonly maxRows?: number | undefined;
  readonly odd: OddRecords;
}

/** How the records of a collection differ in the dataset ODD. Places are names with dots. */
export interface OddRecords {
  readonly always: readonly string[];
  readonly ownNames: readonly string[];
  readonly beside: readonly Readonly<Record<string, Value>>[];
  /** Whether there is a record with nothing but what all have. */
  readonly hasBare: boolean;
  readonly rows: number;
}

export interface Auth {
  readonly principals: ReadonlyMap<string, readonly string[]>;
  readonly accepts: readonly Acceptance[];
}

export interface OauthAcceptance {
  readonly kind: 'oauth';
  /** Path of the token endpoint. */
  readonly path: string;
  readonly lifetimeSeconds: number;
  readonly status: number;
  /** Whether a request without a grant type is refused, as RFC 6749 says. */
  readonly needsGrantType: boolean;
  /** Whether a signed statement (RFC 7523) stands for id and secret; the secrets are private keys. */
  readonly isSigned: boolean;
  /** Form in which integrations get a private key as a secret. */
  readonly as: Query | undefined;
  readonly refused: string;
  readonly body: Template | undefined;
}

/** How people authorize an application: the authorization code grant of OAuth 2. */
export interface CodeAcceptance {
  readonly kind: 'oauth_code';
  /** Path of the page where people decide. */
  readonly page: string;
  /** Path of the token endpoint. */
  readonly path: string;
  /** Whom a granted token acts for. */
  readonly principal: string;
  /** Shown on the page. */
  readonly vendor: string;
  readonly clients: ReadonlyMap<string, CodeClient>;
  /** Whether tokens have the scopes of the principal, whatever was asked for. */
  readonly anyScopes: boolean;
  /** Whether a renewal ends the access token before it. */
  readonly revokes: boolean;
  readonly revocation: Revocation | undefined;
  readonly refused: Readonly<Record<'client' | 'code' | 'redirect' | 'refresh', string>>;
  readonly body: Template | undefined;
}

/** Where applications give back what people granted. */
export interface Revocation {
  readonly method: string;
  /** With `{client_id}` where the vendor has it in the path. */
  readonly path: string;
  /** `form`: RFC 7009; `bearer`: the token itself authenticates; `json`: its field `access_token`. */
  readonly token: NonNullable<RevocationSource['token']>;
  /** The error for an unknown token; undefined where the vendor confirms it, as RFC 7009 says. */
  readonly unknown: string | undefined;
  readonly status: number;
  readonly body: Template | undefined;
}

/** An application that people can authorize. */
export interface CodeClient {
  /** Until an access token expires; undefined for one that does not. */
  readonly lifetimeSeconds?: number | undefined;
  readonly refresh: boolean;
}

export interface SecretAcceptance {
  readonly kind: 'secret';
  readonly secret: Query;
  readonly as: Query | undefined;
}

export interface BasicAcceptance {
  readonly kind: 'basic';
  readonly username: Query | undefined;
}

export interface Sigv4Acceptance {
  readonly kind: 'sigv4';
  readonly service: string;
}

export type Acceptance =
  OauthAcceptance | CodeAcceptance | SecretAcceptance | BasicAcceptance | Sigv4Acceptance;

export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Errors {
  readonly body: Template;
  readonly headers: Headers;
  readonly type: string;
  readonly named: ReadonlyMap<string, ErrorLook>;
}

export interface ErrorLook {
  readonly status: number;
  readonly message: TextTemplate;
  readonly values: Readonly<Record<string, Value>>;
  readonly headers: Headers;
  readonly body: Template | undefined;
}

export interface VendorFault {
  readonly match: string;
  readonly alter: Template | undefined;
  readonly error: string | undefined;
}

export interface Route {
  /** `GET /users/{id}`. */
  readonly key: string;
  readonly methods: readonly string[];
  readonly path: string;
  /** The field of a query of GraphQL that is answered, such as `Query.issues`. */
  readonly field: string | undefined;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** Literal segments; of two routes that match, the one with more is meant. */
  readonly literals: number;
  /** The scope; null where nobody is asked, undefined for any caller. */
  readonly access: string | null | undefined;
  /** The bucket; null for none. */
  readonly limit: string | null;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly input: Input;
  readonly with: ReadonlyMap<string, Lookup>;
  readonly let: ReadonlyMap<string, Query>;
  readonly checks: readonly Check[];
  readonly list: List | undefined;
  readonly each: Query | undefined;
  readonly atomic: boolean;
  readonly writes: readonly Write[];
  /** Webhook messages that are sent because of the request. */
  readonly messages: Query | undefined;
  readonly status: Query | undefined;
  readonly headers: Headers;
  readonly type: string | undefined;
  readonly encoding: NonNullable<RouteSource['encoding']>;
  readonly body: Template | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly type: NonNullable<ParameterSource['type']>;
  readonly default: Value;
  readonly required: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly clamp: boolean;
  readonly values: readonly Value[] | undefined;
  readonly split: string | undefined;
  readonly maxLength: number;
  readonly in: NonNullable<ParameterSource['in']>;
}

export interface Input {
  readonly kind: InputKindSource | undefined;
  /** Maximum size of a file. */
  readonly maxBytes: number;
  readonly pairs: boolean;
  readonly single: Query | undefined;
  readonly required: boolean;
}

export interface Lookup {
  readonly from: string;
  readonly id: Query | undefined;
  readonly where: Query | undefined;
  readonly missing: string | undefined;
}

export interface Check {
  readonly key: string;
  readonly that: Query;
  readonly error: string;
  readonly detail: TextTemplate | undefined;
}

export interface List {
  readonly place: string;
  readonly from: string | undefined;
  readonly rows: Query | undefined;
  readonly filters: readonly Filter[];
  readonly where: Query | undefined;
  readonly order: Query | undefined;
  readonly stale: Query | undefined;
  readonly page: Page | undefined;
}

export interface Filter {
  readonly language: Language;
  readonly text: Query;
  /** The path within a record of each field; undefined when every path is a field. */
  readonly fields: ReadonlyMap<string, string> | undefined;
  readonly operators: readonly string[] | undefined;
}

export interface Page {
  readonly kind: NonNullable<PageSource['kind']>;
  readonly size: Query | undefined;
  readonly defaultSize: number;
  readonly maxSize: number;
  /** Where the page begins: of each kind its own key. */
  readonly at: Query | undefined;
  /** The cursor that a page of relay ends before, and how many records it has at its end. */
  readonly before: Query | undefined;
  readonly last: Query | undefined;
  readonly first: number;
  readonly parameter: string | undefined;
  readonly frozen: boolean;
  readonly expiresSeconds: number | undefined;
  readonly endless: boolean;
  /** True for records that a page counts and does not show. */
  readonly unseen: Query | undefined;
  /** Records behind so many are on no page. */
  readonly ends: number;
  /** Whether the vendor says that only the last page is shorter than asked for. */
  readonly isWhole: boolean;
}

export type Verb = keyof Pick<WriteSource, 'create' | 'change' | 'put' | 'delete'>;

export interface Write {
  readonly place: string;
  readonly when: Query | undefined;
  readonly checks: readonly Check[];
  readonly verb: Verb;
  readonly collection: string;
  readonly id: Query | undefined;
  readonly row: Template | undefined;
  readonly exists: string;
  readonly missing: string | undefined;
  readonly then: readonly Write[];
  readonly later: Later | undefined;
}

export interface Later {
  readonly after: Query;
  readonly row: Template;
}
