// The vendors' own clients and our documents on one store of objects: each reads, lists and deletes what the other has written.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { BlobServiceClient } from '@azure/storage-blob';

const dist = new URL('../../dist/', import.meta.url);
const { OverSystem } = await import(new URL('test/harness/fakes/over-system.js', dist));
const { bytesOf, uploadOf } = await import(new URL('apps/provider-kit/src/index.js', dist));
const { S3Receiver } = await import(new URL('libs/providers/s3/receiver.fixture.js', dist));
const { AzureReceiver } = await import(
  new URL('libs/providers/azure-blob/receiver.fixture.js', dist)
);

const bucket = 'evidence';
const mebibyte = 1_048_576;

/** The document of a store, with the calls of a client. */
async function documentOf(folder, type, config) {
  const place = new URL(`libs/providers/${folder}/`, dist);
  const functions = await import(new URL('client.js', place));
  const over = new OverSystem(place, type, { bucket, ...config }, { functions });
  return {
    put: async (path, bytes) => {
      const request = { path: { path }, upload: uploadOf(bytes) };
      const { status, body } = await over.call('storage_upload_file', request);
      if (status !== 204) throw new Error(`upload of ${path}: ${status} ${body.message}`);
    },
    get: async (path, range) => {
      const request = { path: { path }, ...(range === undefined ? {} : { range }) };
      const answer = await over.call('storage_download_file', request);
      return answer.file === undefined ? undefined : await bytesOf(answer);
    },
    list: async (path) =>
      (await over.all('storage_list_files', { limit: 2 }, { path })).map((one) => one.path),
    remove: (path) => over.call('storage_delete_file', { path: { path } }),
    close: () => over.close(),
  };
}

/** By provider id: starts a store that verifies signatures, and opens it by the vendor's client and by our document. */
export const stores = {
  async storage_aws_s3() {
    const keys = { id: 'AKIAWITNESS', secret: 'secret of the witness' };
    const receiver = await S3Receiver.start({ ...keys, bucket });
    const s3 = new S3Client({
      endpoint: receiver.url,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret },
    });
    const client = {
      put: (Key, Body) => s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body })),
      get: async (Key, Range) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key, Range }));
        return Buffer.from(await Body.transformToByteArray());
      },
      list: async (folder) => {
        const wanted = { Bucket: bucket, Prefix: `${folder}/`, EncodingType: 'url' };
        const keys = [];
        for await (const { Contents = [] } of paginateListObjectsV2(
          { client: s3, pageSize: 2 },
          wanted,
        ))
          keys.push(...Contents.map(({ Key }) => decodeURIComponent(Key.replaceAll('+', ' '))));
        return keys;
      },
      remove: (Key) => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key })),
    };
    const credential = { type: 'aws', access_key_id: keys.id, secret_access_key: keys.secret };
    const config = { endpoint: receiver.url, region: 'us-east-1', credential };
    return { receiver, client, ours: await documentOf('s3', 'storage_aws_s3', config) };
  },

  async storage_azure_blob() {
    const receiver = await AzureReceiver.start();
    const { connectionString } = receiver;
    const container =
      BlobServiceClient.fromConnectionString(connectionString).getContainerClient(bucket);
    const client = {
      put: (path, bytes) => container.getBlockBlobClient(path).upload(bytes, bytes.length),
      get: async (path, range) => {
        const [, start = '0', end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
        const count = end === undefined ? undefined : Number(end) - Number(start) + 1;
        const answer = await container.getBlobClient(path).download(Number(start), count);
        return Buffer.concat(await answer.readableStreamBody.toArray());
      },
      list: async (folder) => {
        const names = [];
        const pages = container.listBlobsFlat({ prefix: `${folder}/` }).byPage({ maxPageSize: 2 });
        for await (const { segment } of pages)
          names.push(...segment.blobItems.map(({ name }) => name));
        return names;
      },
      remove: (path) => container.deleteBlob(path),
    };
    const config = { credential: { type: 'token', secret: connectionString } };
    return { receiver, client, ours: await documentOf('azure-blob', 'storage_azure_blob', config) };
  },
};

const paths = ['cases/a b.txt', 'cases/a+b%2Fc.txt', 'cases/7/ü 日本.bin', 'cases/x\'&<>"y;=,.txt'];

/** Compares what the client and our document see of each other. @returns what differs, and how much was compared */
export async function compareStore(type) {
  const { receiver, client, ours } = await stores[type]();
  const faults = [];
  let compared = 0;
  const same = (what, one, other) => {
    compared += 1;
    if (JSON.stringify(one) !== JSON.stringify(other))
      faults.push(
        `${what}: ${JSON.stringify(one)?.slice(0, 200)}, not ${JSON.stringify(other)?.slice(0, 200)}`,
      );
  };
  const text = (bytes) => bytes?.toString();
  try {
    for (const [by, writer, other] of [
      ['the client', client, ours],
      ['the document', ours, client],
    ]) {
      for (const path of paths) {
        await writer.put(path, Buffer.from(`${path} by ${by}`));
        same(`${path} of ${by}`, text(await other.get(path)), `${path} by ${by}`);
      }
      await writer.put(paths[0], Buffer.from('0123456789')); // replaces it
      same(`a range of a file of ${by}`, text(await other.get(paths[0], 'bytes=2-4')), '234');
      await writer.put('empty/file', Buffer.alloc(0));
      same(`an empty file of ${by}`, text(await other.get('empty/file')), '');
      same(`the list of what ${by} wrote`, (await other.list('cases')).sort(), [...paths].sort());
      for (const path of paths) await other.remove(path);
      same(`the list of ${by} after deletion`, await writer.list('cases'), []);
    }
    // Our document sends large files in parts.
    const large = Buffer.alloc(18 * mebibyte, 'large ');
    await ours.put('large/file', large);
    const read = await client.get('large/file');
    same('a file in parts', [read.length, read.equals(large)], [large.length, true]);
  } finally {
    await ours.close();
    await receiver.stop();
  }
  return { faults, compared };
}
