import { beginsWithId } from '#config';
import { ApiError } from '#contract';
import { NoResponse, type Outgoing } from '#egress';
import { callSts, type StsEndpoint, stsEndpoint, StsRefused } from './call-sts.js';
import { type AccessToken, isEgressRefused, type TokenOwner } from './fetch-access-token.js';
import type { OwnAwsKeys } from './own-aws-keys.js';
import type { SigningKeys } from './sign-aws.js';
import { noTokenInTime, retryLater } from './token-failures.js';

/** Where requests for tokens and keys are sent, and with which AWS credentials of this service. */
export interface TokenOutgoing extends Outgoing {
  /** Absent where no roles of AWS are assumed. */
  ownAwsKeys?: OwnAwsKeys | undefined;
}

/** A role of a customer's AWS account, which is assumed for temporary keys. */
export interface RoleRequest extends TokenOwner {
  roleArn: string;
  externalId: string;
  sessionName: string | undefined;
  /** Seconds; as long as AWS gives when absent. */
  duration: number | undefined;
  /** The region whose endpoint is asked. */
  region: string;
}

/** The name of a session in the audit trail of the customer, where the credential names none. */
const defaultSessionName = 'onefold';

/** Codes by which AWS says that the credentials of this service, and not the role, are at fault. */
const ownFaults: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'SignatureDoesNotMatch',
  'IncompleteSignature',
  'MissingAuthenticationToken',
]);

/**
 * Assumes a role. @returns temporary keys as a token, which {@link readRoleKeys} reads
 * @throws ApiError 501 where the operator has not switched roles on, 502 when AWS refuses
 */
export async function assumeRole(
  request: RoleRequest,
  outgoing: TokenOutgoing,
  signal: AbortSignal,
): Promise<AccessToken> {
  const { ownAwsKeys } = outgoing;
  const name = request.isStored ? request.credentialId : 'in provider_config';
  if (ownAwsKeys === undefined)
    throw new ApiError(
      501,
      `the credential ${name} names a role, and no roles of AWS are assumed`,
      {
        remediation:
          'Use an access key (a credential of type aws). An operator can switch roles on with AWS_ROLES.',
      },
    );
  checkExternalId(request, name);
  const endpoint = stsEndpoint(request.region, request.roleArn);
  let asker = 'this service';
  try {
    const { organizationId } = request;
    const keys = await ownAwsKeys.get(endpoint, outgoing, { organizationId, signal });
    asker = 'the role';
    const made = await callSts(endpoint, parametersOf(request), keys, outgoing, {
      organizationId,
      signal,
    });
    return { token: JSON.stringify(made.keys), expiresAt: made.expiresAt };
  } catch (error) {
    if (error instanceof ApiError || isEgressRefused(error)) throw error;
    if (signal.aborted || (error instanceof NoResponse && error.timedOut))
      throw noTokenInTime(endpoint.url, error);
    if (error instanceof StsRefused && isPassing(error.response.status))
      throw retryLater(endpoint.url, error.response, wordsOf(error));
    const isOwn =
      asker === 'this service' || (error instanceof StsRefused && ownFaults.has(error.code));
    if (isOwn) ownAwsKeys.forget();
    throw isOwn ? ownRefusal(endpoint, error) : roleRefusal(request, name, endpoint, error);
  }
}

/** Reads the keys of an assumed role. */
export function readRoleKeys(token: string): SigningKeys {
  return JSON.parse(token) as SigningKeys;
}

/**
 * A role trusts this service as a whole. Only an external id that no other account can name keeps other accounts from using the role
 * (docs/decisions/13-roles-of-customers.md). @throws ApiError 502
 */
function checkExternalId({ externalId, accountId }: RoleRequest, name: string): void {
  if (beginsWithId(externalId, accountId)) return;
  throw new ApiError(502, `the external_id of the credential ${name} is not one of its account`, {
    remediation: `Replace it by ${accountId}, or a text that begins with ${accountId}:, here and in the trust policy of the role.`,
  });
}

function parametersOf({ roleArn, externalId, sessionName, duration }: RoleRequest) {
  return {
    Action: 'AssumeRole',
    RoleArn: roleArn,
    ExternalId: externalId,
    RoleSessionName: sessionName ?? defaultSessionName,
    ...(duration === undefined ? {} : { DurationSeconds: String(duration) }),
  };
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Quotes AWS. Network errors are for the operator to read, in the cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof StsRefused)) return '';
  return `: ${`${error.code} ${error.message}`.trim().slice(0, 500)}`;
}

function ownRefusal({ url }: StsEndpoint, cause: unknown): ApiError {
  return new ApiError(
    502,
    `${url.origin} refuses the AWS credentials of this service${wordsOf(cause)}`,
    {
      remediation: 'The operator has to renew the AWS credentials of the connector.',
      cause,
    },
  );
}

function roleRefusal(
  { roleArn, externalId, credentialId, isStored }: RoleRequest,
  name: string,
  { url }: StsEndpoint,
  cause: unknown,
): ApiError {
  return new ApiError(
    502,
    `${url.origin} does not let the role ${roleArn} of the credential ${name} be assumed${wordsOf(cause)}`,
    {
      remediation: `Check role_arn and duration, and that the trust policy of the role allows sts:AssumeRole to this service when sts:ExternalId is ${externalId}.`,
      context: {
        provider_details: {
          token_url: url.href,
          role_arn: roleArn,
          external_id: externalId,
          ...(isStored ? { credential_id: credentialId } : {}),
        },
        ...(isStored
          ? { resources: [{ type: 'credential', id: credentialId, rel: 'cause' as const }] }
          : {}),
      },
      cause,
    },
  );
}
