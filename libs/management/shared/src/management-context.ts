import { createHash } from 'node:crypto';
import { type Call, conflict, operationOf, type OperationId, type Reply } from '#contract';
import type { Clock, Ids } from '#config';
import type { Sealer } from '#secrets';
import type {
  AuditEvents,
  EventDetails,
  SecurityEvent,
  Visit,
  VisitOutcome,
} from './audit-events.js';
import { dataKey, type Scope, scopeOf, type Store, type Transaction } from '#store';

/**
 * What is kept, sealed, of a create: answers hold secrets that are given out once, and requests passwords that are short
 * enough to be guessed from a hash.
 */
interface Kept<T> {
  /** The hash of the request. */
  request: string;
  reply: T;
}

/** In the column where the hash would lie. */
const sealedWithReply = 'sealed with the reply';

/** What every management room works with: the store in the scope of a call, sealing, time and ids. */
export class ManagementContext {
  constructor(
    readonly store: Store,
    readonly sealer: Sealer,
    readonly clock: Clock,
    readonly ids: Ids,
    private readonly audit?: AuditEvents,
  ) {}

  now(): Date {
    return new Date(this.clock.now());
  }

  /** What the caller may touch with this operation. @throws ApiError 403 */
  scope(call: Pick<Call, 'caller' | 'operation'>): Scope {
    return scopeOf(call.caller, operationOf(call.operation));
  }

  /** One transaction in the caller's scope. */
  async write<T>(
    call: Pick<Call, 'caller' | 'operation'>,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return await this.store.write(this.scope(call), work);
  }

  /** Like write, for a create: the same `Idempotency-Key` with the same body gets the first answer again. */
  async create<Id extends OperationId>(
    call: Call<Id>,
    work: (tx: Transaction) => Promise<Reply<Id>>,
  ): Promise<Reply<Id>> {
    const { idempotencyKey: key, caller, operation } = call;
    if (key === undefined) return await this.write(call, work);
    const request = createHash('sha256')
      .update(JSON.stringify([call.path, call.query]))
      .update(call.rawBody)
      .digest('hex');
    return await this.write(call, async (tx) => {
      const columns = [caller.organizationId, caller.tokenId, operation, key];
      // A second call with the key waits here until the first one is committed or undone.
      const mine = await tx.query(
        `insert into idempotency_keys (organization_id, owner_id, operation, key, request_hash, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning 1`,
        [...columns, sealedWithReply, this.now()],
      );
      const where = 'organization_id = $1 and owner_id = $2 and operation = $3 and key = $4';
      if (mine.length === 0) {
        const [known] = await tx.query<{ reply: string }>(
          `select reply from idempotency_keys where ${where}`,
          columns,
        );
        const text = known && this.sealer.open(caller.organizationId, known.reply).reveal();
        const before = text === undefined ? undefined : (JSON.parse(text) as Kept<Reply<Id>>);
        if (before?.request !== request)
          throw conflict(
            'the Idempotency-Key was used before with another request',
            'Use a new key for a new request.',
          );
        return before.reply;
      }
      const reply = await work(tx);
      const kept: Kept<Reply<Id>> = { request, reply };
      const sealed = await this.seal(tx, caller.organizationId, JSON.stringify(kept));
      await tx.query(`update idempotency_keys set reply = $5 where ${where}`, [...columns, sealed]);
      return reply;
    });
  }

  /** Notes in the audit trail what happened in the call at hand that matters to security. Calls are recorded without it. */
  event(name: SecurityEvent, details: EventDetails = {}): void {
    this.audit?.event(name, details);
  }

  /** Records what came outside of the operations of the API, in a transaction of its organization. */
  async visited(tx: Transaction, visit: Visit, outcome: VisitOutcome): Promise<void> {
    await this.audit?.visited(tx, visit, outcome);
  }

  /** Seals a text for an account or organization, with its own data key. */
  async seal(tx: Transaction, ownerId: string, text: string): Promise<string> {
    return this.sealer.seal(await dataKey(tx, this.sealer, ownerId, this.now()), ownerId, text);
  }
}
