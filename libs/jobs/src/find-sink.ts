import { badRequest, type Fault } from '#contract';
import type { Integration, Reader } from '#store';

/** An integration that results are written to, and the operation that writes them. */
export interface Sink {
  integration: Integration;
  operation: 'sink_post_events' | 'siem_post_events';
}

const operations: Readonly<Record<string, Sink['operation']>> = {
  sink: 'sink_post_events',
  siem: 'siem_post_events',
};

/** Returns the sink or SIEM of an account that a job names. @throws ApiError 400 that says how to make one */
export async function findSink(
  tx: Reader,
  accountId: string,
  idOrName: string | null | undefined,
): Promise<Sink> {
  if (!idOrName)
    throw missing({
      message: 'is missing: the operation needs an integration that its results are written to',
      remediation: `Create an integration of a sink or SIEM with POST /v1/integrations/${accountId}, and send its id.`,
    });
  const integration = await tx.integrations.find(idOrName, { accountId });
  const operation = integration && operations[integration.category];
  if (integration === undefined || operation === undefined)
    throw missing({
      message:
        integration === undefined
          ? 'is not an integration of the same account'
          : `is an integration of ${integration.category}, which takes no results`,
      remediation: `Send the id of an integration of a sink or SIEM of the account ${accountId}.`,
      value: idOrName,
    });
  return { integration, operation };
}

function missing(fault: Omit<Fault, 'location' | 'pointer'>) {
  return badRequest({ location: 'body', pointer: '/input/sink_integration_id', ...fault });
}
