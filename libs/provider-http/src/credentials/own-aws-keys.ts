import { readFile } from 'node:fs/promises';
import { type Clock, ConfigurationError } from '#config';
import type { Outgoing } from '#egress';
import { callSts, type StsEndpoint, type TemporaryKeys } from './call-sts.js';
import type { SigningKeys } from './sign-aws.js';

/** Temporary keys are replaced this long before they expire. */
const earlierMs = 60_000;

/**
 * The AWS credentials of this service, by which it assumes roles of customers. They come from the variables that every tool of AWS reads
 * (https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html): an access key, or a role with a web identity, as
 * Kubernetes gives it to a service account. Instance metadata and container credentials are not asked for, because the egress policy
 * closes their addresses for the whole process.
 */
export class OwnAwsKeys {
  private assumed: TemporaryKeys | undefined;

  /** @param variables of the environment @throws ConfigurationError when there are no credentials in it */
  constructor(
    private readonly variables: Readonly<Record<string, string | undefined>>,
    private readonly clock: Clock,
  ) {
    if (this.fixed() === undefined && this.webIdentity() === undefined)
      throw new ConfigurationError([
        'AWS_ROLES is on, and this process has no AWS credentials to assume roles with. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE.',
      ]);
  }

  /** @param at where a web identity is exchanged for keys @throws StsRefused, and what reading the token file throws */
  async get(
    at: StsEndpoint,
    outgoing: Outgoing,
    caller: { organizationId: string; signal: AbortSignal },
  ): Promise<SigningKeys> {
    const fixed = this.fixed();
    if (fixed !== undefined) return fixed;
    if (this.assumed === undefined || this.assumed.expiresAt - earlierMs <= this.clock.now())
      this.assumed = await this.exchange(at, outgoing, caller);
    return this.assumed.keys;
  }

  /** Forgets temporary keys that AWS refused. */
  forget(): void {
    this.assumed = undefined;
  }

  private fixed(): SigningKeys | undefined {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = this.variables;
    return accessKeyId && secretAccessKey
      ? { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined }
      : undefined;
  }

  private webIdentity(): { roleArn: string; file: string } | undefined {
    const { AWS_ROLE_ARN: roleArn, AWS_WEB_IDENTITY_TOKEN_FILE: file } = this.variables;
    return roleArn && file ? { roleArn, file } : undefined;
  }

  private async exchange(
    at: StsEndpoint,
    outgoing: Outgoing,
    caller: { organizationId: string; signal: AbortSignal },
  ): Promise<TemporaryKeys> {
    const { roleArn = '', file = '' } = this.webIdentity() ?? {};
    return await callSts(
      at,
      {
        Action: 'AssumeRoleWithWebIdentity',
        RoleArn: roleArn,
        RoleSessionName: this.variables['AWS_ROLE_SESSION_NAME'] || 'onefold',
        // Kubernetes replaces the file before the token expires.
        WebIdentityToken: (await readFile(file, 'utf8')).trim(),
      },
      undefined,
      outgoing,
      caller,
    );
  }
}
