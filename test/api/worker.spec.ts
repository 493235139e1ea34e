import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openOperations, type OpenOperations } from '#apps/operations';
import { Health, Metrics } from '#observe';
import { Receiver } from '#test/harness';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { type Service, startService } from './service.js';

interface Integrated {
  integration: { id: string };
  token: { access: { secret: string } };
}

const concurrentDeliveries = 2;
let service: Service;
let slow: Receiver;
let receiver: EventReceiver;
let operations: OpenOperations;
beforeAll(async () => {
  service = await startService();
  slow = await Receiver.start();
  receiver = await EventReceiver.start();
});
afterAll(async () => {
  await slow.stop(); // ends what hangs
  await operations.drain();
  await operations.close();
  await service.stop();
  await receiver.stop();
});

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((settle) => setTimeout(settle, 20));
}

describe('a worker', () => {
  it('runs jobs while receivers hold all places of deliveries', async () => {
    slow.answer = () => undefined;
    for (let n = 0; n <= concurrentDeliveries; n += 1) {
      const url = `${slow.url}${n}`;
      const secret = { value: 'a signing secret that nobody shows' };
      const body = { filters: ['account_create'], url, secret };
      expect((await service.call('POST', '/v1/organization/webhooks', body)).status).toBe(200);
    }
    const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const integrate = async (config: object) => {
      const path = `/v1/integrations/${made.result.account.id}`;
      return (await service.call<Integrated>('POST', path, { provider_config: config })).result;
    };
    const desk = await integrate({ type: 'ticketing_mock_ticketing' });
    const sink = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    operations = await openOperations({
      ...{ databaseUrl: service.databaseUrl, databasePool: 4, bus: service.bus },
      ...{ sealer: service.sealer, health: new Health(), metrics: new Metrics('spec') },
      ...{ concurrentTasks: 1, concurrentDeliveries, jobPageRecords: 50 },
      egressAllow: ['127.0.0.1'],
    });
    await until(() => slow.requests.length === concurrentDeliveries);
    const job = await service.call<{ operation: { id: string } }>(
      'POST',
      '/v1/operations',
      { operation: 'ticketing_query_tickets', input: { sink_integration_id: sink.integration.id } },
      desk.token.access.secret,
    );
    expect(job.message).toBe('');
    const path = `/v1/operations/${job.result.operation.id}`;
    await until(async () => {
      const { secret } = desk.token.access;
      const { result } = await service.call<{ status: string }>('GET', path, undefined, secret);
      return result.status === 'COMPLETE';
    });
    // No delivery has ended meanwhile, or the third would have been sent.
    expect(slow.requests).toHaveLength(concurrentDeliveries);
    expect(receiver.requests.length).toBeGreaterThan(0);
  });
});
