import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { faultsOfResponse } from '#apps/provider-kit';
import { operationOf } from '#contract';
import { type Service, startService } from './service.js';

const mebibyte = 1_048_576;

let service: Service;
let token: string;
let integrationId: string;
let account: string;
let owner: pg.Client;
beforeAll(async () => {
  service = await startService(5, undefined, 0, { maxUploadBytes: 32 * mebibyte });
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = result.account.id;
  const made = await service.call<{
    integration: { id: string };
    token: { access: { secret: string } };
  }>('POST', `/v1/integrations/${account}`, {
    provider_config: { type: 'storage_mock_storage', bucket: 'evidence', dataset: 'empty_v0' },
  });
  token = made.result.token.access.secret;
  integrationId = made.result.integration.id;
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.stop();
});

const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
  fetch(`${service.url}/v1/storage/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  });
const encode = (path: string) =>
  path === '/' ? '%2F' : path.split('/').map(encodeURIComponent).join('/');
const put = async (path: string, bytes: Buffer) => {
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await ask('POST', `files/${encode(path)}`, headers, bytes);
  return [answer.status, await answer.text()] as const;
};
const get = async (path: string, range?: string) => {
  const answer = await ask('GET', `files/${encode(path)}`, range === undefined ? {} : { range });
  const { status, headers } = answer;
  return { status, headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const list = async (folder: string, limit = 50) => {
  const paths: string[] = [];
  for (let cursor = ''; ;) {
    const query = new URLSearchParams({ limit: String(limit), cursor });
    const answer = await ask('GET', `folders/${encode(folder)}?${query.toString()}`);
    const page = (await answer.json()) as { result: { path: string }[]; cursor: string };
    paths.push(...page.result.map((one) => one.path));
    if (page.cursor === '') return paths;
    cursor = page.cursor;
  }
};
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const stored = async () => {
  const { rows } = await owner.query<{ files: number; bytes: number; rowBytes: number }>(
    `select count(distinct file_id)::int as files, coalesce(sum(length(content)), 0)::int as bytes,
       coalesce(max(length(content)), 0)::int as "rowBytes" from fake_file_parts where integration_id = $1`,
    [integrationId],
  );
  return rows[0];
};

describe('the files of storage_mock_storage', () => {
  it('"storage `{path}` with slashes, folders": are in folders by the slashes of their paths', async () => {
    const paths = ['cases/7/a b.txt', 'cases/7/ü/%2F+.bin', 'cases/8/c', 'cases-of-others/d'];
    for (const path of paths) expect(await put(path, Buffer.from(path))).toEqual([204, '']);
    expect(await list('cases')).toEqual(paths.slice(0, 3));
    expect(await list('cases/7/', 1)).toEqual(paths.slice(0, 2));
    expect(await list('cases/9')).toEqual([]);
    for (const path of paths) expect((await get(path)).bytes.toString()).toBe(path);
    // A client may send a slash of the path as %2F.
    const escaped = await ask('GET', `files/${encodeURIComponent(paths[0] ?? '')}`);
    expect(await escaped.text()).toBe(paths[0]);
  });

  it('are listed from the root, however a client writes it', async () => {
    await put('rooted/a', Buffer.from('a'));
    const all = await list('/');
    expect(all).toContain('rooted/a');
    for (const root of ['folders', 'folders/', 'folders//', 'folders/%2F', 'folders/%2E']) {
      const answer = await ask('GET', `${root}?limit=100`);
      const page = (await answer.json()) as { result: { path: string }[] };
      expect([root, page.result.map(({ path }) => path)]).toEqual([root, all]);
    }
  });

  it('"empty files": may be empty', async () => {
    expect(await put('empty/file', Buffer.alloc(0))).toEqual([204, '']);
    expect(await get('empty/file')).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
    expect(await list('empty')).toEqual(['empty/file']);
  });

  it('"overwrite": are replaced, and deleted', async () => {
    await put('replaced/file', Buffer.from('first, which is longer'));
    await put('replaced/file', Buffer.from('second'));
    expect((await get('replaced/file')).bytes.toString()).toBe('second');
    expect(await list('replaced')).toEqual(['replaced/file']);
    expect((await ask('DELETE', 'files/replaced/file')).status).toBe(204);
    expect(await list('replaced')).toEqual([]);
    expect((await get('replaced/file')).status).toBe(404);
  });

  it('"ranges": are returned by ranges: 206, and 416 where there is no such range', async () => {
    const bytes = randomBytes(3 * mebibyte);
    await put('ranges/file', bytes);
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=2-4', 2, 5],
      [`bytes=${mebibyte - 2}-${mebibyte + 1}`, mebibyte - 2, mebibyte + 2],
      [`bytes=${mebibyte + 7}-`, mebibyte + 7, size],
      ['bytes=-9', size - 9, size],
      [`bytes=10-${size * 2}`, 10, size],
    ] as const) {
      const part = await get('ranges/file', range);
      expect([range, part.status]).toEqual([range, 206]);
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
      expect(part.bytes.equals(bytes.subarray(start, end))).toBe(true);
    }
    const beyond = await get('ranges/file', `bytes=${size}-`);
    const problem: unknown = JSON.parse(beyond.bytes.toString());
    expect(problem).toMatchObject({ status: 416 });
    const download = operationOf('storage_download_file');
    expect(faultsOfResponse(download, beyond.status, problem)).toEqual([]);
    expect(faultsOfResponse(download, 206, undefined)).toEqual([]);
    expect(faultsOfResponse(operationOf('storage_list_files'), 416, problem)).toEqual([
      'status 416 is not declared, the contract has 200',
    ]);
    const whole = await get('ranges/file');
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect(whole.bytes.equals(bytes)).toBe(true);
  });

  it('have up to 25 MB, which the database keeps in rows of a megabyte', async () => {
    const bytes = randomBytes(25 * mebibyte);
    const before = await stored();
    expect(await put('large/file', bytes)).toEqual([204, '']);
    const after = await stored();
    expect((after?.bytes ?? 0) - (before?.bytes ?? 0)).toBe(bytes.length);
    expect(after?.rowBytes).toBe(mebibyte);
    expect(sha((await get('large/file')).bytes)).toBe(sha(bytes));
    const [status, problem] = await put('large/more', randomBytes(25 * mebibyte + 1));
    expect([status, problem]).toEqual([413, expect.stringContaining('26214400')]);
    expect(await list('large')).toEqual(['large/file']);
    expect((await stored())?.bytes).toBe(after?.bytes);
  });

  it('are read as they were when reading began, though they are replaced meanwhile', async () => {
    const [before, after] = [randomBytes(20 * mebibyte), randomBytes(20 * mebibyte)];
    await put('changing/file', before);
    const answer = await ask('GET', 'files/changing/file');
    expect(await put('changing/file', after)).toEqual([204, '']);
    expect(sha(Buffer.from(await answer.arrayBuffer()))).toBe(sha(before));
    expect(sha((await get('changing/file')).bytes)).toBe(sha(after));
  });

  it('are kept as long as a record refers to them, and are gone with their integration', async () => {
    await put('kept/file', randomBytes(mebibyte));
    await put('kept/file', randomBytes(mebibyte));
    const expiring =
      'select count(*)::int as count from fake_files where integration_id = $1 and expires_at is not null';
    const { rows } = await owner.query<{ count: number }>(expiring, [integrationId]);
    expect(rows[0]?.count).toBeGreaterThan(0);
    const kept = (await list('/')).length;
    // Ten minutes later, the next upload drops what no record refers to.
    await owner.query(
      "update fake_files set expires_at = now() - interval '1 second' where expires_at is not null",
    );
    await put('kept/file', randomBytes(mebibyte));
    const { rows: files } = await owner.query<{ count: number }>(
      'select count(*)::int as count from fake_files where integration_id = $1 and expires_at is null',
      [integrationId],
    );
    expect(files[0]?.count).toBe(kept);
    expect((await owner.query(expiring, [integrationId])).rows[0]).toEqual({ count: 1 });
    await service.call('DELETE', `/v1/integrations/${account}/${integrationId}`);
    expect(await stored()).toEqual({ files: 0, bytes: 0, rowBytes: 0 });
  });
});
