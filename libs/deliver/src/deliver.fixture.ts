import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createIds } from '#config';
import { createDispatcher, EgressPolicy } from '#egress';
import { keyOf, Sealer } from '#secrets';
import {
  kinds,
  openStore,
  organizationIds,
  type OrganizationWebhook,
  type Store,
  wholeOrganization,
} from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { DeliveryEngine, type Endpoint, type EndpointStopped } from './delivery-engine.js';
import { OrganizationWebhookTargets } from './delivery-targets.js';

export const secret = 'a secret that signs deliveries';

/** A delivery as it is stored, with its attempts. */
export interface StoredDelivery {
  id: string;
  status: string;
  reason: string | null;
  nextAttemptAt: Date | null;
  attempts: { number: number; status_code: number | null; reason: string | null }[];
}

/** An engine over a database of its own, with a clock that stands still until a spec moves it. */
export class DeliveryWorld {
  /** Epoch milliseconds. */
  now = Date.now();
  readonly outcomes: string[] = [];
  readonly stopped: EndpointStopped[] = [];
  readonly ids = createIds();
  private readonly sealer = new Sealer(keyOf(randomBytes(32)));
  private readonly dataKey = this.sealer.createDataKey();

  private constructor(
    private readonly database: TestDatabase,
    readonly store: Store,
    readonly owner: pg.Client,
  ) {}

  static async open(): Promise<DeliveryWorld> {
    const database = await createMigratedDatabase();
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    return new DeliveryWorld(database, await openStore({ url: database.url, poolSize: 4 }), owner);
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.store.close();
    await this.database.drop();
  }

  engine(policy = new EgressPolicy(['127.0.0.1'])): DeliveryEngine {
    return new DeliveryEngine({
      store: this.store,
      clock: { now: () => this.now },
      dispatcher: createDispatcher(policy),
      policy,
      targets: new OrganizationWebhookTargets(this.sealer),
      count: (outcome) => this.outcomes.push(outcome),
      recordStop: async (_tx, stopped) => void this.stopped.push(stopped),
      random: () => 0.5,
    });
  }

  async organization(): Promise<string> {
    const id = this.ids.next(organizationIds);
    await this.owner.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ($1, $1, $1, 'root', 'tok', now(), now())`,
      [id],
    );
    return id;
  }

  /** Creates a webhook of an organization, by default of a new one. */
  async webhook(
    url: string,
    organizationId?: string,
    expires: Date | null = null,
  ): Promise<Endpoint> {
    const owner = organizationId ?? (await this.organization());
    const id = this.ids.next(kinds.organizationWebhooks);
    const at = new Date(this.now);
    const base = { organizationId: owner, fullname: id, createdAt: at, updatedAt: at };
    const credentialId = this.ids.next(kinds.credentials);
    const config = JSON.stringify({ type: 'secret', secret });
    await this.store.write(wholeOrganization(owner), async (tx) => {
      await tx.credentials.insert({
        ...base,
        id: credentialId,
        name: credentialId,
        ownerType: 'organization_webhook',
        ownerId: id,
        accountId: null,
        configType: 'secret',
        expires,
        managed: true,
        sealed: this.sealer.seal(this.dataKey, owner, config),
      });
      const webhook: OrganizationWebhook = {
        ...base,
        id,
        name: id,
        environment: 'prod',
        filters: ['all'],
        url,
        credentialId,
        state: 'active',
        stateSince: null,
        stateReason: null,
        failingSince: null,
        failures: 0,
        restingUntil: null,
      };
      await tx.organizationWebhooks.insert(webhook);
    });
    return { organizationId: owner, endpointId: id };
  }

  /** Stores deliveries that are due now. @returns their ids */
  async deliveries({ organizationId, endpointId }: Endpoint, count = 1): Promise<string[]> {
    const ids = Array.from({ length: count }, () => this.ids.next(kinds.deliveries));
    await this.owner.query(
      `insert into deliveries
         (organization_id, id, endpoint_id, event, payload, status, next_attempt_at, expires_at, created_at, updated_at)
       select $1, id, $2, 'account_create', '{"event":"account_create","id":"' || id || '"}', 'waiting',
         $4::timestamptz, $4::timestamptz + interval '3 days', $4, $4
       from unnest($3::text[]) id`,
      [organizationId, endpointId, ids, new Date(this.now)],
    );
    return ids;
  }

  async delivery(id: string): Promise<StoredDelivery> {
    const { rows } = await this.owner.query<StoredDelivery>(
      `select id, status, reason, next_attempt_at as "nextAttemptAt",
         (select coalesce(jsonb_agg(jsonb_build_object('number', number, 'status_code', status_code, 'reason', reason) order by number), '[]')
          from delivery_attempts where delivery_id = d.id) as attempts
       from deliveries d where id = $1`,
      [id],
    );
    const [found] = rows;
    if (found === undefined) throw new Error(`there is no delivery ${id}`);
    return found;
  }

  async webhookRow({ endpointId }: Endpoint): Promise<OrganizationWebhook> {
    const { rows } = await this.owner.query<OrganizationWebhook>(
      `select state, state_reason as "stateReason", failing_since as "failingSince", failures
       from organization_webhooks where id = $1`,
      [endpointId],
    );
    return rows[0] as OrganizationWebhook;
  }

  /** Runs turns, and moves the clock to each next one, until nothing waits or the time is over. @returns the number of turns */
  async play(
    engine: DeliveryEngine,
    endpoint: Endpoint,
    until = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    for (let turns = 1; ; turns += 1) {
      const next = await engine.run(endpoint);
      if (next === undefined || next.getTime() > until) return turns;
      this.now = Math.max(this.now, next.getTime());
    }
  }
}
