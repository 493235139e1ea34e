import type { Call, Caller } from '#contract';

/** The fields of a call that a connector needs to run it. Verification runs such calls although nobody sent a request. */
export type ConnectorCall = Pick<
  Call,
  'operation' | 'path' | 'query' | 'rawBody' | 'meta' | 'requestId' | 'deadline' | 'signal'
> &
  Partial<
    Pick<
      Call,
      | 'aborts'
      | 'body'
      | 'upload'
      | 'range'
      | 'idempotencyKey'
      | 'batchId'
      | 'provider'
      | 'responseHeaders'
      | 'notes'
    >
  > & {
    caller: Pick<Caller, 'organizationId' | 'accountId' | 'integrationId'> &
      Partial<Pick<Caller, 'tokenId' | 'permissions'>>;
  };
