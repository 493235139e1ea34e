import { isDeepStrictEqual } from 'node:util';
import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { isId } from '#config';
import {
  ApiError,
  type Call,
  type Fault,
  type ManagementSchemas,
  notFound,
  operationOf,
  type Reply,
  validateBody,
} from '#contract';
import {
  applyPatch,
  changedNames,
  checkId,
  fault,
  faults,
  ManagementContext,
  membersOf,
} from '#management/core';
import {
  type Credential,
  kinds,
  listQuery,
  type Reader,
  renewalQueries,
  type Transaction,
} from '#store';
import { checkTokenUrl } from './check-token-url.js';
import { credentialFaults } from './credential-faults.js';
import {
  type CredentialOwner,
  credentialView,
  insertCredential,
  openConfig,
  sealConfig,
} from './credential-record.js';
import { mayUpdateCredentials } from './may-update-credentials.js';
import { checkCredentialPatch } from './patch-restrictions.js';
import { refuseWhenUsed } from './refuse-when-used.js';
import { endReplacedGrant } from './grant-record.js';
import { endGrants } from '#outbox';

type Body = ManagementSchemas['Credential'];

/**
 * `/v1/credentials`: encrypted secrets for providers, of an account, integration, integration point or organization
 * webhook.
 */
@Controller()
export class CredentialsHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('credentials_list')
  async list(call: Call<'credentials_list'>): Promise<Reply<'credentials_list'>> {
    const query = listQuery(call.query, kinds.credentials.fields);
    return await this.context.read(call, async (tx) => {
      const owner = await this.owner(tx, call.path.ownerId);
      const { rows } = await tx.credentials.list(query, { ownerId: owner.id });
      return { result: rows.map(credentialView) };
    });
  }

  @Handles('credentials_list_all')
  async listAll(call: Call<'credentials_list_all'>): Promise<Reply<'credentials_list_all'>> {
    const query = listQuery(call.query, kinds.credentials.fields);
    const { rows } = await this.context.read(call, (tx) => tx.credentials.list(query));
    return { result: rows.map(credentialView) };
  }

  @Handles('credentials_get')
  async get(call: Call<'credentials_get'>): Promise<Reply<'credentials_get'>> {
    return await this.context.read(call, async (tx) => ({
      result: credentialView(await this.find(tx, call.path)),
    }));
  }

  @Handles('credentials_lookup')
  async lookup(call: Call<'credentials_lookup'>): Promise<Reply<'credentials_lookup'>> {
    return await this.context.read(call, async (tx) => {
      const [credential] = await tx.credentials.byIds([call.path.credentialId]);
      if (credential === undefined) throw notFound('credential', call.path.credentialId);
      return { result: credentialView(credential) };
    });
  }

  @Handles('credentials_create')
  async create(call: Call<'credentials_create'>): Promise<Reply<'credentials_create'>> {
    const { path } = call;
    const body: ManagementSchemas['CreateCredentialRequest'] = call.body ?? {};
    return await this.context.create(call, async (tx) => {
      const owner = await this.owner(tx, path.ownerId);
      if (owner.type === 'integration')
        throw new ApiError(400, 'credentials of an integration are part of its configuration', {
          remediation:
            'Create the credential for the account, or put the secret into provider_config.',
        });
      if (body.owner_type && body.owner_type !== owner.type)
        throw fault('/owner_type', `the owner in the path is of type ${owner.type}`, {
          value: body.owner_type,
        });
      if (!body.config)
        throw fault('/config', 'is required', {
          remediation: 'Send the secret, such as {"type": "token", "secret": "…"}.',
        });
      this.checkConfig(body, tx, owner);
      const credential = await insertCredential(this.context, tx, owner, {
        ...body,
        config: body.config,
        managed: false,
      });
      return { result: credentialView(credential) };
    });
  }

  @Handles('credentials_update')
  async update(call: Call<'credentials_update'>): Promise<Reply<'credentials_update'>> {
    return await this.context.write(call, async (tx) => {
      const credential = await this.find(tx, call.path, true);
      checkId(call.body, credential, 'credential');
      this.checkConfig(call.body, tx, credential);
      if (call.body.config) await this.endGrant(tx, credential, call.body.config);
      return { result: await this.store(tx, credential, call.body) };
    });
  }

  @Handles('credentials_patch')
  async patch(call: Call<'credentials_patch'>): Promise<Reply<'credentials_patch'>> {
    checkCredentialPatch(call.body);
    return await this.context.write(call, async (tx) => {
      const credential = await this.find(tx, call.path, true);
      // The secrets are decrypted for the patch within the transaction; the response contains none of them.
      const whole = { ...credentialView(credential), config: openConfig(this.context, credential) };
      const patched = applyPatch(whole, call.body, {
        readOnly: operationOf('credentials_patch').readOnly,
        known: membersOf('credentials_update'),
        validate: (candidate) => [
          ...validateBody(operationOf('credentials_update'), candidate),
          ...this.configFaults(candidate as Body, tx, credential),
        ],
      });
      const [account] = await tx.accounts.byIds(credential.accountId ? [credential.accountId] : []);
      if (!mayUpdateCredentials(call.caller, account))
        checkTokenUrl(whole.config, patched.config, call.body);
      // A secret that somebody replaced is not what the provider granted, and is not renewed.
      if (!isDeepStrictEqual(whole.config, patched.config))
        await this.endGrant(tx, credential, patched.config);
      return { result: await this.store(tx, credential, patched as Body) };
    });
  }

  @Handles('credentials_delete')
  async delete(call: Call<'credentials_delete'>): Promise<Reply<'credentials_delete'>> {
    await this.context.write(call, async (tx) => {
      const credential = await this.find(tx, call.path, true);
      await refuseWhenUsed(tx, credential);
      await endGrants(tx, { credentialIds: [credential.id] }, this.context.now());
      await tx.credentials.delete(credential);
    });
    return undefined as Reply<'credentials_delete'>;
  }

  /** Ends what was granted, and its renewal, before somebody's own secret takes its place. */
  private async endGrant(tx: Transaction, credential: Credential, config: object): Promise<void> {
    const { sealer } = this.context;
    await endReplacedGrant({ now: this.context.now(), sealer }, tx, credential, config);
    await renewalQueries.deleteOfCredential(tx, credential.id);
  }

  private async store(tx: Transaction, credential: Credential, body: Body) {
    const expires = body.expires ? new Date(body.expires) : null;
    const changed: Credential = {
      ...credential,
      ...changedNames(this.context, credential, body),
      expires,
    };
    if (body.config) {
      // Records that use the credential were checked against its type.
      if (body.config.type !== credential.configType) await refuseWhenUsed(tx, credential);
      changed.configType = body.config.type;
      changed.sealed = await sealConfig(this.context, tx, credential.accountId, body.config);
    }
    await tx.credentials.save(changed);
    tx.forget(credential.id);
    return credentialView(changed);
  }

  private async find(
    tx: Reader,
    path: { ownerId: string; credentialId: string },
    lock = false,
  ): Promise<Credential> {
    const owner = await this.owner(tx, path.ownerId);
    const within = { ownerId: owner.id };
    return lock
      ? await tx.credentials.getLocked(path.credentialId, within)
      : await tx.credentials.get(path.credentialId, within);
  }

  /** Finds the owner by id or name: ids contain their kind, names are looked up in this order. */
  private async owner(tx: Reader, idOrName: string): Promise<CredentialOwner> {
    const account = await tx.accounts.find(idOrName);
    if (account) return { type: 'account', id: account.id, accountId: account.id };
    const [integration, namesake] = isId(idOrName)
      ? await tx.integrations.byIds([idOrName])
      : await tx.integrations.byNames([idOrName]);
    if (integration && !namesake)
      return { type: 'integration', id: integration.id, accountId: integration.accountId };
    // Points and webhooks serve all accounts, so callers limited to some accounts cannot access their secrets.
    if (tx.scope.accounts === 'all') {
      const point = await tx.integrationPoints.find(idOrName);
      if (point) return { type: 'integration_point', id: point.id, accountId: null };
      const webhook = await tx.organizationWebhooks.find(idOrName);
      if (webhook) return { type: 'organization_webhook', id: webhook.id, accountId: null };
    }
    throw notFound('account', idOrName);
  }

  private configFaults(
    { config }: { config?: Body['config'] | null },
    tx: Transaction,
    { accountId }: { accountId: string | null },
  ): Fault[] {
    const { awsRoles } = this.context;
    const owner = accountId ?? tx.scope.organizationId;
    return config ? credentialFaults(config, '/config', { awsRoles, owner }) : [];
  }

  /** Checks a configuration against its type. @throws ApiError 400 */
  private checkConfig(
    body: { config?: Body['config'] | null },
    tx: Transaction,
    of: { accountId: string | null },
  ): void {
    const found = this.configFaults(body, tx, of);
    if (found.length > 0) throw faults(found);
  }
}
