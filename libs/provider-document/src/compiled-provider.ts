import type { OperationId } from '#contract';
import type { CompiledDocument, CompiledTemplate } from '@onefold/mapping';
import type { ClientFunction } from './client-function.js';
import type { CompiledQuery } from './document-reader.js';
import type { PathTemplate, TextTemplate } from './path-template.js';
import type {
  Action,
  BudgetSource,
  ResponseKind,
  CredentialKind,
  Encoding,
  Method,
  OperationSource,
  PageSource,
  ProviderSource,
  SendingSource,
  TranslationSource,
  WebhooksSource,
  WindowSource,
} from './source.js';

/** A provider document, checked and ready to run. */
export interface CompiledProvider {
  source: ProviderSource;
  baseUrl: CompiledQuery;
  /** Its place in the document. */
  baseUrlPlace: string;
  /** True if it reads the credential, which some vendors' addresses are part of. */
  baseUrlReadsCredential: boolean;
  /** Addresses beside it that get the credential and follow from the configuration; `source.http.origins` has the constant ones too. */
  addresses: readonly CompiledQuery[];
  headers: CompiledTemplate | undefined;
  message: CompiledQuery | undefined;
  limited: CompiledQuery | undefined;
  /** The codes of the warnings of a response. */
  warnings: CompiledQuery | undefined;
  /** The wait that a limited response asks for in its body. */
  retryAfter: CompiledQuery | undefined;
  credentials: readonly CompiledCredential[];
  errors: readonly CompiledError[];
  verify: readonly CompiledVerification[];
  /** The mapping documents, by their names in the provider document. */
  mappings: ReadonlyMap<string, CompiledDocument>;
  operations: ReadonlyMap<OperationId, CompiledOperation>;
  /** Undefined for providers that report no changes. */
  webhooks: CompiledWebhooks | undefined;
  /** Operations and reads that `current` and `then` can name. */
  reads: ReadonlyMap<string, CompiledOperation>;
  /** Reads the translations beside a built-in document; those of a customer's are in `source`. */
  readTranslations?: () => readonly TranslationSource[];
}

/** How the provider reports changes of its records. */
export interface CompiledWebhooks {
  source: WebhooksSource;
  register: CompiledOperation | undefined;
  inspect: CompiledOperation | undefined;
  unregister: CompiledOperation | undefined;
  /** The signed text, where it is not the body. */
  content: CompiledQuery | undefined;
  timestamp: CompiledQuery | undefined;
  id: CompiledQuery | undefined;
  mapping: CompiledDocument;
}

export interface CompiledCredential {
  /** Path in the configuration, such as `credential` or `auth_options.shared_secret`. */
  slot: string;
  optional: boolean;
  /** Sent with every request that carries another credential. */
  beside: boolean;
  kinds: ReadonlyMap<CredentialKind, CompiledSending>;
  /** True if one of the kinds opens a session. */
  opensSession: boolean;
}

export interface CompiledSending {
  source: SendingSource;
  queries: ReadonlyMap<string, CompiledQuery>;
  /** Texts of the document that may have queries in braces, by their keys. */
  texts: ReadonlyMap<string, TextTemplate>;
  parameters: CompiledTemplate | undefined;
  /** Claims of a signed statement that stands for client id and secret. */
  claims: CompiledTemplate | undefined;
  /** Scopes of tokens for other origins than that of the base URL. */
  scopes: readonly { origin: CompiledQuery; scope: CompiledQuery }[];
  /** The session that is opened with the credential, whose token is sent by `as`. */
  session: (CompiledSession & { as: CompiledSending }) | undefined;
}

/** How a session is opened and closed. */
export interface CompiledSession {
  login: CompiledRequest;
  token: CompiledQuery;
  lifetime: CompiledQuery | undefined;
  logout: CompiledRequest | undefined;
}

export interface CompiledError {
  when: CompiledQuery;
  status: number;
  message: CompiledQuery | undefined;
}

export interface CompiledCall {
  /** Its place in the document. */
  place: string;
  /** Makes the value that the call it uses reads at `this.input`. */
  input: CompiledTemplate | undefined;
  method: Method;
  path: PathTemplate;
  query: CompiledTemplate | undefined;
  headers: CompiledTemplate | undefined;
  body: CompiledTemplate | undefined;
  credential: string | undefined;
}

/** How many calls of a kind the provider takes in a period. */
export interface CompiledBudget {
  source: BudgetSource;
  /** The place of `requests` in the document. */
  place: string;
  /** Undefined for a constant. */
  requests: CompiledQuery | undefined;
}

/** A request and how its response is read. */
export interface CompiledRequest extends CompiledCall {
  /** The budgets of the provider that it belongs to. */
  budgets: readonly CompiledBudget[];
  encoding: Encoding;
  answer: ResponseKind;
  accept: ReadonlySet<number>;
  /** True if calling it twice does no harm. */
  repeatable: boolean;
  /** An absolute address instead of the path. */
  url: CompiledQuery | undefined;
  /** True if it is sent without the credential. */
  anonymous: boolean;
  checks: readonly CompiledCheck[];
  /** The value of the step; the body of the response when absent. */
  result: CompiledQuery | undefined;
}

export interface CompiledVerification extends CompiledRequest {
  needs: string;
  passes: CompiledQuery | undefined;
  message: CompiledQuery | undefined;
}

export interface CompiledCheck {
  that: CompiledQuery;
  status: number;
  message: CompiledQuery;
}

export interface CompiledStep extends CompiledRequest {
  name: string;
  when: CompiledQuery | undefined;
  each: CompiledQuery | undefined;
  concurrency: number;
  /** The part of a multipart body that is the uploaded file. */
  part: string | undefined;
  /** True if its body is the uploaded file, or contains it. */
  sendsFile: boolean;
  /** Reads all pages of its answer; its result is the list of their rows. */
  page: CompiledPage | undefined;
  /** True for an answer that is not the whole list. */
  cut: CompiledQuery | undefined;
  /** True if it is called only when the caller has got the last row of the list. */
  atEnd: boolean;
  /** True if the list goes on without the step where the provider refuses it. */
  optional: CompiledQuery | undefined;
  /** True if nothing but `rows` reads its result, so that the list can be had without it where another step fills it. */
  fillsRows: boolean;
  /** Runs instead of a request. */
  run: ClientFunction | undefined;
  poll: { until: CompiledQuery; failed: CompiledQuery | undefined; everyMs: number } | undefined;
}

export interface CompiledPage {
  source: PageSource;
  /** Its place in the document. */
  place: string;
  /** The rows of an answer, for a page of a step. */
  rows: CompiledQuery | undefined;
  count: CompiledQuery | undefined;
  total: CompiledQuery | undefined;
  more: CompiledQuery | undefined;
  next: CompiledQuery | undefined;
  again: CompiledQuery | undefined;
  /** The key of a row, for keyset. */
  key: CompiledQuery | undefined;
  /** How much further the next page is, for offset. */
  advance: CompiledQuery | undefined;
  window: CompiledWindow | undefined;
}

/** The windows by which a list is read that the provider ends early. */
export interface CompiledWindow {
  source: WindowSource;
  /** The time of a row. */
  time: CompiledQuery | undefined;
  descending: CompiledQuery | undefined;
  from: CompiledQuery | undefined;
  until: CompiledQuery | undefined;
}

/** The expression of `rows`, `record` or `result`, with what an error message says about it. */
export interface CompiledResult {
  query: CompiledQuery;
  text: string;
  line: number;
}

/** How a create whose outcome is unknown is settled. */
export interface CompiledSettle {
  /** Its place in the document. */
  place: string;
  source: NonNullable<OperationSource['settle']>;
  /** The requests that look for the record; undefined where the operation just runs again. */
  search: { step: string; steps: readonly CompiledStep[]; found: CompiledQuery } | undefined;
}

export interface CompiledOperation {
  id: string;
  /** Its place in the document. */
  place: string;
  source: OperationSource;
  resource: string;
  action: Action;
  request: CompiledDocument | undefined;
  response: CompiledDocument | undefined;
  current: string | undefined;
  page: CompiledPage | undefined;
  /** The index of the step that is paged. */
  pagedStep: number | undefined;
  /** Conditions that the request has to fulfil. */
  checks: readonly CompiledCheck[];
  steps: readonly CompiledStep[];
  /** True if its expressions may read status and headers of the steps before them. */
  readsAnswers: boolean;
  rows: CompiledResult | undefined;
  record: CompiledResult | undefined;
  result: CompiledResult | undefined;
  /** Texts about parts that failed, where the rest succeeded. */
  problems: CompiledResult | undefined;
  /** Name and type of the file that it returns. */
  file: CompiledQuery | undefined;
  /** True if its last step returns a file. */
  answersFile: boolean;
  takesFile: boolean;
  then: { operation: string; path: CompiledTemplate | undefined } | undefined;
  settle: CompiledSettle | undefined;
  errors: readonly CompiledError[];
}
