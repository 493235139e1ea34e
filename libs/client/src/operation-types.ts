import type { operations as ConnectorOperations } from './generated/connector.js';
import type { operations as ManagementOperations } from './generated/management.js';

type OperationTypes = ManagementOperations & ConnectorOperations;
export type OperationId = keyof OperationTypes;

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
/** The type of a part of a request; the generated types have `never` where there is none. */
type Part<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;

type PathOf<Id extends OperationId> = OperationTypes[Id] extends { parameters: { path: infer P } }
  ? Part<P>
  : unknown;
type QueryOf<Id extends OperationId> = OperationTypes[Id] extends {
  parameters: { query: infer Q };
}
  ? Part<Q>
  : OperationTypes[Id] extends { parameters: { query?: infer Q } }
    ? Partial<Part<Q>>
    : unknown;
type BodyOf<B> = [JsonOf<B>] extends [never] ? FileBody : JsonOf<B>;
type BodyPart<Id extends OperationId> = OperationTypes[Id] extends { requestBody: infer B }
  ? { body: BodyOf<B> }
  : OperationTypes[Id] extends { requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? unknown
      : { body?: BodyOf<NonNullable<B>> }
    : unknown;

/** The content of a file that is uploaded; a form has it in the field `file`. */
export type FileBody = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | FormData;

/** The parameters of an operation in path and query, by their names in the API, and its `body`. */
export type Input<Id extends OperationId> = PathOf<Id> & QueryOf<Id> & BodyPart<Id>;

/** The JSON of a successful response; undefined where it has no body. */
export type Result<Id extends OperationId> = OperationTypes[Id] extends {
  responses: { 200: infer Answer };
}
  ? Answer extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
  : undefined;

/** The answer of an operation to `dry_run: true`; never where it has none. */
export type DryRunOf<Id extends OperationId> = OperationTypes[Id] extends {
  responses: { 200: { content: { 'application/vnd.onefold.dry-run+json': infer DryRun } } };
}
  ? DryRun
  : never;

/** A record of a list. */
export type RecordOf<Id extends OperationId> =
  Result<Id> extends { result?: readonly (infer One)[] | null } ? One : never;
