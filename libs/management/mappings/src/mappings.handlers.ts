import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type ManagementSchemas, type Reply } from '#contract';
import {
  checkFullname,
  checkName,
  chooseNames,
  documentFaults,
  fault,
  ManagementContext,
  patchRecord,
} from '#management/shared';
import { compileDocument, MappingError } from '#mapping';
import { kinds, listQuery, type Mapping, type Transaction } from '#store';

import { applyChain, exactData, unknownMapping } from './apply-chain.js';
import { refuseWhenUsed } from './refuse-when-used.js';

type Body = ManagementSchemas['Mapping'];

/** `/v1/mappings`: the organization's own mapping documents. */
@Controller()
export class MappingsHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('mappings_list')
  async list(call: Call<'mappings_list'>): Promise<Reply<'mappings_list'>> {
    const query = listQuery(call.query, kinds.mappings.fields);
    const { rows, total } = await this.context.write(call, (tx) => tx.mappings.list(query));
    return {
      result: rows.map((mapping) => {
        const { data: _long, ...rest } = view(mapping);
        return rest;
      }),
      ...(total === undefined ? {} : { total }),
    };
  }

  @Handles('mappings_get')
  async get(call: Call<'mappings_get'>): Promise<Reply<'mappings_get'>> {
    return await this.context.write(call, async (tx) => ({
      result: view(await tx.mappings.get(call.path.mappingId)),
    }));
  }

  @Handles('mappings_create')
  async create(call: Call<'mappings_create'>): Promise<Reply<'mappings_create'>> {
    const { body, caller } = call;
    return await this.context.create(call, async (tx) => {
      const id = this.context.ids.uuid();
      const names = chooseNames(body, id);
      const now = this.context.now();
      const mapping: Mapping = {
        id,
        organizationId: caller.organizationId,
        name: names.derived ? await tx.mappings.freeName(names.name) : names.name,
        fullname: names.fullname,
        createdAt: now,
        updatedAt: now,
        data: checkDocument(body.data),
        version: 1,
      };
      return { result: { mapping: view(await tx.mappings.insert(mapping)) } };
    });
  }

  /** A chain as an integration would run it; the output of each is the input of the next. */
  @Handles('mappings_apply')
  async apply(call: Call<'mappings_apply'>): Promise<Reply<'mappings_apply'>> {
    const { body } = call;
    const chain = await this.context.write(call, async (tx) => {
      const found: Mapping[] = [];
      for (const [index, reference] of body.mappings.entries()) {
        const mapping = await tx.mappings.find(reference);
        if (mapping === undefined) throw unknownMapping(index, reference);
        found.push(mapping);
      }
      return found;
    });
    return { result: { mapping: applyChain(chain, exactData(call.rawBody)) } };
  }

  @Handles('mappings_update')
  async update(call: Call<'mappings_update'>): Promise<Reply<'mappings_update'>> {
    return await this.context.write(call, async (tx) => {
      const mapping = await tx.mappings.getLocked(call.path.mappingId);
      return { result: await this.store(tx, mapping, call.body) };
    });
  }

  @Handles('mappings_patch')
  async patch(call: Call<'mappings_patch'>): Promise<Reply<'mappings_patch'>> {
    return await this.context.write(call, async (tx) => {
      const mapping = await tx.mappings.getLocked(call.path.mappingId);
      const patched = patchRecord(view(mapping), call.body, {
        patch: 'mappings_patch',
        update: 'mappings_update',
      });
      return { result: await this.store(tx, mapping, patched) };
    });
  }

  @Handles('mappings_delete')
  async delete(call: Call<'mappings_delete'>): Promise<Reply<'mappings_delete'>> {
    await this.context.write(call, async (tx) => {
      const mapping = await tx.mappings.getLocked(call.path.mappingId);
      await refuseWhenUsed(
        tx,
        mapping,
        [mapping.id, mapping.name],
        'Take it out of their chains first.',
      );
      await tx.mappings.delete(mapping);
    });
    return undefined as Reply<'mappings_delete'>;
  }

  private async store(tx: Transaction, mapping: Mapping, body: Body): Promise<Body> {
    if (body.id !== mapping.id)
      throw fault('/id', 'is not the id of the mapping in the path', { value: body.id });
    const data = checkDocument(body.data);
    const name = checkName(body.name, mapping.id);
    if (name !== mapping.name)
      await refuseWhenUsed(tx, mapping, [mapping.name], 'Name it by its id in their chains first.');
    const changed: Mapping = {
      ...mapping,
      name,
      fullname: checkFullname(body.fullname),
      data,
      version: data === mapping.data ? mapping.version : mapping.version + 1,
      updatedAt: this.context.now(),
    };
    await tx.mappings.save(changed);
    await tx.notify('integration.changed', {});
    return view(changed);
  }
}

function view(mapping: Mapping): Body {
  return {
    id: mapping.id,
    name: mapping.name,
    fullname: mapping.fullname,
    organization_id: mapping.organizationId,
    created_at: mapping.createdAt.toISOString(),
    updated_at: mapping.updatedAt.toISOString(),
    data: mapping.data,
  };
}

function checkDocument(data: string): string {
  try {
    compileDocument(data);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw documentFaults(error);
  }
  return data;
}
