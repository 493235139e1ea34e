import { randomBytes, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  azureStore,
  bytesOf,
  createContainer,
  keyCharacters,
  type Json,
  OverSystem,
  uploadOf,
} from '#test/harness';
import * as client from './client.js';
import { AzureReceiver } from './receiver.fixture.js';

interface Container {
  bucket: string;
  /** Two forms of the secret of a credential. */
  connectionString: string;
  sasUrl: string;
  stop: () => Promise<void>;
}

const folder = new URL('./', import.meta.url);
const connect = (bucket: string, secret: string, type: string, config: Json = {}) => {
  const credential = { type: 'token', secret };
  return new OverSystem(folder, type, { bucket, credential, ...config }, { functions: client });
};
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

async function startReceiver(): Promise<Container & { receiver: AzureReceiver }> {
  const receiver = await AzureReceiver.start();
  const { connectionString, url, signature } = receiver;
  const sasUrl = `${url}/evidence?sp=rcwdl&sig=${encodeURIComponent(signature)}`;
  const stop = () => receiver.stop();
  return { receiver, bucket: 'evidence', connectionString, sasUrl, stop };
}

const real = azureStore();
async function startReal(): Promise<Container> {
  if ('skipped' in real) throw new Error(real.skipped);
  const { connectionString } = real;
  const bucket = `onefold-${randomUUID()}`;
  const sasUrl = await createContainer(connectionString, bucket);
  return { bucket, connectionString, sasUrl, stop: () => Promise.resolve() };
}

const stores = [
  { name: 'a receiver that verifies signatures', start: startReceiver, why: undefined },
  { name: 'a real store', start: startReal, why: 'skipped' in real ? real.skipped : undefined },
].flatMap((one) => [
  {
    ...one,
    name: `${one.name}, by a connection string`,
    secretOf: (at: Container) => at.connectionString,
  },
  {
    ...one,
    name: `${one.name}, by a shared access signature`,
    secretOf: (at: Container) => at.sasUrl,
  },
]);

for (const { name, start, why, secretOf } of stores)
  (why === undefined ? describe : describe.skip)(
    why === undefined ? `over ${name}` : `over ${name} (skipped: ${why})`,
    () => {
      let at: Container;
      let storage: OverSystem;
      let sink: OverSystem;
      beforeAll(async () => {
        at = await start();
        storage = connect(at.bucket, secretOf(at), 'storage_azure_blob');
        sink = connect(at.bucket, secretOf(at), 'sink_azure_blob', { path: '/security/events/' });
      });
      afterAll(async () => {
        await storage?.close();
        await sink?.close();
        await at?.stop();
      });

      const put = async (path: string, bytes: Uint8Array) => {
        const upload = uploadOf(bytes);
        const answer = await storage.call('storage_upload_file', { path: { path }, upload });
        expect(answer).toEqual({ status: 204, body: {} });
      };
      const get = async (path: string, range?: string) => {
        const answer = await storage.call('storage_download_file', {
          path: { path },
          ...(range === undefined ? {} : { range }),
        });
        const { status, body, file } = answer;
        if (file === undefined) return { status, body, headers: {}, text: '' };
        return { status, body, headers: file.headers, text: (await bytesOf(answer)).toString() };
      };
      const list = async (path: string, limit = 100) =>
        (await storage.all('storage_list_files', { limit }, { path })).map(
          (one) => one['path'] as string,
        );

      it('verifies its configuration, and names what is wrong with it', async () => {
        expect((await storage.verify()).status).toBe(200);
        expect((await sink.verify()).status).toBe(200);
        expect(await list('/')).toEqual([]);
        const wrong = connect(at.bucket, 'no connection string', 'storage_azure_blob');
        expect((await wrong.verify()).body['message']).toMatch(/address|credential/);
        await wrong.close();
      });

      it.each([
        ['a space', 'keys/a b.txt'],
        ['a plus, a percent sign and what looks like an escape', 'keys/a+b%c%2Fd%20e.txt'],
        ['characters of URLs', 'keys/?a=b&c=d#e;f:g@h,i$j.txt'],
        ['quotes and brackets', `keys/'"!*()[]{}<>|^\`.txt`],
        ['letters of other languages', 'keys/ünï/日本/😀.txt'],
        ['empty segments', 'keys//a///b.txt'],
        ['dots', 'keys/...a/.b/c...txt'],
      ])('keeps a file whose path has %s', async (_name, path) => {
        await put(path, Buffer.from(`content of ${path}`));
        expect((await get(path)).text).toBe(`content of ${path}`);
        expect(await list(path.split('/').slice(0, -1).join('/'))).toContain(path);
        const deleted = await storage.call('storage_delete_file', { path: { path } });
        expect(deleted.status).toBe(204);
        expect(await get(path)).toMatchObject({ status: 404 });
      });

      const isReal = start === startReal;
      it('keeps files with every character in their paths', async () => {
        const paths = keyCharacters
          // A real store may refuse control characters, and takes a backslash for a slash.
          .filter((one) => !isReal || (one > '\u001f' && !/[\\\u007f-\u009f]/.test(one)))
          .map((character) => `characters/a${character}b`);
        for (const path of paths) await put(path, Buffer.from(path));
        for (const path of paths) expect([path, (await get(path)).text]).toEqual([path, path]);
        expect((await list('characters')).sort()).toEqual([...paths].sort());
      });

      it('serves the file as it was when reading began, though it is replaced meanwhile', async () => {
        const [before, after] = [randomBytes(15_000_000), randomBytes(15_000_000)];
        await put('replaced', before);
        const answer = await storage.call('storage_download_file', { path: { path: 'replaced' } });
        await put('replaced', after);
        expect((await bytesOf(answer)).equals(before)).toBe(true);
        const later = await storage.call('storage_download_file', { path: { path: 'replaced' } });
        expect((await bytesOf(later)).equals(after)).toBe(true);
      });

      it('keeps an empty file, and replaces a file', async () => {
        await put('files/one', Buffer.alloc(0));
        expect(await get('files/one')).toMatchObject({ status: 200, text: '' });
        await put('files/one', Buffer.from('first'));
        await put('files/one', Buffer.from('second'));
        expect((await get('files/one')).text).toBe('second');
      });

      it('lists what is below a folder, each file once over all pages', async () => {
        const paths = Array.from({ length: 7 }, (_, index) => `pages/${index}/file ${index}`);
        for (const path of [...paths, 'pages-of-others/file']) await put(path, Buffer.from('x'));
        expect(await list('pages', 3)).toEqual(paths);
        expect(await list('pages/', 1)).toEqual(paths);
        expect(await list('no-such-folder')).toEqual([]);
      });

      it('returns the range that is asked for, and says where the file ends', async () => {
        await put('ranges/file', Buffer.from('0123456789'));
        expect(await get('ranges/file', 'bytes=2-4')).toMatchObject({
          status: 206,
          text: '234',
          headers: { 'content-range': 'bytes 2-4/10' },
        });
        expect(await get('ranges/file', 'bytes=7-')).toMatchObject({ status: 206, text: '789' });
        expect(await get('ranges/file', 'bytes=99-')).toMatchObject({ status: 416 });
      });

      it('keeps a file in blocks, with its media type', async () => {
        const bytes = randomBytes(19_000_000);
        await put('large', bytes);
        const answer = await storage.call('storage_download_file', { path: { path: 'large' } });
        expect(answer.file?.headers['content-type']).toBe('application/octet-stream');
        expect((await bytesOf(answer)).equals(bytes)).toBe(true);
      });

      it('stores the events of a request in one compressed blob, a line for each', async () => {
        const events = [event('first', 'e-1'), event('sécond\nline')];
        const { status, body } = await sink.call('sink_post_events', {
          body: events,
          query: { location: '/eu west/' },
        });
        expect(status).toBe(200);
        const [path = ''] = await list('security/events');
        expect(path).toMatch(
          /^security\/events\/eu west\/\d{4}\/\d\d\/\d\d\/\d\d\/[0-9a-f-]{36}\.json\.gz$/,
        );
        const file = await storage.call('storage_download_file', { path: { path } });
        const lines = gunzipSync(await bytesOf(file))
          .toString()
          .split('\n');
        expect(lines.map((line) => (line === '' ? '' : (JSON.parse(line) as Json)))).toEqual([
          ...events,
          '',
        ]);
        expect(body['result']).toEqual([
          { index: 0, uid: 'e-1', stored: true, status: 200, id: path },
          { index: 1, stored: true, status: 200, id: path },
        ]);
        expect(await sink.call('sink_post_events', { body: [] })).toMatchObject({
          body: { result: [] },
        });
      });

      it('stores a batch that comes again in the same blob', async () => {
        const path = 'security/events/jobs/exe_1/exe_1-7.json.gz';
        for (const message of ['first', 'again']) {
          const { body } = await sink.call('sink_post_events', {
            body: [event(message)],
            query: { location: 'jobs' },
            batchId: 'exe_1-7',
          });
          expect(body['result']).toMatchObject([{ stored: true, id: path }]);
        }
        expect(await list('security/events/jobs')).toEqual([path]);
        const file = await storage.call('storage_download_file', { path: { path } });
        const text = gunzipSync(await bytesOf(file)).toString();
        expect(JSON.parse(text)).toEqual(event('again'));
      });
    },
  );

describe('a store that refuses', () => {
  it('is told by what it says, and the key of the account is not shown', async () => {
    const at = await startReceiver();
    const other = randomBytes(64).toString('base64');
    const secret = at.connectionString.replace(at.receiver.key, other);
    const wrong = connect(at.bucket, secret, 'storage_azure_blob');
    const { status, body } = await wrong.call('storage_list_files', { path: { path: '/' } });
    expect([status, body['message']]).toEqual([
      502,
      'Azure Blob Storage refuses the credential crd_1: AuthenticationFailed it is.',
    ]);
    expect(JSON.stringify(body)).not.toContain(other);
    await wrong.close();
    await at.stop();
  });

  it('gets a block again where it was busy, and no blob comes of an upload that fails', async () => {
    const at = await startReceiver();
    const storage = connect(at.bucket, at.connectionString, 'storage_azure_blob');
    const upload = () =>
      storage.call('storage_upload_file', {
        path: { path: 'large' },
        upload: uploadOf(Buffer.alloc(20_000_000)),
      });
    at.receiver.fault = ({ query }) =>
      query['comp'] === 'blocklist' ? { status: 400, body: 'no' } : undefined;
    expect(await upload()).toMatchObject({ status: 400 });
    expect(at.receiver.blobs.size).toBe(0);
    let refused = 0;
    at.receiver.fault = ({ query }) =>
      query['comp'] === 'block' && (refused += 1) === 2
        ? { status: 503, headers: { 'x-ms-error-code': 'ServerBusy' } }
        : undefined;
    expect(await upload()).toMatchObject({ status: 204 });
    expect(refused).toBe(4);
    await storage.close();
    await at.stop();
  });
});
