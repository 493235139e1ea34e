import { createHash } from 'node:crypto';
import type { Clock } from '#config';
import { ApiError, type Caller, conflict, type OperationId } from '#contract';
import type { Sealer } from '#secrets';
import { dataKey } from './data-keys.js';
import type { Transaction } from './transaction.js';

/** Longer than any call may take: a call without a response by then has died with its process. */
const abandonedMs = 5 * 60_000;
const where = 'organization_id = $1 and owner_id = $2 and operation = $3 and key = $4';

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

/**
 * The `Idempotency-Key` of a create: the same request gets the first response again, another one is refused. Both are stored
 * encrypted, because responses contain secrets that are returned once, and short passwords of requests could be guessed from a hash.
 */
export class IdempotencyKey {
  private readonly columns: string[];
  private readonly request: string;
  private readonly sealedFor: string;
  private readonly domain: string | undefined;

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
   * Takes the key for this call; waits for a transaction that holds it.
   * @returns the first response if the call was made before @throws ApiError 409 for another request, for one in flight, and for one whose process died
   */
  async claim(tx: Transaction): Promise<{ answer: unknown } | undefined> {
    if (await this.take(tx)) return undefined;
    const now = this.parts.clock.now();
    const [known] = await tx.query<{
      request_hash: string;
      reply: string | null;
      created_at: Date;
    }>(`select request_hash, reply, created_at from idempotency_keys where ${where}`, this.columns);
    if (known === undefined || this.open(known.request_hash) !== this.request)
      throw conflict(
        'the Idempotency-Key was used before with another request',
        'Use a new key for a new request.',
      );
    // It is unknown what the call did before its process died, so the caller must confirm a repetition with a new key.
    if (known.reply === null && known.created_at.getTime() < now - abandonedMs)
      throw conflict(
        'the first call with this Idempotency-Key ended without a result: its outcome is unknown',
        'Look whether it was carried out: list or get the record that it creates. If it was not, send the request with a new key.',
      );
    if (known.reply === null)
      throw new ApiError(409, 'the first call with this Idempotency-Key is still under way', {
        remediation: 'Try again in a moment.',
        headers: { 'retry-after': '1' },
      });
    return { answer: JSON.parse(this.open(known.reply)) as unknown };
  }

  /** Takes the key for this call; waits for a transaction that holds it. @returns false if it is taken */
  async take(tx: Transaction): Promise<boolean> {
    const mine = await tx.query(
      `insert into idempotency_keys (organization_id, owner_id, operation, key, request_hash, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (organization_id, owner_id, operation, key) do nothing
       returning 1`,
      [...this.columns, await this.seal(tx, this.request), new Date(this.parts.clock.now())],
    );
    return mine.length > 0;
  }

  /** Stores the response for a repeated request. */
  async keep(tx: Transaction, answer: unknown): Promise<void> {
    const reply = await this.seal(tx, JSON.stringify(answer ?? null));
    await tx.query(`update idempotency_keys set reply = $5 where ${where}`, [
      ...this.columns,
      reply,
    ]);
  }

  /** Releases the key for the next call after a failed one. */
  async free(tx: Transaction): Promise<void> {
    await tx.query(`delete from idempotency_keys where ${where} and reply is null`, this.columns);
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
