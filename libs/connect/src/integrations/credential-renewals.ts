import { createHash } from 'node:crypto';
import type { Bus, ResolvedCredential } from '#bus';
import { ApiError } from '#contract';

/** As long as management may wait for the provider, and for another process that renews the same token. */
const maxMs = 30_000;

/** A provider renews a granted token no more: somebody has to authorize anew. */
export class GrantEnded extends ApiError {
  constructor(refused: string, credentialId: string) {
    super(502, `connect again: ${refused}`, {
      remediation: `Authorize again in a Connect session for the integration, or replace the secret of the credential ${credentialId}.`,
      context: { resources: [{ type: 'credential', id: credentialId, rel: 'cause' }] },
    });
  }
}

/** Has granted tokens renewed by the management service, each once for all calls of the process that wait for it. */
export class CredentialRenewals {
  private readonly underway = new Map<string, Promise<ResolvedCredential>>();

  constructor(private readonly bus: Bus) {}

  /** @param refused the token, where the provider refuses it @throws GrantEnded */
  async renew(
    organizationId: string,
    credentialId: string,
    ticket: string,
    refused: string | undefined,
  ): Promise<ResolvedCredential> {
    const hash = refused && createHash('sha256').update(refused).digest('hex');
    const key = `${credentialId} ${hash ?? ''}`;
    const known = this.underway.get(key);
    if (known !== undefined) return await known;
    const running = this.call({ organizationId, ticket, ...(hash && { refused: hash }) }).finally(
      () => this.underway.delete(key),
    );
    this.underway.set(key, running);
    return await running;
  }

  private async call(input: {
    organizationId: string;
    ticket: string;
    refused?: string;
  }): Promise<ResolvedCredential> {
    const options = { deadline: Date.now() + maxMs };
    const renewed = await this.bus.call('credentials.renew', input, options);
    if ('refused' in renewed) throw new GrantEnded(renewed.refused, renewed.credentialId);
    return { ...renewed, expires: null };
  }
}
