import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bytesOf, keyCharacters, type OverSystem, uploadOf } from '#test/harness';
import { connect, describeStores, type Store } from './s3.fixture.js';

describeStores((start) => {
  let store: Store;
  let s3: OverSystem;
  beforeAll(async () => {
    store = await start();
    s3 = connect(store, 'storage_aws_s3');
  });
  afterAll(async () => {
    await s3?.close();
    await store?.stop();
  });

  const put = async (path: string, bytes: Uint8Array) => {
    const answer = await s3.call('storage_upload_file', {
      path: { path },
      upload: uploadOf(bytes),
    });
    expect(answer).toEqual({ status: 204, body: {} });
  };
  const get = async (path: string, range?: string) => {
    const answer = await s3.call('storage_download_file', {
      path: { path },
      ...(range === undefined ? {} : { range }),
    });
    const { status, body, file } = answer;
    if (file === undefined) return { status, body, headers: {}, text: '' };
    const text = (await bytesOf(answer)).toString();
    return { status, body, headers: file.headers, text };
  };
  const list = async (path: string, limit = 100) =>
    (await s3.all('storage_list_files', { limit }, { path })).map((one) => one['path'] as string);

  it('verifies its configuration, and names what is wrong with it', async () => {
    expect((await s3.verify()).status).toBe(200);
    const other = connect({ ...store, bucket: 'no-such-bucket' }, 'storage_aws_s3');
    expect((await other.verify()).body['message']).toContain('does not find what it names');
    await other.close();
    const credential = { ...store.credential, secret_access_key: 'wrong' };
    const wrong = connect({ ...store, credential }, 'storage_aws_s3');
    expect((await wrong.verify()).body['message']).toContain('refuses the credential crd_1');
    await wrong.close();
  });

  it.each([
    ['a space', 'keys/a b.txt'],
    ['a plus, a percent sign and what looks like an escape', 'keys/a+b%c%2Fd%20e.txt'],
    ['characters of URLs', 'keys/?a=b&c=d#e;f:g@h,i$j.txt'],
    ['quotes and brackets', `keys/'"!*()[]{}<>|^\`\\.txt`],
    ['letters of other languages', 'keys/ünï/日本/😀.txt'],
    ['empty segments', 'keys//a///b.txt'],
    ['a slash at its beginning', '/keys-of-the-root/a.txt'],
    ['a slash at its end', 'keys/folder/'],
    ['control characters', 'keys/tab\tline\nend\u0001.txt'],
    ['dots', 'keys/...a/.b/c...txt'],
  ])('keeps a file whose path has %s', async (_name, path) => {
    await put(path, Buffer.from(`content of ${path}`));
    expect((await get(path)).text).toBe(`content of ${path}`);
    expect(await list(path.split('/').slice(0, -1).join('/') || '/')).toContain(path);
    const deleted = await s3.call('storage_delete_file', { path: { path } });
    expect(deleted.status).toBe(204);
    expect(await get(path)).toMatchObject({ status: 404 });
  });

  it('keeps files with every character in their paths', async () => {
    const paths = keyCharacters.map((character) => `characters/a${character}b`);
    for (const path of paths) await put(path, Buffer.from(path));
    for (const path of paths) expect([path, (await get(path)).text]).toEqual([path, path]);
    expect((await list('characters')).sort()).toEqual([...paths].sort());
  });

  it.each(['a/../b', './a', '..'])('refuses the path %s, which no URL can hold', async (path) => {
    const upload = uploadOf(Buffer.from('x'));
    for (const call of [
      s3.call('storage_upload_file', { path: { path }, upload }),
      s3.call('storage_download_file', { path: { path } }),
      s3.call('storage_delete_file', { path: { path } }),
    ])
      expect(await call).toMatchObject({ status: 400 });
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
    expect(await list('/', 2)).toEqual(expect.arrayContaining([...paths, 'pages-of-others/file']));
    expect(await list('no-such-folder')).toEqual([]);
  });

  it('returns the range that is asked for, and says where the file ends', async () => {
    await put('ranges/file', Buffer.from('0123456789'));
    expect(await get('ranges/file', 'bytes=2-4')).toMatchObject({
      status: 206,
      text: '234',
      headers: { 'content-range': 'bytes 2-4/10', 'accept-ranges': 'bytes' },
    });
    expect(await get('ranges/file', 'bytes=7-')).toMatchObject({ status: 206, text: '789' });
    expect(await get('ranges/file', 'bytes=-1')).toMatchObject({ status: 206, text: '9' });
    expect(await get('ranges/file', 'bytes=10-')).toMatchObject({ status: 416 });
  });

  it('keeps a file in parts whose size is not known in advance', async () => {
    const bytes = randomBytes(19_000_000);
    const upload = { ...uploadOf(bytes), length: undefined as never };
    const answer = await s3.call('storage_upload_file', { path: { path: 'large' }, upload });
    expect(answer).toEqual({ status: 204, body: {} });
    const file = await bytesOf(await s3.call('storage_download_file', { path: { path: 'large' } }));
    expect(file.equals(bytes)).toBe(true);
  });

  it('serves the file as it was when reading began, though it is replaced meanwhile', async () => {
    const [before, after] = [randomBytes(15_000_000), randomBytes(15_000_000)];
    await put('replaced', before);
    const answer = await s3.call('storage_download_file', { path: { path: 'replaced' } });
    await put('replaced', after);
    expect((await bytesOf(answer)).equals(before)).toBe(true);
  });
});
