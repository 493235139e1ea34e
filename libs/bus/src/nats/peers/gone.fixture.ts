// A process at the other end of the bus, for tests that kill it: node gone.fixture.js <NATS_URL> <key as base64> serve|read
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, operationOf, type Reply, StreamReply } from '#contract';
import { keyOf, Keyring } from '#secrets';
import {
  BusServer,
  Cancellation,
  Handles,
  MessageBus,
  NatsTransport,
  subjectOf,
} from '../../index.js';
import { envelopeOf } from '../../messages/envelope.fixture.js';

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

@Controller()
class Peer {
  @Handles('ticketing_list_projects')
  async read(call: Call<'ticketing_list_projects'>): Promise<Reply<'ticketing_list_projects'>> {
    say('asked');
    say(`read ${call.requestId}`);
    await this.work(call.requestId);
    return { result: [], cursor: '' };
  }

  @Handles('ticketing_create_ticket')
  async write(call: Call<'ticketing_create_ticket'>): Promise<Reply<'ticketing_create_ticket'>> {
    say('asked');
    await this.work(call.requestId);
    return { result: {} } as Reply<'ticketing_create_ticket'>;
  }

  @Handles('storage_download_file')
  async download(): Promise<Reply<'storage_download_file'>> {
    async function* chunks() {
      yield Buffer.alloc(1_000, 1);
      say('asked');
      await sleep(600_000);
    }
    return new StreamReply(200, {}, chunks());
  }

  @Handles('storage_upload_file')
  async upload({ upload }: Call<'storage_upload_file'>): Promise<Reply<'storage_upload_file'>> {
    for await (const _chunk of upload?.body ?? []) {
      say('asked');
      await sleep(600_000);
    }
    return new StreamReply(200, {}, Buffer.alloc(0));
  }

  private async work(what: string): Promise<void> {
    if (what === 'hang') await sleep(600_000);
    // Blocks the event loop, like a large mapping.
    if (what === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
  }
}

@Module({ controllers: [Peer] })
class PeerModule {}

const [, , url = '', key = '', what = ''] = process.argv;
const keys = new Keyring([keyOf(Buffer.from(key, 'base64'))]).derive('bus messages');
const transport = await NatsTransport.connect(url, { keys });
if (what === 'serve') {
  const strategy = new BusServer(transport);
  const app = await NestFactory.createMicroservice(PeerModule, { strategy, logger: false });
  await app.listen();
} else {
  const subject = subjectOf(operationOf('storage_download_file'), undefined);
  const envelope = envelopeOf('storage_download_file');
  const { body } = await new MessageBus(transport).request(
    subject,
    envelope,
    undefined,
    new Cancellation(),
  );
  for await (const _chunk of body as AsyncIterable<Uint8Array>) {
    say('asked');
    await sleep(600_000);
  }
}
say('ready');
