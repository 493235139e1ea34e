import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, conflict, type ManagementSchemas, type Reply } from '#contract';
import {
  checkFullname,
  checkName,
  ManagementContext,
  newRecord,
  RecordHandlers,
} from '#management/core';
import { checkSchedules } from '#management/jobs';
import { checkMappings, checkProviders } from '#management/mappings';
import { ProviderCatalogue } from '#providers';
import { integrationPointView } from './integration-point-view.js';
import { knownProviders } from './known-providers.js';
import {
  credentialQueries,
  type IntegrationPoint,
  integrationQueries,
  kinds,
  type Transaction,
} from '#store';

type Body = ManagementSchemas['IntegrationPoint'];

/** `/v1/integration-points`: the organization's description of a class of integrations. */
@Controller()
export class IntegrationPointsHandlers {
  private readonly records: RecordHandlers<IntegrationPoint, Body>;

  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
  ) {
    this.records = new RecordHandlers(context, {
      kind: kinds.integrationPoints,
      called: 'integration point',
      view: integrationPointView,
      operations: { patch: 'integrationPoints_patch', update: 'integrationPoints_update' },
      store: (tx, point, body) => this.store(tx, point, body),
      remove: (tx, point) => this.remove(tx, point),
    });
  }

  @Handles('integrationPoints_list')
  async list(call: Call<'integrationPoints_list'>): Promise<Reply<'integrationPoints_list'>> {
    return await this.records.list(call);
  }

  @Handles('integrationPoints_get')
  async get(call: Call<'integrationPoints_get'>): Promise<Reply<'integrationPoints_get'>> {
    return await this.records.get(call, call.path.integrationPointId);
  }

  @Handles('integrationPoints_create')
  async create(call: Call<'integrationPoints_create'>): Promise<Reply<'integrationPoints_create'>> {
    const { body } = call;
    return await this.context.create(call, async (tx) => {
      const id = this.context.ids.next(kinds.integrationPoints);
      const record = await newRecord(this.context, tx, tx.integrationPoints, { ...body, id });
      const point: IntegrationPoint = {
        ...record,
        ...(await this.content(tx, body, record.createdAt)),
        builtIn: false,
      };
      return { result: integrationPointView(await tx.integrationPoints.insert(point)) };
    });
  }

  @Handles('integrationPoints_update')
  async update(call: Call<'integrationPoints_update'>): Promise<Reply<'integrationPoints_update'>> {
    return await this.records.update(call, call.path.integrationPointId);
  }

  @Handles('integrationPoints_patch')
  async patch(call: Call<'integrationPoints_patch'>): Promise<Reply<'integrationPoints_patch'>> {
    return await this.records.patch(call, call.path.integrationPointId);
  }

  @Handles('integrationPoints_delete')
  async delete(call: Call<'integrationPoints_delete'>): Promise<Reply<'integrationPoints_delete'>> {
    await this.records.delete(call, call.path.integrationPointId);
    return undefined as Reply<'integrationPoints_delete'>;
  }

  private async remove(tx: Transaction, point: IntegrationPoint): Promise<void> {
    await checkUnused(tx, point, 'it stays');
    await credentialQueries.deleteOfOwner(tx, point.id);
    await tx.integrationPoints.delete(point);
  }

  private async store(tx: Transaction, point: IntegrationPoint, body: Body): Promise<Body> {
    const name = checkName(body.name, point.id);
    const now = this.context.now();
    const changed: IntegrationPoint = {
      ...point,
      name,
      fullname: body.fullname ? checkFullname(body.fullname) : name,
      updatedAt: now,
      ...(await this.content(tx, body, now, point)),
    };
    if (changed.connector !== point.connector) await checkUnused(tx, point, 'its connector stays');
    await tx.integrationPoints.save(changed);
    tx.forget();
    return integrationPointView(changed);
  }

  /** @param before the point as it is; absent for a new one */
  private async content(
    tx: Transaction,
    body: ManagementSchemas['CreateIntegrationPointRequest'],
    now: Date,
    before?: IntegrationPoint,
  ) {
    const known = await knownProviders(tx, this.providers, body, before);
    for (const environment of ['test', 'prod'] as const)
      checkProviders(
        `/environments/${environment}`,
        body.connector,
        body.environments[environment] ?? [],
        known,
      );
    await checkMappings(tx, body.connector, body, known);
    checkSchedules(body.connector, body.scheduled_operations, now);
    return {
      description: body.description ?? null,
      connector: body.connector,
      environments: body.environments,
      mappings: body.mappings ?? null,
      additionalMappings: body.additional_mappings ?? null,
      scheduledOperations: body.scheduled_operations ?? null,
    };
  }
}

/** Refuses to change a point that has integrations. @throws ApiError 409 */
async function checkUnused(tx: Transaction, point: IntegrationPoint, so: string): Promise<void> {
  const used = await integrationQueries.countOfPoint(tx, point.id);
  if (used > 0)
    throw conflict(
      `${used} integrations belong to the integration point, so ${so}`,
      'Delete them first, or take the integration point out of them.',
    );
}
