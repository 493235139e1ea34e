import type { EntityManager } from 'typeorm';
import { ApiError } from '#contract';
import { Organization } from './entities.js';
import { kinds } from './kinds.js';
import { Records, type SeenRecord } from './records.js';
import { type Scope, wholeOrganization } from './scope.js';

/** The tenant's records inside one transaction, as far as the scope reaches. */
export class Transaction {
  readonly accounts;
  readonly members;
  readonly credentials;
  readonly integrationPoints;
  readonly integrations;
  readonly integrationEvents;
  readonly integrationStatuses;
  readonly mappings;
  readonly tokens;
  readonly bridges;
  readonly organizationWebhooks;
  readonly operations;
  readonly operationExecutions;
  readonly ssoConfigurations;
  readonly customs;
  readonly roles;

  constructor(
    readonly manager: EntityManager,
    readonly scope: Scope,
    private readonly saw: (seen: SeenRecord) => void = () => undefined,
  ) {
    this.accounts = new Records(manager, scope, kinds.accounts, saw);
    this.members = new Records(manager, scope, kinds.members, saw);
    this.credentials = new Records(manager, scope, kinds.credentials, saw);
    this.integrationPoints = new Records(manager, scope, kinds.integrationPoints, saw);
    this.integrations = new Records(manager, scope, kinds.integrations, saw);
    this.integrationEvents = new Records(manager, scope, kinds.integrationEvents, saw);
    this.integrationStatuses = new Records(manager, scope, kinds.integrationStatuses, saw);
    this.mappings = new Records(manager, scope, kinds.mappings, saw);
    this.tokens = new Records(manager, scope, kinds.tokens, saw);
    this.bridges = new Records(manager, scope, kinds.bridges, saw);
    this.organizationWebhooks = new Records(manager, scope, kinds.organizationWebhooks, saw);
    this.operations = new Records(manager, scope, kinds.operations, saw);
    this.operationExecutions = new Records(manager, scope, kinds.operationExecutions, saw);
    this.ssoConfigurations = new Records(manager, scope, kinds.ssoConfigurations, saw);
    this.customs = new Records(manager, scope, kinds.customs, saw);
    this.roles = new Records(manager, scope, kinds.roles, saw);
  }

  /** The same transaction as somebody sees it who reaches only these accounts. */
  limitedTo(accounts: Scope['accounts']): Transaction {
    return new Transaction(this.manager, { ...this.scope, accounts }, this.saw);
  }

  /** The same transaction as all of another organization sees it: for who founds that one. What fails undoes both. */
  async inOrganization<T>(
    organizationId: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const enter = (id: string) =>
      this.manager.query(`select set_config('onefold.organization_id', $1, true)`, [id]);
    await enter(organizationId);
    const result = await work(
      new Transaction(this.manager, wholeOrganization(organizationId), this.saw),
    );
    await enter(this.scope.organizationId);
    return result;
  }

  /** The organization of the scope. */
  async organization(lock = false): Promise<Organization> {
    const query = this.manager
      .createQueryBuilder(Organization, 'o')
      .where('o.id = :id', { id: this.scope.organizationId });
    const found = await (lock ? query.setLock('pessimistic_write') : query).getOne();
    if (found === null) throw new ApiError(401, 'the organization of the token is gone');
    return found;
  }

  /** Runs a statement under the scope's organization, by row-level security alone: name the organization in it too. */
  async query<Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    return await this.manager.query<Row[]>(statement, parameters);
  }

  /** Tells every process once the transaction is committed, and nobody when it is not. */
  async notify(
    event: 'token.changed' | 'integration.changed',
    payload: Record<string, unknown>,
  ): Promise<void> {
    const message = { event, payload: { organizationId: this.scope.organizationId, ...payload } };
    await this.manager.query('select pg_notify($1, $2)', ['onefold', JSON.stringify(message)]);
  }
}
