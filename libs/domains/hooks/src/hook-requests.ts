import type { Clock, Ids } from '#config';
import type { Call, OperationId } from '#contract';
import { createDispatcher, type EgressPolicy } from '#egress';
import { Cursors, type KeySource, type Sealer, type Secret } from '#secrets';
import {
  dataKey,
  type KeyOwner,
  type Scope,
  type Store,
  type Transaction,
  wholeOrganization,
} from '#store';

/** Tools of requests about webhooks at providers. */
export class HookRequests {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly policy: EgressPolicy;
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  /** Encrypts the addresses that pass messages on. Whoever sends one has no token, so the connector of any domain gets it. */
  readonly cursors: Cursors;

  constructor(parts: {
    store: Store;
    sealer: Sealer;
    /** Keys that the connectors of every domain have. */
    busKeys: KeySource;
    clock: Clock;
    ids: Ids;
    egress: EgressPolicy;
  }) {
    this.store = parts.store;
    this.sealer = parts.sealer;
    this.clock = parts.clock;
    this.ids = parts.ids;
    this.policy = parts.egress;
    this.dispatcher = createDispatcher(parts.egress);
    this.cursors = new Cursors(parts.busKeys.derive('webhook cursors'));
  }

  now(): Date {
    return new Date(this.clock.now());
  }

  /** The ids of the caller's integration, and the scope of its organization. */
  ownerOf({ caller }: Pick<Call<OperationId>, 'caller'>) {
    const { organizationId, accountId = '', integrationId = '', tokenId, memberId } = caller;
    const scope: Scope = wholeOrganization(organizationId);
    const sealedFor: KeyOwner = { id: accountId, domain: caller.category };
    return { organizationId, accountId, integrationId, tokenId, memberId, scope, sealedFor };
  }

  async seal(tx: Transaction, owner: KeyOwner, text: string): Promise<string> {
    return this.sealer.seal(await dataKey(tx, this.sealer, owner, this.now()), owner.id, text);
  }

  open(accountId: string, sealed: string): Secret {
    return this.sealer.open(accountId, sealed);
  }

  async close(): Promise<void> {
    await this.dispatcher.close();
  }
}
