import type { OperationId } from '#contract';
import type { CompiledDocument, CompiledTemplate } from '#mapping';
import type { ClientFunction } from './client-function.js';
import type { CompiledQuery } from './document-reader.js';
import type { PathTemplate } from './path-template.js';
import type {
  Action,
  ResponseKind,
  CredentialKind,
  Encoding,
  Method,
  OperationSource,
  PageSource,
  ProviderSource,
  SendingSource,
} from './source.js';

/** A provider document, checked and ready to run. */
export interface CompiledProvider {
  source: ProviderSource;
  baseUrl: CompiledQuery;
  /** Where the document has it. */
  baseUrlPlace: string;
  headers: CompiledTemplate | undefined;
  message: CompiledQuery | undefined;
  limited: CompiledQuery | undefined;
  credentials: readonly CompiledCredential[];
  errors: readonly CompiledError[];
  verify: readonly CompiledVerification[];
  operations: ReadonlyMap<OperationId, CompiledOperation>;
  /** What `current` and `then` name: operations, and reads that nobody calls. */
  reads: ReadonlyMap<string, CompiledOperation>;
}

export interface CompiledCredential {
  slot: string;
  optional: boolean;
  kinds: ReadonlyMap<CredentialKind, CompiledSending>;
}

export interface CompiledSending {
  source: SendingSource;
  queries: ReadonlyMap<string, CompiledQuery>;
  parameters: CompiledTemplate | undefined;
}

export interface CompiledError {
  when: CompiledQuery;
  status: number;
  message: CompiledQuery | undefined;
}

export interface CompiledCall {
  /** Where it stands in the document. */
  place: string;
  method: Method;
  path: PathTemplate;
  query: CompiledTemplate | undefined;
  headers: CompiledTemplate | undefined;
  body: CompiledTemplate | undefined;
  credential: string | undefined;
}

export interface CompiledVerification extends CompiledCall {
  needs: string;
  passes: CompiledQuery | undefined;
  message: CompiledQuery | undefined;
}

export interface CompiledStep extends CompiledCall {
  name: string;
  when: CompiledQuery | undefined;
  each: CompiledQuery | undefined;
  concurrency: number;
  encoding: Encoding;
  /** Of multipart, the part that is the uploaded file. */
  part: string | undefined;
  /** Its body is the file that the request brings, or has it as a part. */
  sendsFile: boolean;
  answer: ResponseKind;
  accept: ReadonlySet<number>;
  /** May be called twice without harm. */
  repeatable: boolean;
  /** An absolute address instead of the path. */
  url: CompiledQuery | undefined;
  /** In the place of a request. */
  run: ClientFunction | undefined;
  /** Called without the credential. */
  anonymous: boolean;
  checks: readonly { that: CompiledQuery; status: number; message: CompiledQuery }[];
  poll: { until: CompiledQuery; failed: CompiledQuery | undefined; everyMs: number } | undefined;
}

export interface CompiledPage {
  source: PageSource;
  /** The index of the step that is paged. */
  step: number;
  count: CompiledQuery | undefined;
  total: CompiledQuery | undefined;
  more: CompiledQuery | undefined;
  next: CompiledQuery | undefined;
}

export interface CompiledOperation {
  id: string;
  /** Where it stands in the document. */
  place: string;
  source: OperationSource;
  resource: string;
  action: Action;
  request: CompiledDocument | undefined;
  response: CompiledDocument | undefined;
  current: string | undefined;
  page: CompiledPage | undefined;
  steps: readonly CompiledStep[];
  rows: CompiledQuery | undefined;
  record: CompiledQuery | undefined;
  /** What the file that it answers with is called. */
  file: CompiledQuery | undefined;
  /** Its last step is a file that is handed on. */
  answersFile: boolean;
  takesFile: boolean;
  then: { operation: string; path: CompiledTemplate | undefined } | undefined;
  errors: readonly CompiledError[];
}
