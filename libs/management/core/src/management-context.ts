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
  type Reader,
  type Scope,
  scopeOf,
  type Store,
  type Transaction,
} from '#store';

/** Ends the transaction of a dry run, with what would have been answered. */
class DryRunEnd extends Error {
  constructor(readonly answer: unknown) {
    super('the transaction is a dry run');
  }
}

/** True if the caller asks with `dry_run=true` for the checks alone. */
function isDryRun(call: object): boolean {
  return (call as { query?: { dry_run?: boolean | null } }).query?.dry_run === true;
}

/** Runs work in a transaction that is rolled back, so that all rules are checked where they are. */
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

  /** Like write, for a create: the same `Idempotency-Key` with the same body gets the first answer again. */
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
