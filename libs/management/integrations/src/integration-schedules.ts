import { isDeepStrictEqual } from 'node:util';
import { ApiError, badRequest } from '#contract';
import { findSink, hasWebhook, type SchedulePlan } from '#jobs';
import type { Note } from '#management/core';
import { checkSchedules, type Schedulable, type Schedule, schedulesFor } from '#management/jobs';
import { type Integration, type IntegrationPoint, ownPoints, type Reader } from '#store';

/** The schedules of an integration, checked. */
export interface IntegrationSchedules {
  plans: SchedulePlan[];
  /** The point that they were copied from. */
  copiedFrom?: string;
  /** Those of the point that the provider cannot run, each with the reason. */
  skipped: string[];
}

interface Context {
  domain: string;
  accountId: string;
  provider: Schedulable;
  now: Date;
  /** Absent when the integration is created. */
  before?: Integration | undefined;
  point: IntegrationPoint | undefined;
}

/** Reads the schedules of a request; those of the point for a new integration that names none. @throws ApiError 400 */
export async function readSchedules(
  tx: Reader,
  schedules: readonly Schedule[] | null | undefined,
  { domain, accountId, provider, now, before, point }: Context,
): Promise<IntegrationSchedules> {
  if (!schedules && before === undefined && point?.scheduledOperations) {
    const templates = point.scheduledOperations as Schedule[];
    return { ...schedulesFor(templates, domain, now, provider), copiedFrom: point.id };
  }
  const stored = before?.scheduledOperations ?? [];
  const isKnown = stored.length > 0 && isDeepStrictEqual(schedules, stored);
  // Stored schedules stay valid: a time within the last year does not remain one.
  const asOf = isKnown && before ? before.updatedAt : now;
  const plans = checkSchedules(domain, schedules, asOf, provider);
  for (const [index, { settings }] of plans.entries())
    if (settings.sink_integration_id) await checkSink(tx, accountId, settings, index);
  return { plans, skipped: [] };
}

async function checkSink(
  tx: Reader,
  accountId: string,
  { sink_integration_id: sink }: SchedulePlan['settings'],
  index: number,
): Promise<void> {
  try {
    await findSink(tx, accountId, sink);
  } catch (error) {
    const [fault] = (error instanceof ApiError && error.options.faults) || [];
    if (fault === undefined) throw error;
    const pointer = `/scheduled_operations/${index}/sink_integration_id`;
    throw badRequest({ ...fault, pointer }, { cause: error });
  }
}

/** Notes for schedules that will not run as they are. */
export async function scheduleNotes(
  tx: Reader,
  integration: Integration,
  skipped: readonly string[] = [],
): Promise<Note[]> {
  const { accountId } = integration;
  const schedules = (integration.scheduledOperations ?? []) as Schedule[];
  const isWithout = schedules.some(({ sink_integration_id: sink }) => !sink);
  const missing = isWithout ? await missingSink(tx, accountId) : undefined;
  const isWaiting = schedules.some(({ frequency }) => frequency.type === 'event');
  const isReported = !isWaiting || (await hasWebhook(tx, integration));
  return [
    ...(missing === undefined ? [] : [missing]),
    ...(isReported ? [] : [withoutWebhook]),
    ...skipped.map((detail) => ({
      instance: 'schedule-not-copied',
      message: 'a schedule of the integration point was not copied: its provider cannot run it',
      detail,
      pointer: '/integration_point_id',
    })),
  ];
}

const withoutWebhook: Note = {
  instance: 'schedules-without-webhook',
  message:
    'scheduled_operations wait for events, but the integration has no webhook that reports them',
  detail:
    'Register one with a token of the integration: POST /v1/integration-webhooks. ' +
    'Or make it at the provider by hand, and set webhook_config.provider_key to its secret.',
  pointer: '/scheduled_operations',
};

async function missingSink(tx: Reader, accountId: string): Promise<Note | undefined> {
  try {
    // The default sink is hidden from callers, but not from the worker that writes to it.
    await tx.inOrganization(tx.scope.organizationId, (all) => findSink(all, accountId, undefined));
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      instance: 'schedules-without-sink',
      message: 'scheduled_operations have no sink, and fail until there is one',
      detail:
        `Create an integration of a sink on "${ownPoints[0]}" with a token of POST /v1/tokens/organization-integrations. ` +
        'Or send sink_integration_id, the id of an integration of a sink or SIEM of the account, in each.',
      pointer: '/scheduled_operations',
    };
  }
}
