import { createHash } from 'node:crypto';
import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import {
  type ApiError,
  badRequest,
  conflict,
  forbidden,
  type OperationId,
  triesDangersOnly,
} from '#contract';
import { formatJson, type Value } from '@onefold/mapping';
import { CursorRefused, type Cursors, type Sealer } from '#secrets';
import { IdempotencyKey, type Store, wholeOrganization } from '#store';
import type { ConnectorCall } from '../connector-call.js';

/** How long a person, or a program, may think about a dry run. */
const validMs = 10 * 60_000;

/** The token of a dry run, with which the same call is carried out once. */
export interface Confirmation {
  token: string;
  /** ISO 8601. */
  expires_at: string;
}

interface Parts {
  store: Store;
  sealer: Sealer;
  clock: Clock;
}

/** A call of a dangerous operation: a dry run of it issues a token that carries it out, once. */
export class DangerousCall {
  /** Identifies the call: programs may write its body in another order. */
  private readonly context: string;

  /** @param ran the operation that runs, which differs from the called one in `custom` */
  constructor(
    private readonly call: Pick<ConnectorCall, 'operation' | 'path' | 'query' | 'body' | 'caller'>,
    private readonly ran: OperationId,
    private readonly integration: ResolvedIntegration,
  ) {
    const { dry_run: _, confirm: __, ...query } = call.query as Record<string, Value>;
    const said = formatJson([call.path as Value, query, (call.body ?? null) as Value]);
    this.context = `confirm ${integration.id} ${call.operation} ${ran} ${hashOf(said)}`;
  }

  /** Issues the token that carries the call out, made with any token of the integration. */
  issue(cursors: Cursors, now: number): Confirmation {
    return {
      token: cursors.issue(this.context, null, validMs),
      expires_at: new Date(now + validMs).toISOString(),
    };
  }

  /**
   * Refuses a call that the caller may only try, or that lacks the confirmation that the integration demands; uses up the token.
   * @param isRepeated true for a call that an earlier one with the same `Idempotency-Key` has used it up for @throws ApiError
   */
  async confirm(cursors: Cursors, parts: Parts, isRepeated = false): Promise<void> {
    const { caller, query } = this.call;
    if (triesDangersOnly({ permissions: caller.permissions ?? [] })) throw this.onlyTried();
    const { confirm } = query as { confirm?: string | null };
    if (!confirm) {
      if (this.integration.confirmsDangers) throw this.unconfirmed();
      return;
    }
    this.check(cursors, confirm);
    if (!isRepeated) await this.useUp(confirm, parts);
  }

  private async useUp(confirm: string, parts: Parts): Promise<void> {
    const { caller, operation, path, query } = this.call;
    const { id: usedBy, accountId: sealedFor, category: domain } = this.integration;
    const key = new IdempotencyKey(
      `confirm ${hashOf(confirm)}`,
      { caller, operation, path, query, rawBody: new Uint8Array() },
      { usedBy, sealedFor, domain },
      parts,
    );
    const scope = wholeOrganization(caller.organizationId);
    if (await parts.store.write(scope, (tx) => key.take(tx))) return;
    throw conflict(
      'the token in confirm was used before',
      'Look whether the first call was carried out; if not, try it again with dry_run=true.',
    );
  }

  private check(cursors: Cursors, confirm: string): void {
    try {
      cursors.read(this.context, confirm);
    } catch (error) {
      if (!(error instanceof CursorRefused)) throw error;
      throw badRequest({
        location: 'query',
        pointer: 'confirm',
        message: 'is not the token of a dry run of this call within the last ten minutes',
        remediation:
          'Make the call with dry_run=true, with the same path, parameters and body, and use the token of its answer.',
      });
    }
  }

  private onlyTried(): ApiError {
    return forbidden(
      `the token may call ${this.ran} with dry_run=true only`,
      'Let somebody look at the dry run, and make the call with another token of the integration and the confirm of the dry run.',
    );
  }

  private unconfirmed(): ApiError {
    return conflict(
      `${this.ran} needs a confirmation: the integration demands it for dangerous operations`,
      this.call.operation === 'custom_post_batch'
        ? 'Call custom_post for each record, first with dry_run=true.'
        : 'Make the call with dry_run=true, look at its requests, and repeat it within ten minutes with the token of its answer as confirm.',
    );
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
