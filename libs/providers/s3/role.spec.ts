import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { FakeDispatcher } from '#fakes';
import { OwnAwsKeys } from '#provider-http';
import { bytesOf, FakeSts, type Json, OverSystem, uploadOf } from '#test/harness';
import * as client from './client.js';
import { startReceiver } from './s3.fixture.js';

const role = {
  type: 'aws_role',
  role_arn: 'arn:aws:iam::123456789012:role/files',
  external_id: 'acc_1',
};
let store: Awaited<ReturnType<typeof startReceiver>>;
let sts: FakeSts;
const open: OverSystem[] = [];
beforeAll(async () => {
  store = await startReceiver();
});
beforeEach(() => {
  sts = new FakeSts(() => Date.now());
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = store.credential;
  const keys = { accessKeyId: String(accessKeyId), secretAccessKey: String(secretAccessKey) };
  sts.roles.set(role.role_arn, { externalId: 'acc_1', keys });
  store.receiver.requests = [];
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
  await store.stop();
});

/** Leads requests for S3 to the receiver, and those for keys to the fake that gives them. */
const detour: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  if (String(options.origin).startsWith('https://sts.'))
    return new FakeDispatcher({
      handle: (request) => Promise.resolve(sts.handle(request)),
    }).dispatch(options, handler);
  const originHeader = { 'x-test-origin': String(options.origin) };
  const headers = { ...(options.headers as Record<string, string>), ...originHeader };
  return dispatch({ ...options, origin: store.url, headers }, handler);
};

function connect(type: string, config: Json = {}): OverSystem {
  const made = new OverSystem(
    new URL('./', import.meta.url),
    type,
    { bucket: store.bucket, credential: role, region: 'eu-west-1', ...config },
    {
      functions: client,
      detour,
      ownAwsKeys: new OwnAwsKeys(
        {
          AWS_ACCESS_KEY_ID: sts.asker.accessKeyId,
          AWS_SECRET_ACCESS_KEY: sts.asker.secretAccessKey,
        },
        systemClock,
      ),
    },
  );
  open.push(made);
  return made;
}

describe('files by a role of AWS', () => {
  it('are stored, in parts too, listed and read with the keys and the session token of the role', async () => {
    const s3 = connect('storage_aws_s3');
    expect((await s3.verify()).status).toBe(200);
    const path = { path: 'a b/ü+%.txt' };
    const bytes = Buffer.alloc(9_000_000, 'x');
    const stored = await s3.call('storage_upload_file', { path, upload: uploadOf(bytes) });
    expect(stored).toMatchObject({ status: 204 });
    expect(await s3.all('storage_list_files', {}, { path: 'a b' })).toEqual([path]);
    const whole = await bytesOf(await s3.call('storage_download_file', { path }));
    expect(whole.equals(bytes)).toBe(true);
    expect(store.receiver.requests.length).toBeGreaterThan(5);
    for (const { method, path: sent, query, headers } of store.receiver.requests) {
      const pairs = new URLSearchParams(query).toString();
      const url = `${String(headers['x-test-origin'])}${sent}?${pairs}`;
      const flat = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      );
      expect([sent, sts.stateOf({ method, url, headers: flat })]).toEqual([sent, 'valid']);
    }
    expect(sts.requests[0]).toMatchObject({ host: 'sts.eu-west-1.amazonaws.com' });
  });

  it.each([
    ['eu-west-1', 'https://s3.eu-west-1.amazonaws.com'],
    ['cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn'],
    ['us-gov-west-1', 'https://s3.us-gov-west-1.amazonaws.com'],
    ['eusc-de-east-1', 'https://s3.eusc-de-east-1.amazonaws.eu'],
  ])('of the region %s are asked for at %s', async (region, address) => {
    const s3 = connect('storage_aws_s3', { region, credential: store.credential });
    expect(await s3.all('storage_list_files', {}, { path: 'none' })).toEqual([]);
    expect(store.receiver.requests[0]?.headers['x-test-origin']).toBe(address);
  });

  it.each([
    ['storage_aws_s3', { endpoint: 'https://s3.example.com' }, 's3.example.com'],
    ['storage_gcs', {}, 'storage.googleapis.com'],
  ])('of %s at %j are not read: the session token is for AWS', async (type, config, host) => {
    const { status, body } = await connect(type, config).call('storage_list_files', {
      path: { path: 'a' },
    });
    expect([status, body['message']]).toEqual([502, `keys of a role are not sent to ${host}`]);
    expect([sts.requests, store.receiver.requests]).toEqual([[], []]);
  });
});
