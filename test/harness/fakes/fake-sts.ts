import { randomUUID } from 'node:crypto';
import {
  type FakeRequest,
  type FakeResponse,
  type ReadRequest,
  readSignature,
  verifySignature,
} from '#fakes';

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

interface Trust {
  /** The external id that its trust policy demands. */
  externalId: string;
  /** Keys that the services of the role's account accept; random ones when absent. */
  keys?: Keys;
  /** Its maximum session duration in seconds; an hour when absent. */
  maxDuration?: number;
}

/**
 * AWS Security Token Service for tests: it verifies the signature of who asks and the external id, gives temporary keys, and refuses as
 * AWS does. Requests, responses and errors are those of the API reference, version 2011-06-15
 * (https://docs.aws.amazon.com/STS/latest/APIReference/).
 */
export class FakeSts {
  /** Parameters of the requests, and their hosts. */
  readonly requests: Record<string, string>[] = [];
  /** Keys of the caller that may ask. */
  asker: Keys = { accessKeyId: 'AKIAOWNKEYS', secretAccessKey: 'own-secret-of-the-service' };
  /** Set while the keys of the asker have expired. */
  hasExpired = false;
  readonly roles = new Map<string, Trust>();
  /** The web identity token that is accepted, and what it is exchanged for. */
  webIdentity: { token: string; keys: Keys } | undefined;
  /** Session tokens that were given, with the times of their expiry. */
  private readonly sessions = new Map<string, number>();

  /** @param now decides what has expired; signatures are of the real time */
  constructor(private readonly now: () => number) {}

  /** Whether a request has a session token that this service gave, which is signed and has not expired. */
  stateOf({ headers }: FakeRequest): 'valid' | 'expired' | 'unknown' {
    const signed = /SignedHeaders=([^,]+)/.exec(headers['authorization'] ?? '')?.[1]?.split(';');
    const until = this.sessions.get(headers['x-amz-security-token'] ?? '');
    if (until === undefined || !signed?.includes('x-amz-security-token')) return 'unknown';
    return until > this.now() ? 'valid' : 'expired';
  }

  /** Ends all sessions, as AWS does when somebody revokes those of a role. */
  revokeSessions(): void {
    for (const token of this.sessions.keys()) this.sessions.set(token, 0);
  }

  handle(request: FakeRequest): FakeResponse {
    if (!isRead(request)) throw new Error('the body of the request is a file');
    const { host } = new URL(request.url);
    const parameters = Object.fromEntries(
      new URLSearchParams(Buffer.from(request.body ?? []).toString()),
    );
    this.requests.push({ host, ...parameters });
    if (parameters['Version'] !== '2011-06-15')
      return refuse(400, 'InvalidAction', 'Could not find operation');
    if (parameters['Action'] === 'AssumeRoleWithWebIdentity') return this.exchange(parameters);
    return this.verify(request) ?? this.assume(parameters);
  }

  private verify(request: ReadRequest): FakeResponse | undefined {
    const signed = readSignature(request);
    const { host } = new URL(request.url);
    if (signed === undefined)
      return refuse(403, 'MissingAuthenticationToken', 'Request is missing Authentication Token');
    if (signed.accessKeyId !== this.asker.accessKeyId || signed.service !== 'sts')
      return refuse(
        403,
        'InvalidClientTokenId',
        'The security token included in the request is invalid.',
      );
    if (request.headers['x-amz-security-token'] !== this.asker.sessionToken)
      return refuse(
        403,
        'InvalidClientTokenId',
        'The security token included in the request is invalid',
      );
    // The real service has the scope of its region, too.
    if (host !== `sts.${signed.region}.amazonaws.com`)
      return refuse(403, 'SignatureDoesNotMatch', 'Credential should be scoped to a valid region.');
    if (verifySignature(request, signed, this.asker.secretAccessKey, Date.now()) !== 'valid')
      return refuse(
        403,
        'SignatureDoesNotMatch',
        'The request signature we calculated does not match the signature you provided.',
      );
    if (this.hasExpired)
      return refuse(403, 'ExpiredToken', 'The security token included in the request is expired');
    return undefined;
  }

  private assume({ RoleArn: arn = '', ...parameters }: Record<string, string>): FakeResponse {
    const role = this.roles.get(arn);
    // AWS does not tell a role that does not exist from one that trusts others.
    if (role === undefined || role.externalId !== parameters['ExternalId'])
      return refuse(
        403,
        'AccessDenied',
        `User: arn:aws:iam::111122223333:user/onefold is not authorized to perform: sts:AssumeRole on resource: ${arn}`,
      );
    const seconds = Number(parameters['DurationSeconds'] ?? 3600);
    if (!(seconds >= 900 && seconds <= 43_200))
      return refuse(
        400,
        'ValidationError',
        `Value '${seconds}' at 'durationSeconds' failed to satisfy constraint`,
      );
    if (seconds > (role.maxDuration ?? 3600))
      return refuse(
        400,
        'ValidationError',
        'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
      );
    const keys = role.keys ?? { accessKeyId: `ASIA${randomUUID()}`, secretAccessKey: randomUUID() };
    return this.give('AssumeRole', keys, seconds);
  }

  private exchange(parameters: Record<string, string>): FakeResponse {
    const { webIdentity } = this;
    if (webIdentity === undefined || parameters['WebIdentityToken'] !== webIdentity.token)
      return refuse(
        400,
        'InvalidIdentityToken',
        'The web identity token that was passed could not be validated',
      );
    const response = this.give('AssumeRoleWithWebIdentity', webIdentity.keys, 3600);
    const token = /<SessionToken>([^<]+)/.exec(Buffer.from(response.body).toString())?.[1];
    this.asker = { ...webIdentity.keys, sessionToken: token };
    return response;
  }

  private give(
    action: string,
    { accessKeyId, secretAccessKey }: Keys,
    seconds: number,
  ): FakeResponse {
    const token = `${randomUUID()}/+=`;
    const expiresAt = this.now() + seconds * 1000;
    this.sessions.set(token, expiresAt);
    return xml(
      200,
      `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
        <AssumedRoleUser><AssumedRoleId>AROA:session</AssumedRoleId><Arn>arn:aws:sts::1:assumed-role/a/b</Arn></AssumedRoleUser>
        <Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
        <SessionToken>${token}</SessionToken><Expiration>${new Date(expiresAt).toISOString()}</Expiration></Credentials>
      </${action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`,
    );
  }
}

function refuse(status: number, code: string, message: string): FakeResponse {
  return xml(
    status,
    `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

function xml(status: number, body: string): FakeResponse {
  return { status, headers: { 'content-type': 'text/xml' }, body: Buffer.from(body) };
}

/** False while the body is a file, which comes in chunks. */
function isRead(request: FakeRequest): request is ReadRequest {
  return request.body === undefined || request.body instanceof Uint8Array;
}
