import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOf, type Json, type OverSystem } from '#test/harness';
import { connect, describeStores, startReceiver, type Store } from './s3.fixture.js';

const event = (message: string, uid?: string) => ({
  class_name: 'Base Event',
  class_uid: 0,
  category_uid: 0,
  activity_id: 99,
  type_uid: 99,
  severity_id: 1,
  time: 1795305600000,
  message,
  metadata: {
    version: '1.3.0',
    product: { name: 'Scanner', vendor_name: 'Acme' },
    ...(uid === undefined ? {} : { uid }),
  },
});

describeStores((start) => {
  let store: Store;
  let sink: OverSystem;
  let storage: OverSystem;
  beforeAll(async () => {
    store = await start();
    sink = connect(store, 'sink_aws_s3', { path: '/security/events/' });
    storage = connect(store, 'storage_aws_s3');
  });
  afterAll(async () => {
    await sink?.close();
    await storage?.close();
    await store?.stop();
  });

  const post = (body: Json[], query: Json = {}) => sink.call('sink_post_events', { body, query });
  const list = async (path: string) =>
    (await storage.all('storage_list_files', {}, { path })).map((one) => one['path'] as string);
  const lines = async (path: string) => {
    const answer = await storage.call('storage_download_file', { path: { path } });
    const text = gunzipSync(await bytesOf(answer)).toString();
    expect(text.endsWith('\n')).toBe(true);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Json);
  };

  it('verifies the permission to store objects, and leaves none', async () => {
    expect((await sink.verify()).status).toBe(200);
    expect(await list('/')).toEqual([]);
  });

  it('stores the events of a request in one compressed object, a line for each', async () => {
    const events = [event('first', 'e-1'), event('sécond\nline')];
    const { status, body } = await post(events);
    expect(status).toBe(200);
    const [path = ''] = await list('security/events');
    expect(path).toMatch(/^security\/events\/\d{4}\/\d\d\/\d\d\/\d\d\/[0-9a-f-]{36}\.json\.gz$/);
    expect(await lines(path)).toEqual(events);
    expect(body['result']).toEqual([
      { index: 0, uid: 'e-1', stored: true, status: 200, id: path },
      { index: 1, stored: true, status: 200, id: path },
    ]);
  });

  it('appends the location of a request to its path', async () => {
    await post([event('one')], { location: '/eu west/é/' });
    const [path = ''] = await list('security/events/eu west/é');
    expect(await lines(path)).toEqual([event('one')]);
    expect(await post([event('two')], { location: '../other' })).toMatchObject({ status: 400 });
  });

  it('stores a batch that comes again in the same object', async () => {
    const query = { location: 'jobs' };
    const batch = (message: string, batchId: string) =>
      sink.call('sink_post_events', { body: [event(message)], query, batchId });
    const path = 'security/events/jobs/exe_1/exe_1-7.json.gz';
    for (const message of ['first', 'again']) {
      const { body } = await batch(message, 'exe_1-7');
      expect(body['result']).toMatchObject([{ stored: true, id: path }]);
    }
    await batch('next', 'exe_1-8');
    expect(await list('security/events/jobs')).toEqual([path, path.replace('-7', '-8')]);
    expect(await lines(path)).toEqual([event('again')]);
  });

  it('stores nothing where there are no events', async () => {
    const before = await list('/');
    expect(await post([])).toMatchObject({ status: 200, body: { result: [] } });
    expect(await list('/')).toEqual(before);
  });
});

describe('a store that refuses', () => {
  it('fails the request as a whole: none of its events is stored', async () => {
    const store = await startReceiver();
    const sink = connect(store, 'sink_aws_s3', { path: 'events' });
    store.receiver.fault = () => ({
      status: 403,
      body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
    });
    const { status, body } = await sink.call('sink_post_events', { body: [event('one')] });
    expect(status).toBe(502);
    expect(body['message']).toContain('does not permit this');
    expect(body['remediation'] ?? JSON.stringify(body)).toContain('s3:PutObject');
    expect(store.receiver.objects.size).toBe(0);
    await sink.close();
    await store.stop();
  });

  it('gets the same object again where it was only busy', async () => {
    const store = await startReceiver();
    const sink = connect(store, 'sink_aws_s3', { path: 'events' });
    const busy = { status: 503, body: '<Error><Code>SlowDown</Code></Error>' };
    store.receiver.fault = () => (store.receiver.requests.length === 1 ? busy : undefined);
    expect(await sink.call('sink_post_events', { body: [event('one')] })).toMatchObject({
      status: 200,
    });
    const [first, second] = store.receiver.requests;
    expect(second?.path).toBe(first?.path);
    expect(store.receiver.objects.size).toBe(1);
    await sink.close();
    await store.stop();
  });
});
