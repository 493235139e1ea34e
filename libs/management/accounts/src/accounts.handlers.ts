import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  type Call,
  type Caller,
  conflict,
  forbidden,
  isWithin,
  type ManagementSchemas,
  reaches,
  type Reply,
} from '#contract';
import {
  accountView,
  changedNames,
  checkLabels,
  ManagementContext,
  newRecord,
  readDuration,
  RecordHandlers,
} from '#management/core';
import { ProviderCatalog, removeWebhooksOf } from '#management/integrations';
import { emitEvents, endGrants } from '#outbox';
import { endOfMaker, issueToken, tokenView, ttlBounds } from '#management/tokens';
import {
  type Account,
  credentialQueries,
  integrationQueries,
  kinds,
  ownAccountId,
  tokenQueries,
  type Transaction,
} from '#store';

type AccountBody = ManagementSchemas['Account'];

/** `/v1/accounts`: the containers of a vendor's customers. */
@Controller()
export class AccountsHandlers {
  private readonly records: RecordHandlers<Account, AccountBody>;

  constructor(
    readonly context: ManagementContext,
    readonly catalog: ProviderCatalog,
  ) {
    this.records = new RecordHandlers(context, {
      kind: kinds.accounts,
      called: 'account',
      view: accountView,
      operations: { patch: 'accounts_patch', update: 'accounts_update' },
      store: (tx, account, body) => this.store(tx, account, body),
      remove: (tx, account) => this.remove(tx, account),
    });
  }

  @Handles('accounts_list')
  async list(call: Call<'accounts_list'>): Promise<Reply<'accounts_list'>> {
    return await this.records.list(call);
  }

  @Handles('accounts_get')
  async get(call: Call<'accounts_get'>): Promise<Reply<'accounts_get'>> {
    return await this.records.get(call, call.path.accountId);
  }

  @Handles('accounts_create')
  async create(call: Call<'accounts_create'>): Promise<Reply<'accounts_create'>> {
    const body: ManagementSchemas['CreateAccountRequest'] = call.body ?? {};
    return await this.context.create(call, async (tx) => {
      const id = this.context.ids.next(kinds.accounts);
      const account: Account = {
        ...(await newRecord(this.context, tx, tx.accounts, { ...body, id })),
        environment: body.environment ?? 'prod',
        labels: checkLabels(body.labels),
      };
      checkReach(tx, account);
      await tx.accounts.insert(account);
      await this.emit(tx, 'account_create', account);
      const token = body.token ? await this.issue(call, tx, account, body.token) : undefined;
      return { result: { account: accountView(account), ...(token ? { token } : {}) } };
    });
  }

  @Handles('accounts_update')
  async update(call: Call<'accounts_update'>): Promise<Reply<'accounts_update'>> {
    return await this.records.update(call, call.path.accountId);
  }

  @Handles('accounts_patch')
  async patch(call: Call<'accounts_patch'>): Promise<Reply<'accounts_patch'>> {
    return await this.records.patch(call, call.path.accountId);
  }

  /**
   * Deletes the account's integrations, their tokens, credentials and jobs with it, its bridge groups, whose agents are disconnected,
   * and webhooks at providers later; tokens scoped to the account stay listed.
   */
  @Handles('accounts_delete')
  async delete(call: Call<'accounts_delete'>): Promise<Reply<'accounts_delete'>> {
    await this.records.delete(call, call.path.accountId);
    return undefined as Reply<'accounts_delete'>;
  }

  private async remove(tx: Transaction, account: Account): Promise<void> {
    refuseOwn(account);
    await checkWhole(tx, account);
    await this.emit(tx, 'account_delete', account);
    await removeWebhooksOf(tx, this, account);
    await endGrants(tx, { accountId: account.id }, this.context.now());
    await tokenQueries.deleteOfAccount(tx, account.id);
    const hasBridges = (await tx.bridges.all({ accountId: account.id })).length > 0;
    await tx.accounts.delete(account);
    await credentialQueries.deleteDataKeys(tx, account.id);
    tx.forget(account.id);
    if (hasBridges) await tx.notify('bridge.changed', {});
  }

  private async store(tx: Transaction, account: Account, body: AccountBody): Promise<AccountBody> {
    refuseOwn(account);
    const changed: Account = {
      ...account,
      ...changedNames(this.context, account, body),
      environment: body.environment,
      labels: checkLabels(body.labels),
    };
    checkReach(tx, changed);
    if (changed.environment !== account.environment) await checkProvidersAllowed(tx, changed);
    await tx.accounts.save(changed);
    await this.emit(tx, 'account_update', changed);
    return accountView(changed);
  }

  private async emit(
    tx: Transaction,
    event: 'account_create' | 'account_update' | 'account_delete',
    account: Account,
  ): Promise<void> {
    const data = { account: accountView(account) };
    await emitEvents(this.context, tx, [{ event, account, data }]);
  }

  private async issue(
    { caller }: Call<'accounts_create'>,
    tx: Transaction,
    account: Account,
    wanted: ManagementSchemas['CreateAccountToken'],
  ) {
    const adhocRole = narrowRole(caller, account, wanted.permission_set);
    const { token, secrets } = await issueToken(this.context, tx, {
      ownerId: account.organizationId,
      ownerType: 'organization',
      memberId: caller.memberId,
      name: wanted.name,
      fullname: wanted.fullname,
      tokenType: 'adhoc',
      ttl: readDuration(wanted.token_ttl, '/token/token_ttl', ttlBounds.token),
      endsBy: await endOfMaker(tx, caller),
      adhocRole,
    });
    return tokenView(token, secrets);
  }
}

/**
 * Limits the permission set of the account to that of the caller: a token never permits more than the token that
 * creates it.
 */
function narrowRole(
  { permissions }: Caller,
  account: Account,
  permissionSet: ManagementSchemas['Permissions'],
) {
  const maker = permissions.find(
    (one) =>
      isWithin({ ...one, permissionSet }, [one]) &&
      (!one.accounts || reaches([one.accounts], account)),
  );
  if (maker === undefined)
    throw forbidden(
      'the token would permit more than the token that creates it',
      'Choose a permission set that the calling token has.',
    );
  return {
    resources: {
      accounts: { ...maker.accounts, ids: [account.id] },
      ...(maker.categories ? { integrations: { categories: maker.categories } } : {}),
    },
    permission_set: permissionSet,
  };
}

/** Refuses to change or delete the account of the organization's own integrations, which is built in. @throws ApiError 409 */
function refuseOwn({ id, organizationId }: Account): void {
  if (id !== ownAccountId(organizationId)) return;
  throw conflict(
    "the account of the organization's own integrations is built in",
    'Change or delete its integrations instead.',
  );
}

/**
 * Checks the environment of an account against its integration points, which allow providers per environment.
 * @throws ApiError 409
 */
async function checkProvidersAllowed(tx: Transaction, account: Account): Promise<void> {
  const refused = await integrationQueries.findDisallowed(tx, account.id, account.environment);
  if (refused)
    throw conflict(
      `the integration point "${refused.point}" does not allow the provider of the integration "${refused.integration}" in the environment ${account.environment}`,
      'Allow the provider there first, or remove the integration point from the integration.',
    );
}

/** Checks that the caller reaches everything that is deleted with the account. @throws ApiError 403 */
async function checkWhole(tx: Transaction, { id }: Account): Promise<void> {
  const inReach = await tx.integrations.all({ accountId: id });
  const all = await tx.limitedTo('all').integrations.all({ accountId: id });
  if (inReach.length === all.length) return;
  throw forbidden(
    'the account has integrations that the token cannot access',
    'Use a token that is not limited to some domains.',
  );
}

/**
 * Checks that a caller that is limited to some accounts can access the account that it creates.
 * @throws ApiError 403
 */
function checkReach({ scope }: Transaction, account: Account): void {
  if (reaches(scope.accounts, account)) return;
  throw forbidden(
    'the token could not access this account',
    'Give it a label and an environment that the token is limited to, or use a token without that limit.',
  );
}
