import type { Clock, Ids } from '#config';
import { type Call, notFound, type OperationId } from '#contract';
import type { Sealer } from '#secrets';
import {
  type AsyncOperation,
  IdempotencyKey,
  type Reader,
  type Store,
  type Transaction,
  wholeOrganization,
} from '#store';

/** The owner of a token of an integration. */
interface Owner {
  organizationId: string;
  accountId: string;
  integrationId: string;
}

/** Access of requests about jobs to the store: in the scope of an integration, and creates once per key. */
export class JobRequests {
  constructor(
    readonly store: Store,
    readonly sealer: Sealer,
    readonly clock: Clock,
    readonly ids: Ids,
  ) {}

  now(): Date {
    return new Date(this.clock.now());
  }

  ownerOf({ caller }: Pick<Call, 'caller'>): Owner {
    const { organizationId, accountId = '', integrationId = '' } = caller;
    return { organizationId, accountId, integrationId };
  }

  /** Finds a job of the caller's integration. @throws ApiError 404 */
  async find(tx: Reader, call: Pick<Call, 'caller'>, id: string): Promise<AsyncOperation> {
    const { integrationId } = this.ownerOf(call);
    const job = await tx.operations.find(id, { integrationId });
    if (job === undefined) throw notFound('operation', id);
    return job;
  }

  /** Runs work in a transaction, once per `Idempotency-Key` of the integration. */
  async create<T>(call: Call<OperationId>, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { organizationId, accountId, integrationId } = this.ownerOf(call);
    return await this.store.write(wholeOrganization(organizationId), async (tx) => {
      if (call.idempotencyKey === undefined) return await work(tx);
      const owners = {
        usedBy: integrationId,
        sealedFor: accountId,
        domain: call.caller.category,
      };
      const key = new IdempotencyKey(call.idempotencyKey, call, owners, this);
      const known = await key.claim(tx);
      if (known !== undefined) return known.answer as T;
      const answer = await work(tx);
      await key.keep(tx, answer);
      return answer;
    });
  }
}
