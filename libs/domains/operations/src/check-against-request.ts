import { badRequest, type Body, type OperationId } from '#contract';

type Request = Body<'operations_create'>;

/**
 * Refuses what the request says twice and differently, or what a schedule would lose. The schema of a schedule is that of an
 * integration's scheduled_operations, which have these fields for themselves. @throws ApiError 400
 */
export function checkAgainstRequest(
  schedule: NonNullable<Request['schedule']>,
  operation: OperationId,
  input: Request['input'],
): void {
  const {
    operation: other,
    filters,
    sink_integration_id: sink,
    incremental_config: config,
  } = schedule;
  if (other && other !== operation)
    throw fault('/schedule/operation', 'is not the operation of the request', other);
  if (filters)
    throw fault('/schedule/filters', 'belongs in the input: send input.filters', filters);
  if (sink)
    throw fault(
      '/schedule/sink_integration_id',
      'belongs in the input: send input.sink_integration_id',
      sink,
    );
  if (config && typeof input.limit === 'number')
    throw fault(
      '/input/limit',
      `cannot be combined with ${config.mode}: records beyond it would never be read`,
      input.limit,
    );
}

function fault(pointer: string, message: string, value: unknown) {
  const remediation = 'Leave it out here.';
  return badRequest({ location: 'body', pointer, message, value, remediation });
}
