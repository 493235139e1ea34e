import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { Connector } from '#connect';
import { ApiError, badRequest, type Call, type OperationId, type Reply } from '#contract';
import {
  cancelJob,
  createJob,
  createScheduledJob,
  findSink,
  hasWebhook,
  jobView,
  noteError,
  readSchedule,
  type SchedulePlan,
} from '#jobs';
import { wholeOrganization } from '#store';
import { checkAgainstRequest } from './check-against-request.js';
import { JobRequests } from './job-requests.js';

const remedy = 'register one with POST /v1/integration-webhooks';

/** `/v1/operations`: lists of the integration that are read later, and written to a sink. */
@Controller()
export class OperationsHandlers {
  constructor(
    private readonly connector: Connector,
    private readonly requests: JobRequests,
  ) {}

  @Handles('operations_create')
  async create(call: Call<'operations_create'>): Promise<Reply<'operations_create'>> {
    const { operation, input } = call.body;
    if (typeof input.limit === 'number' && input.limit < 1)
      throw badRequest({
        location: 'body',
        pointer: '/input/limit',
        message: 'must be at least 1',
        remediation: 'Leave it out for all records.',
        value: input.limit,
      });
    const id = await this.listOf(call, operation);
    await this.checkFilters(call, id);
    const plan = await this.readSchedule(call, id);
    const owner = this.requests.ownerOf(call);
    return await this.requests.create(call, async (tx) => {
      const integration = await tx.integrations.get(owner.integrationId); // it may be deleted meanwhile
      const sink = await findSink(tx, owner.accountId, input.sink_integration_id);
      const context = { ids: this.requests.ids, now: this.requests.now() };
      const { accountId, integrationId } = owner;
      const wanted = { accountId, integrationId, operation: id, sinkId: sink.integration.id };
      const job =
        plan === undefined
          ? await createJob(tx, { ...wanted, input, requestId: call.requestId }, context)
          : await createScheduledJob(
              tx,
              {
                accountId,
                integrationId,
                operation: id,
                input,
                plan,
                triggerSource: integrationId,
              },
              context,
            );
      if (plan?.event !== undefined && !(await hasWebhook(tx, integration))) {
        noteError(job, `waits for ${plan.event}, but the integration has no webhook: ${remedy}`);
        await tx.operations.save(job);
      }
      return { result: { operation: await jobView(tx, job) } };
    });
  }

  @Handles('operations_get')
  async get(call: Call<'operations_get'>): Promise<Reply<'operations_get'>> {
    const { organizationId } = this.requests.ownerOf(call);
    const scope = wholeOrganization(organizationId);
    return await this.requests.store.read(scope, async (tx) => ({
      result: await jobView(tx, await this.requests.find(tx, call, call.path.operationId)),
    }));
  }

  @Handles('operations_cancel')
  async cancel(call: Call<'operations_cancel'>): Promise<Reply<'operations_cancel'>> {
    const { organizationId } = this.requests.ownerOf(call);
    await this.requests.store.write(wholeOrganization(organizationId), async (tx) => {
      const { id } = await this.requests.find(tx, call, call.path.operationId);
      await cancelJob(tx, id, this.requests);
    });
    return undefined as Reply<'operations_cancel'>;
  }

  /** @throws ApiError 400 that names the operations that can run */
  private async listOf(call: Call<'operations_create'>, operation: string): Promise<OperationId> {
    const offered = await this.connector.offeredLists(call);
    const found = offered.find((id) => id === operation);
    if (found !== undefined) return found;
    throw badRequest({
      location: 'body',
      pointer: '/operation',
      message: 'is not a list that the provider of the integration offers',
      remediation:
        offered.length === 0
          ? 'The provider offers no lists.'
          : `Use one of: ${offered.sort().join(', ')}.`,
      value: operation,
    });
  }

  /** @throws ApiError 400 */
  private async readSchedule(
    call: Call<'operations_create'>,
    operation: OperationId,
  ): Promise<SchedulePlan | undefined> {
    const { schedule, input } = call.body;
    if (!schedule) return undefined;
    checkAgainstRequest(schedule, operation, input);
    const fields = await this.connector.listFields(call, operation);
    const events = await this.connector.webhookEvents(call);
    const context = { operation, fields, events, now: this.requests.now(), pointer: '/schedule' };
    return readSchedule(schedule, context);
  }

  /** Reads the filters as the list will. @throws ApiError 400 */
  private async checkFilters(call: Call<'operations_create'>, id: OperationId): Promise<void> {
    const { filters } = call.body.input;
    const query = { value: filters && filters.length > 0 ? { filter: filters } : {} };
    const list = Object.create(call, { query, meta: { value: [] } }) as Call;
    try {
      await this.connector.checkList(list, id);
    } catch (error) {
      const fault = error instanceof ApiError ? error.options.faults?.[0] : undefined;
      if (fault?.location !== 'query') throw error;
      throw badRequest({ ...fault, location: 'body', pointer: '/input/filters' }, { cause: error });
    }
  }
}
