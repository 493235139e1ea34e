import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  LargeFile,
  largeSizes,
  maxHeldBytes,
  mebibyte,
  type OverSystem,
  readSlowly,
  uploadOf,
} from '#test/harness';
import { connect, startReceiver } from './s3.fixture.js';

const path = { path: 'large' };

let store: Awaited<ReturnType<typeof startReceiver>>;
let s3: OverSystem;
beforeEach(async () => {
  store = await startReceiver();
  s3 = connect(store, 'storage_aws_s3');
});
afterEach(async () => {
  await s3.close();
  await store.stop();
});

const upload = (source: LargeFile, length?: number) =>
  s3.call('storage_upload_file', { path, upload: uploadOf(source.bytes(), length) });
const largeFile = (size: number, breaksAt?: number) =>
  new LargeFile(size, () => store.receiver.receivedBytes, breaksAt);
const methods = () => store.receiver.requests.map(({ method }) => method);

describe('large files', () => {
  for (const { name, size, isSkipped } of largeSizes) {
    const test = isSkipped ? it.skip : it;

    test.each([
      ['known', size],
      ['not known', undefined],
    ])(
      `are sent in bounded memory: ${name}, size %s`,
      async (_known, length) => {
        const source = largeFile(size);
        expect(await upload(source, length)).toEqual({ status: 204, body: {} });
        const stored = store.receiver.objects.get('large');
        expect(stored).toMatchObject({ size, sha256: source.hash.digest('hex') });
        expect(source.maxHeldBytes).toBeLessThan(maxHeldBytes);
        expect(store.receiver.uploads.size).toBe(0);
      },
      600_000,
    );

    test(`are returned in bounded memory: ${name}`, async () => {
      store.receiver.made.set('large', size);
      const { file, body } = await s3.call('storage_download_file', { path });
      if (file === undefined) throw new Error(JSON.stringify(body));
      expect(file.headers['content-length']).toBe(String(size));
      const taken = await readSlowly(file.content, () => store.receiver.sentBytes);
      expect(taken.readBytes).toBe(size);
      expect(taken.maxHeldBytes).toBeLessThan(maxHeldBytes);
    }, 600_000);
  }

  it('are sent at once if they are smaller than a part, and in parts otherwise', async () => {
    await upload(largeFile(8 * mebibyte));
    expect(methods()).toEqual(['PUT']);
    store.receiver.requests = [];
    await upload(largeFile(8 * mebibyte + 1));
    expect(methods()).toEqual(['POST', 'PUT', 'PUT', 'POST']);
  });

  it('are sent again part by part where the store is busy', async () => {
    const busy = { status: 503, body: '<Error><Code>SlowDown</Code></Error>' };
    let refused = 0;
    store.receiver.fault = ({ query }) =>
      query['partNumber'] === '2' && (refused += 1) === 1 ? busy : undefined;
    const source = largeFile(20 * mebibyte);
    expect(await upload(source)).toMatchObject({ status: 204 });
    expect(refused).toBe(2);
    const stored = store.receiver.objects.get('large');
    expect(stored?.sha256).toBe(source.hash.digest('hex'));
  });

  it.each([
    ['a part', ({ query }: { query: object }) => 'partNumber' in query && 'uploadId' in query],
    [
      'the end',
      ({ method, query }: { method: string; query: object }) =>
        method === 'POST' && 'uploadId' in query,
    ],
  ])('leave nothing where %s is refused', async (_what, isRefused) => {
    store.receiver.fault = (request) =>
      isRefused(request)
        ? { status: 400, body: '<Error><Code>InvalidPart</Code><Message>no</Message></Error>' }
        : undefined;
    const { status, body } = await upload(largeFile(20 * mebibyte));
    expect([status, body['message']]).toEqual([400, expect.stringContaining('no')]);
    expect(store.receiver.objects.size).toBe(0);
    expect(store.receiver.uploads.size).toBe(0);
  });

  it('fail where completing them fails after its status was sent', async () => {
    store.receiver.fault = ({ method, query }) =>
      method === 'POST' && 'uploadId' in query
        ? {
            status: 200,
            body: '<?xml version="1.0" encoding="UTF-8"?>\n <Error><Code>InternalError</Code><Message>try again</Message></Error>',
          }
        : undefined;
    const { status, body } = await upload(largeFile(20 * mebibyte));
    expect([status, body['message']]).toEqual([502, expect.stringContaining('try again')]);
    expect(store.receiver.uploads.size).toBe(0);
  });

  it('leave nothing where the client breaks off', async () => {
    const { status } = await upload(largeFile(30 * mebibyte, 20 * mebibyte));
    expect(status).toBe(400);
    expect(store.receiver.objects.size).toBe(0);
    expect(store.receiver.uploads.size).toBe(0);
  });

  it('leave nothing where the call is cancelled', async () => {
    const gone = new AbortController();
    store.receiver.fault = ({ query }) => {
      if (query['partNumber'] === '2') gone.abort(new Error('the client hung up'));
      return undefined;
    };
    const source = largeFile(30 * mebibyte);
    const sent = s3.call('storage_upload_file', {
      path,
      upload: uploadOf(source.bytes()),
      signal: gone.signal,
    });
    await expect(sent).rejects.toThrow('the client hung up');
    for (let turns = 0; store.receiver.uploads.size > 0 && turns < 1_000; turns += 1)
      await new Promise((done) => setTimeout(done, 5));
    expect(store.receiver.uploads.size).toBe(0);
    expect(store.receiver.objects.size).toBe(0);
  });
});
