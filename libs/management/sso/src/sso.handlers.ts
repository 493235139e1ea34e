import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, conflict, type Reply } from '#contract';
import { checkFullname, ManagementContext, newRecord } from '#management/core';
import { organizationState } from '#management/organization';
import {
  kinds,
  signOnQueries,
  type SsoConfiguration,
  tokenQueries,
  type Transaction,
  wholeOrganization,
} from '#store';
import { addressesOf } from './addresses.js';
import { configurationView, contentOf, issuerOf } from './configuration-record.js';
import { nameIdFormats } from './configuration-settings.js';
import { IdentityProviders } from './identity-providers.js';
import { SsoOptions } from './sso-options.js';

/** `/v1/auth/sso`: identity providers through which members sign on. */
@Controller()
export class SsoHandlers {
  constructor(
    private readonly context: ManagementContext,
    private readonly options: SsoOptions,
    private readonly providers: IdentityProviders,
  ) {}

  @Handles('auth_list_sso')
  async list(call: Call<'auth_list_sso'>): Promise<Reply<'auth_list_sso'>> {
    return await this.context.read(call, async (tx) => ({
      result: (await tx.ssoConfigurations.all({})).map(configurationView),
    }));
  }

  /** Says the same of an organization that does not exist, is disabled or lists nothing. */
  @Handles('auth_list_logon_sso')
  async listForLogon(call: Call<'auth_list_logon_sso'>): Promise<Reply<'auth_list_logon_sso'>> {
    const id = await this.context.store.organizationOf(call.path.organizationId);
    if (id === undefined) return { result: [] };
    return await this.context.store.read(wholeOrganization(id), async (tx) => {
      if (organizationState(await tx.organization(), this.context.clock.now()) === 'disabled')
        return { result: [] };
      const listed = await tx.ssoConfigurations.all({ listed: true });
      return { result: listed.map(({ id, name, fullname }) => ({ id, name, fullname })) };
    });
  }

  @Handles('auth_get_sso')
  async get(call: Call<'auth_get_sso'>): Promise<Reply<'auth_get_sso'>> {
    return await this.context.read(call, async (tx) => ({
      result: configurationView(await tx.ssoConfigurations.get(call.path.ssoId)),
    }));
  }

  @Handles('auth_create_sso')
  async create(call: Call<'auth_create_sso'>): Promise<Reply<'auth_create_sso'>> {
    const { body } = call;
    if (call.query.verify === true) await this.providers.check(body.config, this.options.egress);
    return await this.context.create(call, async (tx) => {
      const id = this.context.ids.next(kinds.ssoConfigurations);
      const { fullname } = body;
      const record: SsoConfiguration = {
        ...(await newRecord(this.context, tx, tx.ssoConfigurations, { id, fullname })),
        ...(await contentOf(this.context, tx, this.options.egress, body.config)),
        listed: body.listed ?? false,
      };
      return { result: configurationView(await tx.ssoConfigurations.insert(record)) };
    });
  }

  @Handles('auth_update_sso')
  async update(call: Call<'auth_update_sso'>): Promise<Reply<'auth_update_sso'>> {
    const { body, path, query } = call;
    if (query.verify === true) await this.providers.check(body.config, this.options.egress);
    return await this.context.write(call, async (tx) => {
      const old = await tx.ssoConfigurations.getLocked(path.ssoId);
      checkUnchanged(old, body.updated_at);
      const changed: SsoConfiguration = {
        ...old,
        fullname: checkFullname(body.fullname),
        // Always later than before, so that two changes within one millisecond differ.
        updatedAt: new Date(Math.max(this.context.clock.now(), old.updatedAt.getTime() + 1)),
        ...(await contentOf(this.context, tx, this.options.egress, body.config, old)),
        listed: body.listed ?? old.listed,
      };
      await tx.ssoConfigurations.save(changed);
      // Sign-ons that began under the old settings do not go on under the new ones.
      await signOnQueries.deleteOfSso(tx, old.id);
      if (issuerOf(old) !== issuerOf(changed)) await forgetIdentities(tx, old);
      return { result: configurationView(changed) };
    });
  }

  /**
   * Deletes the configuration with its sign-ons in progress, its linked identities, and the sessions that they began.
   */
  @Handles('auth_delete_sso')
  async delete(call: Call<'auth_delete_sso'>): Promise<Reply<'auth_delete_sso'>> {
    await this.context.write(call, async (tx) => {
      const record = await tx.ssoConfigurations.getLocked(call.path.ssoId);
      await forgetIdentities(tx, record);
      await tx.ssoConfigurations.delete(record);
    });
    return undefined as Reply<'auth_delete_sso'>;
  }

  @Handles('auth_get_sso_metadata')
  async metadata(call: Call<'auth_get_sso_metadata'>): Promise<Reply<'auth_get_sso_metadata'>> {
    const { redirectUri, acsUrl, spEntityId } = addressesOf(
      this.options.publicUrl(),
      call.caller.organizationId,
    );
    return {
      result: {
        oidc: { redirect_uri: redirectUri },
        saml: {
          acs_url: acsUrl,
          sp_entity_id: spEntityId,
          supported_name_id_formats: nameIdFormats,
        },
      },
    };
  }
}

/** Refuses a change of a record that was changed since the caller read it. @throws ApiError 409 */
function checkUnchanged({ updatedAt }: SsoConfiguration, read: string | null | undefined): void {
  if (read === undefined || read === null || Date.parse(read) === updatedAt.getTime()) return;
  throw conflict(
    `the single sign-on configuration was changed at ${updatedAt.toISOString()}, after it was read`,
    'Read it again and send its updated_at with the changes.',
  );
}

/** Deletes identities and their sessions, so that their members have to sign on again. */
async function forgetIdentities(tx: Transaction, { id }: SsoConfiguration): Promise<void> {
  await tokenQueries.endSessionsOfSso(tx, id);
  await signOnQueries.deleteIdentities(tx, id);
}
