import { type Call, operationOf, type OperationId, type Reply } from '#contract';
import type { Clock, Ids } from '#config';
import type { Sealer } from '#secrets';
import type {
  AuditEvents,
  EventDetails,
  SecurityEvent,
  Visit,
  VisitOutcome,
} from './audit-events.js';
import {
  dataKey,
  IdempotencyKey,
  type KeyOwner,
  type Reader,
  type Scope,
  scopeOf,
  type Store,
  type Transaction,
} from '#store';

/** Thrown to roll back the transaction of a dry run; holds the result. */
class DryRunEnd extends Error {
  constructor(readonly answer: unknown) {
    super('the transaction is a dry run');
  }
}

/** True if the caller sends `dry_run=true` to run the checks only. */
function isDryRun(call: object): boolean {
  return (call as { query?: { dry_run?: boolean | null } }).query?.dry_run === true;
}

/** Runs work in a transaction that is rolled back, so that a dry run checks the same rules. */
async function rolledBack<T>(
  write: (dry: (tx: Transaction) => Promise<never>) => Promise<never>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await write(async (tx) => {
      throw new DryRunEnd(await work(tx));
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.answer as T;
    throw error;
  }
}

/** Shared tools of the management rooms: the store in the scope of a call, encryption, time and ids. */
export class ManagementContext {
  constructor(
    readonly store: Store,
    readonly sealer: Sealer,
    readonly clock: Clock,
    readonly ids: Ids,
    private readonly audit?: AuditEvents,
    /** Whether credentials can be roles of AWS. */
    readonly awsRoles = false,
  ) {}

  now(): Date {
    return new Date(this.clock.now());
  }

  /** Returns the records that the caller may access with this operation. @throws ApiError 403 */
  scope(call: Pick<Call, 'caller' | 'operation'>): Scope {
    return scopeOf(call.caller, operationOf(call.operation));
  }

  /** Runs work in one transaction in the caller's scope. */
  async write<T>(
    call: Pick<Call, 'caller' | 'operation'>,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const scope = this.scope(call);
    return isDryRun(call)
      ? await rolledBack((dry) => this.store.write(scope, dry), work)
      : await this.store.write(scope, work);
  }

  /** Like write, for work that only reads. */
  async read<T>(
    call: Pick<Call, 'caller' | 'operation'>,
    work: (tx: Reader) => Promise<T>,
  ): Promise<T> {
    return await this.store.read(this.scope(call), work);
  }

  /** Like write, for a create: the same `Idempotency-Key` with the same body gets the first response again. */
  async create<Id extends OperationId>(
    call: Call<Id>,
    work: (tx: Transaction) => Promise<Reply<Id>>,
  ): Promise<Reply<Id>> {
    const { idempotencyKey, caller } = call;
    if (idempotencyKey === undefined) return await this.write(call, work);
    const owners = { usedBy: caller.tokenId, sealedFor: caller.organizationId };
    const key = new IdempotencyKey(idempotencyKey, call, owners, this);
    return await this.write(call, async (tx) => {
      const known = await key.claim(tx);
      if (known !== undefined) return known.answer as Reply<Id>;
      const reply = await work(tx);
      await key.keep(tx, reply);
      return reply;
    });
  }

  /** Records a security event of the current call in the audit trail. Calls are recorded without it. */
  recordEvent(name: SecurityEvent, details: EventDetails = {}): void {
    this.audit?.recordEvent(name, details);
  }

  /** Records a request outside of the operations of the API, in a transaction of its organization. */
  async recordVisit(tx: Transaction, visit: Visit, outcome: VisitOutcome): Promise<void> {
    await this.audit?.recordVisit(tx, visit, outcome);
  }

  /** Encrypts a text with the data key of an account or organization, or that of an account's domain. */
  async seal(tx: Transaction, owner: string | KeyOwner, text: string): Promise<string> {
    const id = typeof owner === 'string' ? owner : owner.id;
    return this.sealer.seal(await dataKey(tx, this.sealer, owner, this.now()), id, text);
  }
}
