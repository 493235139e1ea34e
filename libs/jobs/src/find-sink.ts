import { badRequest, type Fault } from '#contract';
import { type Integration, type OwnPoint, ownPoints, type Reader } from '#store';

/** An integration that results are written to, and the operation that writes them. */
export interface Sink {
  integration: Integration;
  operation: 'sink_post_events' | 'siem_post_events';
}

const operations: Readonly<Record<string, Sink['operation']>> = {
  sink: 'sink_post_events',
  siem: 'siem_post_events',
};

/**
 * Returns the sink of a new job: the sink or SIEM of an account that it names, otherwise the organization's own.
 * @throws ApiError 400 that says how to make one
 */
export async function findSink(
  tx: Reader,
  accountId: string,
  idOrName: string | null | undefined,
): Promise<Sink> {
  if (!idOrName) return await defaultSink(tx, accountId);
  const integration = await tx.integrations.find(idOrName, { accountId });
  const sink = integration && sinkOf(integration);
  if (sink !== undefined) return sink;
  throw missing({
    message:
      integration === undefined
        ? 'is not an integration of the same account'
        : `is an integration of ${integration.category}, which takes no results`,
    remediation: `Send the id of an integration of a sink or SIEM of the account ${accountId}.`,
    value: idOrName,
  });
}

/** Returns the integration as a sink; undefined if its domain takes no results. */
export function sinkOf(integration: Integration): Sink | undefined {
  const operation = operations[integration.category];
  return operation && { integration, operation };
}

/** Returns the integration on a built-in integration point of the organization; undefined without one. */
export async function ownSink(tx: Reader, point: OwnPoint): Promise<Sink | undefined> {
  const [found] = await tx.query<{ id: string }>(
    `select i.id from integrations i join integration_points p on p.id = i.integration_point_id
     where p.organization_id = $1 and p.built_in and p.name = $2`,
    [tx.scope.organizationId, point],
  );
  return found && sinkOf(await tx.integrations.get(found.id));
}

async function defaultSink(tx: Reader, accountId: string): Promise<Sink> {
  const [point] = ownPoints;
  const sink = await ownSink(tx, point);
  if (sink !== undefined) return sink;
  throw missing({
    message: `is missing, and the organization has no integration on "${point}" that results are written to`,
    remediation:
      'Create a token with POST /v1/tokens/organization-integrations, and with it an integration of a sink in the account of its ' +
      `response, with "integration_point_id": "${point}". Or send the id of an integration of a sink or SIEM of the account ${accountId}.`,
  });
}

function missing(fault: Omit<Fault, 'location' | 'pointer'>) {
  return badRequest({ location: 'body', pointer: '/input/sink_integration_id', ...fault });
}
