import type { Credentials } from './credentials.js';
import type { Matched } from './match-route.js';
import type { FakeResponse, ReadRequest } from './messages.js';
import type { RequestScope } from './request-scope.js';
import { writeBody } from './write-response.js';

/** Ends what a person granted, as the application asks. @throws FakeRefusal */
export function revokeToken(
  credentials: Credentials,
  { acceptance, revocation, client }: Extract<Matched, { kind: 'revocation' }>,
  { headers, body }: ReadRequest,
  scope: RequestScope,
): FakeResponse {
  const text = Buffer.from(body ?? []).toString();
  credentials.revokeGranted(acceptance, revocation, { headers, text }, client);
  const { status } = revocation;
  const value = revocation.body?.run(scope);
  if (value === undefined) return { status, headers: {}, body: new Uint8Array() };
  return { status, headers: { 'content-type': 'application/json' }, body: writeBody(value) };
}
