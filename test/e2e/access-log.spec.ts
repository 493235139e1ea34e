import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type Integrated, integrateRecords } from '../proof/own-servers.js';
import { RecordServer } from '../proof/record-server.js';
import { type Onefold, startDistributed } from './onefold.js';

// The access log: a line for each call in each process that it touched, found by one request id.

type Line = Record<string, unknown>;

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
let onefold: Onefold;
let records: RecordServer;
let integrated: Integrated;

beforeAll(async () => {
  records = await RecordServer.start(30);
  onefold = await startDistributed({ ACCESS_LOG: 'on', JOB_PAGE_RECORDS: '10' });
  integrated = await integrateRecords(onefold, records.url);
});
afterAll(async () => {
  await onefold.stop();
  await records.stop();
});

/** Returns the lines of the access log of each process that have a request id. */
function linesOf(requestId: string): Record<string, Line[]> {
  return Object.fromEntries(
    Object.entries(onefold.processes).map(([name, { output }]) => [
      name,
      output()
        .split('\n')
        .filter((text) => text.includes(`"request_id":"${requestId}"`))
        .map((text) => JSON.parse(text) as Line)
        .filter(({ message }) => message === 'call'),
    ]),
  );
}

it('tells the whole story of a request by its id, from gateway to worker', async () => {
  const { token, sinkId, accountId, integrationId } = integrated;
  await onefold.api.as(token).call('operations_create', {
    headers: { 'x-request-id': 'story', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    body: {
      operation: 'ticketing_query_tickets',
      input: { sink_integration_id: sinkId },
    },
  });
  await eventually(() => {
    const { gateway, management, connector, operations } = linesOf('story');
    const owner = {
      organization_id: expect.stringMatching(/^org_/),
      account_id: accountId,
      integration_id: integrationId,
      process: expect.any(String),
      ms: expect.any(Number),
    };
    const first = { ...owner, operation: 'operations_create', status: 200, trace_id: traceId };
    expect(gateway).toEqual([expect.objectContaining({ ...first, service: 'gateway' })]);
    expect(management).toContainEqual(
      expect.objectContaining({ operation: 'tokens.introspect', status: 200 }),
    );
    expect(connector).toContainEqual(expect.objectContaining({ ...first, service: 'connector' }));
    const read = { ...owner, operation: 'ticketing_query_tickets', status: 200 };
    const written = {
      ...owner,
      integration_id: sinkId,
      operation: 'sink_post_events',
      status: expect.any(Number),
    };
    for (const page of [read, written]) {
      expect(operations?.filter((line) => line['operation'] === page.operation)).toHaveLength(3);
      expect(operations).toContainEqual(expect.objectContaining(page));
    }
    expect(connector).toContainEqual(
      expect.objectContaining({ ...read, provider: 'ticketing_proof' }),
    );
    expect(connector).toContainEqual(
      expect.objectContaining({ ...written, provider: 'sink_http' }),
    );
  });
  const known = new Set(
    'time level service process message request_id trace_id organization_id account_id integration_id provider operation status ms'.split(
      ' ',
    ),
  );
  const fields = Object.values(linesOf('story'))
    .flat()
    .flatMap((line) => Object.keys(line));
  expect(fields.filter((field) => !known.has(field))).toEqual([]);
});

it('has a line for a request that the gateway refuses', async () => {
  const refused = await fetch(`${onefold.api.url}/v1/accounts`, {
    headers: { authorization: 'Bearer ofo_nobody', 'x-request-id': 'refused' },
  });
  expect(refused.status).toBe(401);
  await eventually(() =>
    expect(linesOf('refused')['gateway']).toEqual([
      expect.objectContaining({ operation: 'accounts_list', status: 401 }),
    ]),
  );
});
