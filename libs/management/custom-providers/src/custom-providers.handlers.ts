import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { compileProvider, documentProvider, type Provider } from '#connect';
import { checkDocumentOrigins } from '#management/integrations';
import { type Call, type Caller, conflict, type ManagementSchemas, type Reply } from '#contract';
import {
  changedNames,
  compiled,
  documentView,
  fault,
  ManagementContext,
  newRecord,
  RecordHandlers,
} from '#management/core';
import { ProviderCatalogue } from '#providers';
import { MappingError } from '#mapping';
import { type Custom, kinds, type Transaction } from '#store';

type Body = ManagementSchemas['Custom'];

/** `/v1/customs`: the organization's own provider documents. */
@Controller()
export class CustomProvidersHandlers {
  private readonly records: RecordHandlers<Custom, Body>;

  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
  ) {
    this.records = new RecordHandlers(context, {
      kind: kinds.customs,
      called: 'custom provider',
      view: documentView,
      operations: { patch: 'customs_patch', update: 'customs_update' },
      store: (tx, custom, body, caller) => this.store(tx, custom, body, caller),
      remove: (tx, custom) => this.remove(tx, custom),
    });
  }

  @Handles('customs_list')
  async list(call: Call<'customs_list'>): Promise<Reply<'customs_list'>> {
    return await this.records.list(call);
  }

  @Handles('customs_get')
  async get(call: Call<'customs_get'>): Promise<Reply<'customs_get'>> {
    return await this.records.get(call, call.path.customId);
  }

  @Handles('customs_create')
  async create(call: Call<'customs_create'>): Promise<Reply<'customs_create'>> {
    const { body } = call;
    const { provider, fullname, made } = this.check(body.data);
    return await this.context.create(call, async (tx) => {
      await this.refuseTwice(tx, provider);
      // Integrations may be there before: of a provider that the contract names for later.
      const change = { before: undefined, after: made };
      await checkDocumentOrigins(tx, call.caller, provider, change);
      const id = this.context.ids.next(kinds.customs);
      const names = { name: body.name, fullname: body.fullname ?? fullname };
      const custom: Custom = {
        ...(await newRecord(this.context, tx, tx.customs, { ...names, id })),
        provider,
        data: body.data,
      };
      return { result: { custom: documentView(await tx.customs.insert(custom)) } };
    });
  }

  @Handles('customs_update')
  async update(call: Call<'customs_update'>): Promise<Reply<'customs_update'>> {
    return await this.records.update(call, call.path.customId);
  }

  @Handles('customs_patch')
  async patch(call: Call<'customs_patch'>): Promise<Reply<'customs_patch'>> {
    return await this.records.patch(call, call.path.customId);
  }

  @Handles('customs_delete')
  async delete(call: Call<'customs_delete'>): Promise<Reply<'customs_delete'>> {
    await this.records.delete(call, call.path.customId);
    return undefined as Reply<'customs_delete'>;
  }

  private async remove(tx: Transaction, custom: Custom): Promise<void> {
    await refuseWhenUsed(tx, custom, 'Delete them first.');
    await tx.customs.delete(custom);
  }

  private async store(tx: Transaction, custom: Custom, body: Body, caller: Caller): Promise<Body> {
    const { provider, made } = this.check(body.data);
    if (provider !== custom.provider) {
      await refuseWhenUsed(tx, custom, `Keep the id ${custom.provider} in the document.`);
      await this.refuseTwice(tx, provider);
    }
    const change = { before: storedProvider(custom), after: made };
    await checkDocumentOrigins(tx, caller, provider, change);
    const changed: Custom = {
      ...custom,
      ...changedNames(this.context, custom, body),
      provider,
      data: body.data,
    };
    await tx.customs.save(changed);
    await tx.notify('integration.changed', {});
    return documentView(changed);
  }

  /** @throws ApiError 400 with every fault of the document, at its line and column */
  private check(data: string): { provider: string; fullname: string; made: Provider } {
    const document = compiled(() => compileProvider(data));
    const { provider, fullname } = document.source;
    if (this.providers.isBuiltIn(provider))
      throw fault('/data', `the provider ${provider} is a built-in one`, {
        remediation: 'Give the document an id of its own.',
      });
    return { provider, fullname, made: documentProvider(document) };
  }

  private async refuseTwice(tx: Transaction, provider: string): Promise<void> {
    const [other] = await tx.query<{ name: string }>(
      'select name from customs where organization_id = $1 and provider = $2',
      [tx.scope.organizationId, provider],
    );
    if (other !== undefined)
      throw conflict(
        `the custom provider "${other.name}" has the id ${provider} already`,
        'Change that one, or give the document another id.',
      );
  }
}

/** @returns undefined for a document that was right when it was stored and is not any more */
function storedProvider({ data }: Custom): Provider | undefined {
  try {
    return documentProvider(compileProvider(data));
  } catch (error) {
    if (error instanceof MappingError) return undefined;
    throw error;
  }
}

/** @throws ApiError 409 naming up to three of the integrations on the provider */
async function refuseWhenUsed(tx: Transaction, custom: Custom, remediation: string): Promise<void> {
  const users = await tx.query<{ name: string }>(
    'select name from integrations where organization_id = $1 and provider_type = $2 limit 3',
    [custom.organizationId, custom.provider],
  );
  if (users.length > 0)
    throw conflict(
      `the provider is used by the integrations ${users.map(({ name }) => `"${name}"`).join(', ')}`,
      remediation,
    );
}
