import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type ManagementSchemas, type Reply, StreamReply } from '#contract';
import {
  changedNames,
  compileYaml,
  documentNotes,
  documentView,
  ManagementContext,
  messagesOf,
  newRecord,
  RecordHandlers,
  totalView,
} from '#management/core';
import { Budgets, compileDocument, formatJson, lintNames } from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';
import { ProviderCatalogue } from '#providers';
import { kinds, listQuery, type Mapping, type Transaction } from '#store';

import { applyChain, applySteps, exactData } from './apply-chain.js';
import { findChain } from './find-chain.js';
import { refuseWhenUsed } from './refuse-when-used.js';

type Body = ManagementSchemas['Mapping'];

/** `/v1/mappings`: the organization's own mapping documents. */
@Controller()
export class MappingsHandlers {
  private readonly records: RecordHandlers<Mapping, Body>;

  constructor(
    private readonly context: ManagementContext,
    private readonly budgets: Budgets,
    private readonly providers: ProviderCatalogue,
  ) {
    this.records = new RecordHandlers(context, {
      kind: kinds.mappings,
      called: 'mapping',
      view: documentView,
      operations: { patch: 'mappings_patch', update: 'mappings_update' },
      store: (tx, mapping, body) => this.store(tx, mapping, body),
      notes: ({ data }) => documentNotes(lintNames(data, true)),
      remove: (tx, mapping) => this.remove(tx, mapping),
    });
  }

  @Handles('mappings_list')
  async list(call: Call<'mappings_list'>): Promise<Reply<'mappings_list'>> {
    const query = listQuery(call.query, kinds.mappings.fields);
    const { rows, ...total } = await this.context.read(call, (tx) => tx.mappings.list(query));
    return {
      result: rows.map((mapping) => {
        const { data: _long, ...rest } = documentView(mapping);
        return rest;
      }),
      ...totalView(total),
    };
  }

  @Handles('mappings_get')
  async get(call: Call<'mappings_get'>): Promise<Reply<'mappings_get'>> {
    return await this.records.get(call, call.path.mappingId);
  }

  @Handles('mappings_create')
  async create(call: Call<'mappings_create'>): Promise<Reply<'mappings_create'>> {
    const { body } = call;
    return await this.context.create(call, async (tx) => {
      const id = this.context.ids.uuid();
      const mapping: Mapping = {
        ...(await newRecord(this.context, tx, tx.mappings, { ...body, id })),
        data: checkDocument(body.data),
        version: 1,
      };
      return {
        result: { mapping: documentView(await tx.mappings.insert(mapping)) },
        ...messagesOf(documentNotes(lintNames(mapping.data, true)), this.context.now()),
      };
    });
  }

  /** Runs a chain as an integration would: the output of each mapping is the input of the next. */
  @Handles('mappings_apply')
  async apply(call: Call<'mappings_apply'>): Promise<Reply<'mappings_apply'>> {
    const { body } = call;
    const chain = await this.context.write(call, (tx) =>
      findChain(tx, this.providers, body.mappings, body.documents ?? {}),
    );
    const limits = this.budgets.limitsOf(call.caller.organizationId);
    const data = exactData(call.rawBody);
    const { mapping, ...rest } = body.steps
      ? applySteps(chain, data, limits && { limits })
      : { mapping: applyChain(chain, data, limits && { limits }) };
    const shown = call.query.include_raw_data
      ? { ...(mapping as object), raw_data: data }
      : mapping;
    // As text, because numbers would lose digits on the way through JSON.parse.
    const text = formatJson({ result: { mapping: shown, ...rest } });
    return new StreamReply(200, { 'content-type': 'application/json' }, Buffer.from(text));
  }

  @Handles('mappings_update')
  async update(call: Call<'mappings_update'>): Promise<Reply<'mappings_update'>> {
    return await this.records.update(call, call.path.mappingId);
  }

  @Handles('mappings_patch')
  async patch(call: Call<'mappings_patch'>): Promise<Reply<'mappings_patch'>> {
    return await this.records.patch(call, call.path.mappingId);
  }

  @Handles('mappings_delete')
  async delete(call: Call<'mappings_delete'>): Promise<Reply<'mappings_delete'>> {
    await this.records.delete(call, call.path.mappingId);
    return undefined as Reply<'mappings_delete'>;
  }

  private async remove(tx: Transaction, mapping: Mapping): Promise<void> {
    await refuseWhenUsed(
      tx,
      mapping,
      [mapping.id, mapping.name],
      'Remove it from their chains first.',
    );
    await tx.mappings.delete(mapping);
  }

  private async store(tx: Transaction, mapping: Mapping, body: Body): Promise<Body> {
    const data = checkDocument(body.data);
    const names = changedNames(this.context, mapping, body);
    if (names.name !== mapping.name)
      await refuseWhenUsed(tx, mapping, [mapping.name], 'Name it by its id in their chains first.');
    const changed: Mapping = {
      ...mapping,
      ...names,
      data,
      version: data === mapping.data ? mapping.version : mapping.version + 1,
    };
    await tx.mappings.save(changed);
    tx.forget();
    return documentView(changed);
  }
}

function checkDocument(data: string): string {
  compileYaml(() => compileDocument(data, { shared: sharedTemplate }));
  return data;
}
