import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { checkDocumentOrigins } from '#management/integrations';
import { type Call, type Caller, conflict, type ManagementSchemas, type Reply } from '#contract';
import {
  changedNames,
  compileYaml,
  documentNotes,
  documentView,
  fault,
  ManagementContext,
  messagesOf,
  newRecord,
  type Note,
  RecordHandlers,
} from '#management/core';
import {
  compileProviders,
  describeProvider,
  isMockType,
  type ProviderDescription,
} from '#provider-document';
import { ProviderCatalogue } from '#providers';
import { lintText, MappingError, type TextInDocument } from '@onefold/mapping';
import {
  type Custom,
  customProviderQueries,
  integrationPointQueries,
  integrationQueries,
  kinds,
  type Transaction,
} from '#store';

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
      notes: ({ data }) => notesOf(data),
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
    const { providers, fullname, made } = this.check(body.data);
    return await this.context.create(call, async (tx) => {
      await this.refuseTwice(tx, providers);
      // Integrations may exist before the document, if the contract names the provider.
      await checkOrigins(tx, call.caller, [], made);
      const id = this.context.ids.next(kinds.customs);
      const names = { name: body.name, fullname: body.fullname ?? fullname };
      const custom: Custom = {
        ...(await newRecord(this.context, tx, tx.customs, { ...names, id })),
        providers,
        data: body.data,
      };
      return {
        result: { custom: documentView(await tx.customs.insert(custom)) },
        ...messagesOf(notesOf(custom.data), this.context.now()),
      };
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
    await refuseWhenUsed(tx, custom.providers, {
      integrations: 'Delete them first.',
      points: 'Take it out of them first: PATCH /v1/integration-points/….',
    });
    await tx.customs.delete(custom);
  }

  private async store(tx: Transaction, custom: Custom, body: Body, caller: Caller): Promise<Body> {
    const { providers, made } = this.check(body.data);
    const dropped = custom.providers.filter((one) => !providers.includes(one));
    const added = providers.filter((one) => !custom.providers.includes(one));
    const remediation = `Keep the id ${dropped.join(', ')} in the document.`;
    await refuseWhenUsed(tx, dropped, { integrations: remediation, points: remediation });
    await this.refuseTwice(tx, added);
    await checkOrigins(tx, caller, storedProviders(custom), made);
    const changed: Custom = {
      ...custom,
      ...changedNames(this.context, custom, body),
      providers,
      data: body.data,
    };
    await tx.customs.save(changed);
    tx.forget();
    return documentView(changed);
  }

  /** Compiles and checks the document. @throws ApiError 400 with every error of the document, at its line and column */
  private check(data: string): {
    providers: string[];
    fullname: string;
    made: ProviderDescription[];
  } {
    const documents = compileYaml(() => compileProviders(data));
    const providers = documents.map(({ source }) => source.provider);
    const builtIn = providers.find((one) => this.providers.isBuiltIn(one));
    if (builtIn !== undefined)
      throw fault('/data', `the provider ${builtIn} is built in`, {
        remediation: 'Give the document an id of its own.',
      });
    const [{ source }] = documents;
    const mock = providers.find(isMockType);
    if (mock !== undefined)
      throw fault('/data', `the id ${mock} is reserved for mocks`, {
        remediation: 'Give the document an id without _mock.',
      });
    return {
      providers,
      fullname: documents.length > 1 ? source.vendor : source.fullname,
      made: documents.map(describeProvider),
    };
  }

  /**
   * Refuses ids that another document of the organization has. Documents that are stored at the same time wait for each
   * other.
   */
  private async refuseTwice(tx: Transaction, providers: readonly string[]): Promise<void> {
    if (providers.length === 0) return;
    await customProviderQueries.lockAll(tx);
    const other = await customProviderQueries.findWithProvider(tx, providers);
    if (other === undefined) return;
    const id = providers.find((one) => other.providers.includes(one)) ?? '';
    throw conflict(
      `the custom provider "${other.name}" has the id ${id} already`,
      'Change that one, or give the document another id.',
    );
  }
}

/**
 * Refuses a document whose providers send stored credentials to other origins than the previous version.
 * @throws ApiError 403
 */
async function checkOrigins(
  tx: Transaction,
  caller: Caller,
  before: readonly ProviderDescription[],
  made: readonly ProviderDescription[],
): Promise<void> {
  for (const after of made)
    await checkDocumentOrigins(tx, caller, after.type, {
      before: before.find(({ type }) => type === after.type),
      after,
    });
}

/** Notes for what probably means something else than it says in the expressions and mappings of a document that compiles. */
function notesOf(data: string): Note[] {
  const texts: TextInDocument[] = [];
  compileProviders(data, undefined, undefined, (one) => texts.push(one));
  // Some are compiled for several purposes.
  const warnings = new Map(
    texts.flatMap(lintText).map((one) => [`${one.line}:${one.column} ${one.message}`, one]),
  );
  return documentNotes([...warnings.values()]);
}

/**
 * Reads the providers of a stored document.
 * @returns an empty list for a document that was valid when stored and is not any longer
 */
function storedProviders({ data }: Custom): ProviderDescription[] {
  try {
    return compileProviders(data).map(describeProvider);
  } catch (error) {
    if (error instanceof MappingError) return [];
    throw error;
  }
}

/**
 * Refuses to delete a provider that integrations use or integration points name. Points that are stored at the same time are waited for.
 * @throws ApiError 409 that names up to three of them
 */
async function refuseWhenUsed(
  tx: Transaction,
  providers: readonly string[],
  remediation: { integrations: string; points: string },
): Promise<void> {
  if (providers.length === 0) return;
  const users = await integrationQueries.listUsersOfProviders(tx, providers);
  if (users.length > 0)
    throw conflict(
      `the provider is used by the integrations ${quoted(users)}`,
      remediation.integrations,
    );
  await customProviderQueries.lockAll(tx);
  const points = await integrationPointQueries.listNamingProviders(tx, providers);
  if (points.length > 0)
    throw conflict(
      `the provider is named by the integration points ${quoted(points)}`,
      remediation.points,
    );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
