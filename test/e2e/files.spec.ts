import { createHash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, until } from '#test/harness';
import type { Problem } from '#contract';
import { filesDocument } from './files/document.js';
import { keystream } from './files/keystream.js';
import type { Seen } from './files/storage.js';
import { digestOf } from './files/transfer.js';
import { type Onefold, startDistributed, startOnTestDatabase } from './onefold.js';
import { type Running, startNode } from './processes.js';

/** More than a process may grow, so that one that keeps a whole file fails. TEST_FILE_MB=1024 transfers a gigabyte. */
const bytes = Number(process.env['TEST_FILE_MB'] ?? 128) * 1024 * 1024;
/** In MB. On a busy machine Node lets some 50 MB of buffers wait for its collector, whatever the size of the file. */
const maxGrowth = 88;
/** More than the buffers between the client and a slow storage may hold. */
const slowBytes = 150_000_000;
const boundary = 'boundary-of-the-spec';

const expected = (() => {
  let hash: string | undefined;
  return () => (hash ??= digestOf(keystream(bytes)));
})();

const forms: [string, () => Promise<Onefold>][] = [
  ['embedded', () => startOnTestDatabase()],
  ['distributed', () => startDistributed({}, { worker: false })],
];

describe.each(forms)('files of any size, %s', (_form, start) => {
  let onefold: Onefold;
  let storage: Running;
  let address: string;
  let token: string;

  beforeAll(async () => {
    storage = startNode([fileURLToPath(new URL('files/storage.js', import.meta.url))]);
    [onefold, address] = await Promise.all([
      start(),
      storage.says(/at (http:\S+)/).then(([, url = '']) => url),
    ]);
    const { api } = onefold;
    await api.call('customs_create', { body: { data: filesDocument } });
    const { account } = (await api.call('accounts_create', { body: { name: 'files' } })).result;
    const made = await api.call('integrations_create', {
      path: { accountId: account.id },
      body: {
        name: 'files',
        provider_config: {
          type: 'custom_files',
          url: address,
          credential: { type: 'token', secret: 'storage-secret-key' },
        } as never,
      },
    });
    token = made.result.token.access.secret;
    // Memory of a warm process is not the cost of a file.
    await down('plain', 1_000_000);
    await up('plain', Readable.from(keystream(1_000_000)));
    await seen();
  });
  afterEach(async () => void (await seen()));
  afterAll(async () => {
    await onefold.stop();
    await storage.stop();
  });

  /** Returns the requests of the storage since the last call. */
  async function seen(keep = false): Promise<Seen[]> {
    return (await (await fetch(`${address}/_seen${keep ? '?keep' : ''}`)).json()) as Seen[];
  }
  async function seenSoon(condition: (one: Seen | undefined) => boolean): Promise<void> {
    await until(async () => condition((await seen(true))[0]));
  }

  /** Returns the bytes that the storage has sent once it sends no more, because nobody takes them. */
  async function sentAtRest(): Promise<number> {
    for (let [before, same] = [-1, 0]; ; await sleep(100)) {
      const [entry] = await seen(true);
      const sent = entry?.bytes ?? 0;
      same = sent === before ? same + 1 : 0;
      if (same === 5) return sent;
      before = sent;
    }
  }

  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    send(`${onefold.api.url}/v1/storage/files/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const answerOf = (request: ReturnType<typeof call>) =>
    new Promise<IncomingMessage>((settle, fail) =>
      request.on('response', settle).on('error', fail),
    );

  async function open(path: string): Promise<IncomingMessage> {
    const request = call('GET', path);
    request.end();
    return await answerOf(request);
  }

  async function down(action: string, size: number): Promise<Hash> {
    const response = await open(`${action}/${size}`);
    expect(response.statusCode).toBe(200);
    const hash = createHash('sha256');
    await pipeline(response, hash);
    return hash;
  }

  async function up(
    path: string,
    body: Readable,
    headers: Record<string, string> = { 'content-type': 'application/octet-stream' },
  ): Promise<{ status: number | undefined; body: string }> {
    const request = call('POST', path, headers);
    const answer = answerOf(request);
    const sent = pipeline(body, request).catch(() => undefined); // A refusal may arrive before the end of the upload.
    const response = await answer;
    const answered = { status: response.statusCode, body: await text(response) };
    // Node's client stops sending once it has a response, and waits forever.
    if (!request.writableFinished) request.destroy();
    await sent;
    return answered;
  }

  /** Returns the peak growth of each process during the work, in MB. */
  async function growth(work: () => Promise<void>): Promise<Record<string, number>> {
    const peaks = () =>
      Object.fromEntries(
        Object.entries(onefold.processes).map(([name, { child }]) => {
          const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
          return [name, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024];
        }),
      );
    const before = peaks();
    await work();
    return Object.fromEntries(
      Object.entries(peaks()).map(([name, peak]) => [name, Math.round(peak - (before[name] ?? 0))]),
    );
  }
  const bounded = (grown: Record<string, number>) => {
    for (const [name, most] of Object.entries(grown))
      expect({ name, most, bounded: most < maxGrowth }).toMatchObject({ bounded: true });
  };

  it('come as they are, with length, type and name, in bounded memory', async () => {
    const grown = await growth(async () => {
      const hash = await down('plain', bytes);
      expect(hash.digest('hex')).toBe(expected());
    });
    bounded(grown);
    const response = await open('plain/10');
    expect(response.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'content-disposition': expect.stringContaining("filename*=UTF-8''%C3%9Cbersicht%201.mp4"),
    });
    response.resume();
  }, 600_000);

  it('go as they are, their length told beforehand or not, in bounded memory', async () => {
    const head = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: image/png\r\n\r\n`,
    );
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    function* form() {
      yield head;
      yield* keystream(bytes);
      yield tail;
    }
    const grown = await growth(async () => {
      const plain = { 'content-type': 'application/octet-stream', 'content-length': String(bytes) };
      expect(await up('plain/told', Readable.from(keystream(bytes)), plain)).toEqual({
        status: 204,
        body: '',
      });
      const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      expect((await up('plain/form', Readable.from(form()), multipart)).status).toBe(204);
    });
    bounded(grown);
    expect(await seen()).toMatchObject([
      {
        bytes,
        sha256: expected(),
        headers: { 'content-length': String(bytes), 'content-type': 'application/octet-stream' },
      },
      {
        bytes,
        sha256: expected(),
        headers: { 'transfer-encoding': 'chunked', 'content-type': 'image/png' },
      },
    ]);
  }, 600_000);

  it('come no faster than they are read', async () => {
    const response = await open(`plain/${bytes}`);
    const hash = createHash('sha256');
    let read = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      hash.update(chunk);
      if (read < 1_000_000 && read + chunk.length >= 1_000_000) {
        // The difference is in the buffers of sockets, including those of the system.
        expect((await sentAtRest()) - read).toBeLessThan(80_000_000);
      }
      read += chunk.length;
    }
    expect(hash.digest('hex')).toBe(expected());
  }, 600_000);

  it('go no faster than they are taken', async () => {
    let made = 0;
    function* counted() {
      for (const chunk of keystream(slowBytes)) {
        made += chunk.length;
        yield chunk;
      }
    }
    const sent = up('slow/1', Readable.from(counted()));
    await seenSoon((entry) => (entry?.bytes ?? 0) > 500_000);
    const [entry] = await seen(true);
    expect(made - (entry?.bytes ?? 0)).toBeLessThan(120_000_000);
    expect((await sent).status).toBe(204);
    expect((await seen())[0]?.sha256).toBe(digestOf(keystream(slowBytes)));
  });

  it('that the provider breaks off break off, whatever length was told', async () => {
    for (const [action, hasLength] of [
      ['broken', true],
      ['broken-chunked', false],
    ] as const) {
      const response = await open(`${action}/20000000`);
      expect([response.statusCode, 'content-length' in response.headers]).toEqual([200, hasLength]);
      const hash = createHash('sha256');
      await expect(pipeline(response, hash)).rejects.toThrow(/aborted|premature/i);
    }
    const log = () =>
      Object.values(onefold.processes)
        .map((one) => one.output())
        .join('\n');
    await eventually(() => {
      expect(log()).toMatch(/the answer broke off/);
      expect(log()).toMatch(/Files broke off after \d+ bytes/);
    });
    expect(log()).not.toContain('storage-secret-key');
  });

  it('that the client no longer wants are no longer fetched', async () => {
    const response = await open(`plain/${bytes}`);
    response.on('error', () => undefined);
    await new Promise((some) => response.once('data', some));
    response.destroy();
    await seenSoon((entry) => entry?.end === 'broken');
  });

  it('that the client breaks off are not whole at the provider', async () => {
    const request = call('POST', 'plain/half', { 'content-type': 'application/octet-stream' });
    request.on('error', () => undefined);
    request.write(Buffer.alloc(3_000_000));
    await seenSoon((entry) => (entry?.bytes ?? 0) > 1_000_000);
    request.destroy();
    await seenSoon((entry) => entry?.end === 'broken');
    const form = call('POST', 'plain/half', {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    });
    const answer = answerOf(form);
    form.end(`--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\nhalf of it`);
    const response = await answer;
    expect(response.statusCode).toBe(400);
    expect((JSON.parse(await text(response)) as Problem).message).toContain(
      'Unexpected end of form',
    );
    expect((await seen()).map(({ end }) => end)).not.toContain('whole');
  });

  it.each([
    ['forbidden', 502, /does not permit this with the credential crd_\w+: this folder is locked/],
    ['missing', 404, /no such record: no such file/],
    ['full', 502, /answers 507: the disk is full/],
  ])('that the provider refuses (%s) are a problem, both ways', async (path, status, message) => {
    const response = await open(`${path}/1`);
    expect(response.statusCode).toBe(status);
    expect((JSON.parse(await text(response)) as Problem).message).toMatch(message);
    const answer = await up(`${path}/1`, Readable.from(keystream(50_000_000)));
    expect([answer.status, (JSON.parse(answer.body) as Problem).message]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
    await onefold.api.as(token).send('storage_delete_file', { path: { path: 'plain/1' } });
  });

  it('of which only the head is wanted are not fetched', async () => {
    const request = call('HEAD', `plain/${bytes}`);
    request.end();
    const response = await answerOf(request);
    expect([response.statusCode, response.headers['content-length']]).toEqual([200, String(bytes)]);
    await seenSoon((entry) => entry?.end === 'broken');
  });

  it('that have begun come whole when every process is told to stop', async () => {
    const response = await open(`plain/${bytes}`);
    const hash = createHash('sha256');
    let stopping: Promise<{ code: number | null }[]> | undefined;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      hash.update(chunk);
      stopping ??= Promise.all(Object.values(onefold.processes).map((one) => one.stop()));
    }
    expect(hash.digest('hex')).toBe(expected());
    expect((await stopping)?.map(({ code }) => code).every((code) => code === 0)).toBe(true);
  });
});
