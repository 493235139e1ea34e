import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '#config';
import { ApiError, type Caller, conflict, type OperationId } from '#contract';
import type { Sealer } from '#secrets';
import { dataKey } from './data-keys.js';
import type { Transaction } from './transaction.js';

/** How long a key of an older version is held: longer than any call may take. */
const defaultHoldMs = 5 * 60_000;
const where = 'organization_id = $1 and owner_id = $2 and operation = $3 and key = $4';
/** True until another call takes the key, whose number is the next one. */
const isMine = 'reply is null and attempts = $5';

interface Parts {
  sealer: Sealer;
  clock: Clock;
}

/** The fields of a call that tell requests apart. */
interface IdempotentRequest {
  caller: Pick<Caller, 'organizationId'>;
  operation: OperationId;
  path: unknown;
  query: unknown;
  rawBody: Uint8Array;
}

interface Owners {
  /** The owner of the keys: the same key of another owner is a different one. */
  usedBy: string;
  /** The account or organization whose data key encrypts the stored response. */
  sealedFor: string;
  /** The domain of the integration, for calls of connectors. */
  domain?: string | undefined;
}

/** A key that this call holds. */
export interface HeldKey {
  /** The text by which the provider may know the record again, of the form of a UUID of version 4. */
  marker: string;
  /** When the first call with the key began. */
  since: Date;
  /** True if an earlier call with the key has ended without a known outcome. */
  isUnsettled: boolean;
}

/** The response of an earlier call, or the key itself. */
export type ClaimedKey = { answer: unknown } | HeldKey;

/**
 * The `Idempotency-Key` of a create: the same request gets the first response again, another one is refused. Both are stored
 * encrypted, because responses contain secrets that are returned once, and short passwords of requests could be guessed from a hash.
 */
export class IdempotencyKey {
  private readonly columns: string[];
  private readonly request: string;
  private readonly sealedFor: string;
  private readonly domain: string | undefined;
  /** Number of this call among those that have held the key. */
  private attempts = 1;

  constructor(
    key: string,
    { caller, operation, path, query, rawBody }: IdempotentRequest,
    { usedBy, sealedFor, domain }: Owners,
    private readonly parts: Parts,
  ) {
    this.columns = [caller.organizationId, usedBy, operation, key];
    this.request = createHash('sha256')
      .update(JSON.stringify([path, query]))
      .update(rawBody)
      .digest('hex');
    this.sealedFor = sealedFor;
    this.domain = domain;
  }

  /**
   * Takes the key for work that commits with the transaction; waits for a transaction that holds it.
   * @returns the first response if the call was made before @throws ApiError 409 for another request, and for one in flight
   */
  async claim(tx: Transaction): Promise<{ answer: unknown } | undefined> {
    const claimed = await this.hold(tx, this.parts.clock.now() + defaultHoldMs);
    return 'answer' in claimed ? claimed : undefined;
  }

  /**
   * Takes the key for a call outside of the transaction. A call that holds it for longer has died with its process, so that the key of a
   * call without a known outcome can be taken again, by one call at a time.
   * @param until epoch milliseconds @throws ApiError 409 for another request, and for one in flight
   */
  async hold(tx: Transaction, until: number): Promise<ClaimedKey> {
    const now = new Date(this.parts.clock.now());
    const marker = await this.insert(tx, now, until);
    if (marker !== undefined) return { marker, since: now, isUnsettled: false };
    const [known] = await tx.query<{ request_hash: string; reply: string | null }>(
      `select request_hash, reply from idempotency_keys where ${where}`,
      this.columns,
    );
    if (known === undefined || this.open(known.request_hash) !== this.request)
      throw conflict(
        'the Idempotency-Key was used before with another request',
        'Use a new key for a new request.',
      );
    if (known.reply !== null) return { answer: JSON.parse(this.open(known.reply)) as unknown };
    return await this.holdAgain(tx, now, until);
  }

  /** Takes the key for good; waits for a transaction that holds it. @returns false if it is taken */
  async take(tx: Transaction): Promise<boolean> {
    const now = this.parts.clock.now();
    return (await this.insert(tx, new Date(now), now + defaultHoldMs)) !== undefined;
  }

  /** @returns the marker of a new key; undefined if it is known */
  private async insert(tx: Transaction, now: Date, until: number): Promise<string | undefined> {
    const [mine] = await tx.query<{ marker: string }>(
      `insert into idempotency_keys (organization_id, owner_id, operation, key, request_hash, created_at, marker, held_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (organization_id, owner_id, operation, key) do nothing
       returning marker`,
      [...this.columns, await this.seal(tx, this.request), now, randomUUID(), new Date(until)],
    );
    return mine?.marker;
  }

  private async holdAgain(tx: Transaction, now: Date, until: number): Promise<HeldKey> {
    const [again] = await tx.query<{ marker: string; attempts: number; created_at: Date }>(
      `with again as (update idempotency_keys set attempts = attempts + 1, held_until = $7, marker = coalesce(marker, $8)
       where ${where} and reply is null
         and coalesce(held_until, created_at + make_interval(secs => $5)) < $6
       returning marker, attempts, created_at) select * from again`,
      [...this.columns, defaultHoldMs / 1000, now, new Date(until), randomUUID()],
    );
    if (again === undefined)
      throw new ApiError(409, 'the first call with this Idempotency-Key is still under way', {
        remediation:
          'Try again in a moment. What a call whose process has ended has done is found out when its time is over, a minute after it began at most, or five where the provider is waited for.',
        headers: { 'retry-after': '1' },
      });
    this.attempts = again.attempts;
    return { marker: again.marker, since: again.created_at, isUnsettled: true };
  }

  /** Stores the response for a repeated request, unless another call has taken the key since. */
  async keep(tx: Transaction, answer: unknown): Promise<void> {
    const reply = await this.seal(tx, JSON.stringify(answer ?? null));
    await tx.query(`update idempotency_keys set reply = $6 where ${where} and ${isMine}`, [
      ...this.columns,
      this.attempts,
      reply,
    ]);
  }

  /** Releases the key of a call that has done nothing: the next one with it is a first one. */
  async free(tx: Transaction): Promise<void> {
    await tx.query(`delete from idempotency_keys where ${where} and ${isMine}`, [
      ...this.columns,
      this.attempts,
    ]);
  }

  /** Leaves the key to the next call, which finds out what this one has done. */
  async leave(tx: Transaction): Promise<void> {
    await tx.query(
      `update idempotency_keys set held_until = '-infinity' where ${where} and ${isMine}`,
      [...this.columns, this.attempts],
    );
  }

  private async seal(tx: Transaction, text: string): Promise<string> {
    const { sealer, clock } = this.parts;
    const wrapped = await dataKey(
      tx,
      sealer,
      { id: this.sealedFor, domain: this.domain },
      new Date(clock.now()),
    );
    return sealer.seal(wrapped, this.sealedFor, text);
  }

  private open(sealed: string): string {
    return this.parts.sealer.open(this.sealedFor, sealed).reveal();
  }
}
