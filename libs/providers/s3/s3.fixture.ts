import { randomUUID } from 'node:crypto';
import { describe } from '@jest/globals';
import { AwsClient } from 'aws4fetch';
import { type Json, OverSystem, s3Store } from '#test/harness';
import * as client from './client.js';
import { S3Receiver } from './receiver.fixture.js';

/** A store of objects that verifies signatures, with a bucket for one spec file. */
export interface Store {
  url: string;
  bucket: string;
  credential: Json;
  stop: () => Promise<void>;
}

const folder = new URL('./', import.meta.url);

/** A store of ours, in this process. */
export async function startReceiver(): Promise<Store & { receiver: S3Receiver }> {
  const [bucket, id, secret] = ['evidence', 'AKIATEST', `secret-${randomUUID()}`];
  const receiver = await S3Receiver.start({ id, secret, bucket });
  const credential = { type: 'aws', access_key_id: id, secret_access_key: secret };
  return { receiver, url: receiver.url, bucket, credential, stop: () => receiver.stop() };
}

const real = s3Store();

/** Why specs over a real store are skipped. */
export const whyNoRealStore = 'skipped' in real ? real.skipped : undefined;

/** A bucket of the real store. */
export async function startRealStore(): Promise<Store> {
  if ('skipped' in real) throw new Error(real.skipped);
  const { url, ...keys } = real;
  const bucket = `onefold-${randomUUID()}`;
  const aws = new AwsClient({ ...keys, service: 's3', region: 'us-east-1' });
  const made = await aws.fetch(`${url}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`${url}: ${made.status} ${await made.text()}`);
  const credential = {
    type: 'aws',
    access_key_id: keys.accessKeyId,
    secret_access_key: keys.secretAccessKey,
  };
  return { url, bucket, credential, stop: () => Promise.resolve() };
}

/** Describes specs of a document over every store: a receiver of ours, and a real one where there is one. */
export function describeStores(specs: (start: () => Promise<Store>) => void): void {
  describe('over a receiver that verifies signatures', () => specs(startReceiver));
  if (whyNoRealStore === undefined) describe('over a real store', () => specs(startRealStore));
  else describe.skip(`over a real store (skipped: ${whyNoRealStore})`, () => specs(startRealStore));
}

/** The document over a store. */
export function connect(store: Store, type: string, config: Json = {}): OverSystem {
  const { url, bucket, credential } = store;
  return new OverSystem(
    folder,
    type,
    { endpoint: url, bucket, region: 'us-east-1', credential, ...config },
    { functions: client },
  );
}
