import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  type Call,
  type Caller,
  operationOf,
  type OperationId,
  type Reply,
  StreamReply,
} from '#contract';
import { busKeys, type NatsServer, startNats, until } from '#test/harness';
import {
  type FinishedCall,
  type Bus,
  BusServer,
  Cancellation,
  collect,
  Handles,
  InProcessTransport,
  MessageBus,
  NatsTransport,
  subjectOf,
  type Transport,
} from '../index.js';

const chunk = 64 * 1024;
const caller: Caller = {
  tokenId: 'tok_1',
  scope: 'integration',
  organizationId: 'org_1',
  memberId: 'mbr_1',
  integrationId: 'int_1',
  permissions: [],
};

/** A stream that counts what was read of it, and notices when its reader stops. */
function source(chunks: number, fails?: Error) {
  const state = { taken: 0, over: false };
  async function* generate() {
    try {
      for (; state.taken < chunks; state.taken += 1) {
        await sleep(0);
        yield Buffer.alloc(chunk, state.taken);
      }
      if (fails) throw fails;
    } finally {
      state.over = true;
    }
  }
  return Object.assign(state, { body: generate() });
}

let answer = source(0);
let signal: AbortSignal | undefined;
let taken = 0;
let failure: unknown;
const answered: FinishedCall[] = [];

@Controller()
class Files {
  @Handles('storage_download_file')
  async download(call: Call<'storage_download_file'>): Promise<Reply<'storage_download_file'>> {
    signal = call.signal;
    return new StreamReply(200, {}, answer.body);
  }

  @Handles('storage_upload_file')
  async upload({
    upload,
    path,
  }: Call<'storage_upload_file'>): Promise<Reply<'storage_upload_file'>> {
    taken = 0;
    if (upload === undefined) throw new Error('there is no upload');
    expect(upload).toMatchObject({ contentType: 'multipart/form-data', length: 7 });
    try {
      for await (const one of upload.body) {
        taken += one.length;
        if (path.path === 'refused') throw new ApiError(403, 'no');
        if (path.path === 'slow') await sleep(30);
      }
    } catch (error) {
      failure = error;
      throw error;
    }
    return new StreamReply(200, {}, Buffer.from(String(taken)));
  }
}

@Module({ controllers: [Files] })
class FilesModule {}

// A separate server, because other specs serve the same subjects.
let nats: NatsServer | undefined;
afterAll(() => nats?.stop());

const transports: [string, () => Promise<[Transport, Transport]>][] = [
  [
    'in one process',
    async () => {
      const one = new InProcessTransport();
      return [one, one];
    },
  ],
  [
    'over NATS',
    async () => {
      const { url } = (nats ??= await startNats());
      return [
        await NatsTransport.connect(url, { keys: busKeys }),
        await NatsTransport.connect(url, { keys: busKeys }),
      ];
    },
  ],
];

describe.each(transports)('streams %s', (_kind, make) => {
  let bus: Bus;
  let ours: Transport;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const [client, theirs] = await make();
    ours = client;
    bus = new MessageBus(ours);
    const strategy = new BusServer(theirs, undefined, { answered: (one) => answered.push(one) });
    const app = await NestFactory.createMicroservice(FilesModule, { strategy, logger: false });
    await app.listen();
    stop = () => app.close();
  });
  beforeEach(() => {
    answered.length = 0;
    failure = undefined;
    taken = 0;
  });
  afterAll(async () => {
    await stop();
    await ours.close();
  });

  const request = (
    operation: OperationId,
    { path = 'a', body, cancellation = new Cancellation() }: Partial<Sent> = {},
  ) =>
    bus.request(
      subjectOf(operationOf(operation), undefined),
      {
        operation,
        caller,
        path: { path },
        query: {},
        meta: [],
        requestId: 'r1',
        deadline: Date.now() + 20_000,
        contentType: 'multipart/form-data',
        contentLength: 7,
        remoteAddress: '127.0.0.1',
        userAgent: 'spec',
      },
      body,
      cancellation,
    );
  interface Sent {
    path: string;
    body: AsyncIterable<Uint8Array>;
    cancellation: Cancellation;
  }

  it('an answer that breaks off does so for its reader, and counts as failed', async () => {
    answer = source(5, new Error('the disk is gone'));
    const { status, body } = await request('storage_download_file');
    expect(status).toBe(200);
    await expect(collect(body)).rejects.toThrow('the disk is gone');
    await until(() => answered.some(({ outBytes }) => outBytes === 5 * chunk));
    expect(answered.find(({ outBytes }) => outBytes === 5 * chunk)?.status).toBe(502);
  });

  it('an answer that nobody begins to read lets go of its source', async () => {
    let left = false;
    answer = {
      ...source(5),
      body: {
        next: async () => await new Promise<never>(() => undefined),
        return: async () => {
          left = true;
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      } as never,
    };
    const { body } = await request('storage_download_file');
    await (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().return?.();
    await until(() => left);
  });

  it('a caller who hangs up while nothing comes cancels who works for it', async () => {
    answer = {
      ...source(0),
      body: (async function* () {
        yield Buffer.from('a');
        await new Promise((_settle, fail) =>
          signal?.addEventListener('abort', () => fail(new Error('cancelled'))),
        );
      })(),
    };
    const cancellation = new Cancellation();
    const { body } = await request('storage_download_file', { cancellation });
    const reader = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    await reader.next();
    const next = reader.next();
    await sleep(50);
    cancellation.cancel(new Error('hung up'));
    await expect(next).rejects.toThrow();
    await until(() => signal?.aborted === true);
  });

  it('an upload is read as it comes, and is counted', async () => {
    const sent = source(40);
    const { body } = await request('storage_upload_file', { body: sent.body });
    expect((await collect(body)).toString()).toBe(String(40 * chunk));
    expect(answered.map(({ inBytes }) => inBytes)).toContain(40 * chunk);
  });

  it('an upload goes no faster than its reader', async () => {
    const sent = source(20);
    const reply = request('storage_upload_file', { path: 'slow', body: sent.body });
    await until(() => taken > 3 * chunk);
    expect(sent.taken * chunk - taken).toBeLessThan(5 * chunk);
    await reply;
  });

  it('an upload that is refused at its beginning is read no further', async () => {
    const sent = source(200);
    const { status } = await request('storage_upload_file', { path: 'refused', body: sent.body });
    expect(status).toBe(403);
    await until(() => sent.over);
    expect(sent.taken).toBeLessThan(5);
  });

  it('an upload that breaks off is never a whole one to its reader', async () => {
    const sent = source(3, new Error('the client hung up'));
    const { status } = await request('storage_upload_file', { body: sent.body });
    expect(status).toBe(500);
    expect(String(failure)).toContain('the client hung up');
  });

  it('a client that gives an upload up ends the work for it', async () => {
    const sent = source(10_000);
    const cancellation = new Cancellation();
    const reply = request('storage_upload_file', { path: 'slow', body: sent.body, cancellation });
    await until(() => taken > 0);
    cancellation.cancel(new Error('hung up'));
    await expect(reply).rejects.toThrow('hung up');
    await until(() => failure !== undefined && sent.over);
  });
});
