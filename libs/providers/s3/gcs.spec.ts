import { randomBytes } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOf, keyCharacters, OverSystem, uploadOf } from '#test/harness';
import * as client from './client.js';
import { startReceiver } from './s3.fixture.js';

let store: Awaited<ReturnType<typeof startReceiver>>;
let gcs: OverSystem;
beforeAll(async () => {
  store = await startReceiver();
  const { bucket, credential } = store;
  // Leads the requests to the receiver, which verifies the signature for the host that was meant.
  const detour: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    const originHeader = { 'x-test-origin': String(options.origin) };
    const headers = { ...(options.headers as Record<string, string>), ...originHeader };
    return dispatch({ ...options, origin: store.url, headers }, handler);
  };
  gcs = new OverSystem(
    new URL('./', import.meta.url),
    'storage_gcs',
    { bucket, credential, region: 'europe-west1' },
    { functions: client, detour },
  );
});
afterAll(async () => {
  await gcs.close();
  await store.stop();
});

describe('storage_gcs', () => {
  it('speaks the S3 API with storage.googleapis.com, signed by the HMAC key for the region', async () => {
    expect((await gcs.verify()).status).toBe(200);
    const [request] = store.receiver.requests;
    expect(request).toMatchObject({
      headers: {
        'x-test-origin': 'https://storage.googleapis.com',
        authorization: expect.stringContaining('/europe-west1/s3/aws4_request'),
      },
      path: '/evidence/',
      query: { 'list-type': '2' },
    });
  });

  it('has every operation: a file is stored, in parts too, listed, read by ranges and deleted', async () => {
    const path = { path: 'a b/ü+%.txt' };
    const bytes = Buffer.alloc(9_000_000, 'x');
    const upload = { path, upload: uploadOf(bytes) };
    expect(await gcs.call('storage_upload_file', upload)).toMatchObject({ status: 204 });
    expect(await gcs.all('storage_list_files', {}, { path: 'a b' })).toEqual([path]);
    const whole = await bytesOf(await gcs.call('storage_download_file', { path }));
    expect(whole.equals(bytes)).toBe(true);
    const part = await gcs.call('storage_download_file', { path, range: 'bytes=1-3' });
    expect([part.status, (await bytesOf(part)).toString()]).toEqual([206, 'xxx']);
    expect(await gcs.call('storage_delete_file', { path })).toMatchObject({ status: 204 });
    expect(await gcs.all('storage_list_files', {}, { path: '/' })).toEqual([]);
  });

  it('keeps files with every character in their paths', async () => {
    const paths = keyCharacters.map((character) => `characters/a${character}b`);
    for (const path of paths) {
      const upload = uploadOf(Buffer.from(path));
      await gcs.call('storage_upload_file', { path: { path }, upload });
    }
    for (const path of paths) {
      const bytes = await bytesOf(await gcs.call('storage_download_file', { path: { path } }));
      expect([path, bytes.toString()]).toEqual([path, path]);
    }
    const listed = await gcs.all('storage_list_files', {}, { path: 'characters' });
    expect(listed.map((one) => one['path'] as string).sort()).toEqual([...paths].sort());
    for (const path of paths) await gcs.call('storage_delete_file', { path: { path } });
  });

  it('serves the file as it was when reading began, though it is replaced meanwhile', async () => {
    const path = { path: 'replaced' };
    const [before, after] = [randomBytes(15_000_000), randomBytes(15_000_000)];
    await gcs.call('storage_upload_file', { path, upload: uploadOf(before) });
    const answer = await gcs.call('storage_download_file', { path });
    await gcs.call('storage_upload_file', { path, upload: uploadOf(after) });
    expect((await bytesOf(answer)).equals(before)).toBe(true);
    const later = await bytesOf(await gcs.call('storage_download_file', { path }));
    expect(later.equals(after)).toBe(true);
  });

  it('names the permission that Google misses', async () => {
    const message = 'x@y.iam does not have storage.objects.list access to the bucket.';
    store.receiver.fault = () => ({
      status: 403,
      body: `<Error><Code>AccessDenied</Code><Message>Access denied.</Message><Details>${message}</Details></Error>`,
    });
    const { status, body } = await gcs.call('storage_list_files', { path: { path: '/' } });
    expect([status, body['message']]).toEqual([502, expect.stringContaining(message)]);
  });
});
