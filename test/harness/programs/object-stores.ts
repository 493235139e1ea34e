import { createHmac } from 'node:crypto';

/** A running store of objects, or the reason why none is available. */
export type ObjectStore =
  { url: string; accessKeyId: string; secretAccessKey: string } | { skipped: string };

/**
 * Returns the store of S3_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY (a user that may create buckets; Debian has the packages
 * `radosgw ceph-mon ceph-mgr ceph-osd`). Specs that need it are skipped with the reason when it is not available.
 */
export function s3Store(): ObjectStore {
  const url = process.env['S3_URL'];
  const accessKeyId = process.env['S3_ACCESS_KEY_ID'];
  const secretAccessKey = process.env['S3_SECRET_ACCESS_KEY'];
  if (url && accessKeyId && secretAccessKey)
    return { url: url.replace(/\/$/, ''), accessKeyId, secretAccessKey };
  return { skipped: 'S3_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set' };
}

/** An account of Azure Storage, or the reason why none is available. */
export type AzureStore = { connectionString: string } | { skipped: string };

/**
 * Returns the account of AZURE_STORAGE_CONNECTION_STRING, such as that of the emulator Azurite (npm `azurite`). Specs that need it are skipped
 * with the reason when it is not available.
 */
export function azureStore(): AzureStore {
  const connectionString = process.env['AZURE_STORAGE_CONNECTION_STRING'];
  if (connectionString) return { connectionString };
  return { skipped: 'AZURE_STORAGE_CONNECTION_STRING is not set' };
}

/** Creates a container. @returns its address with a shared access signature of an hour */
export async function createContainer(connectionString: string, name: string): Promise<string> {
  const field = (wanted: string) =>
    new RegExp(`${wanted}=([^;]+)`).exec(connectionString)?.[1] ?? '';
  const [account, key, endpoint] = ['AccountName', 'AccountKey', 'BlobEndpoint'].map(field);
  const sign = (text: string) =>
    createHmac('sha256', Buffer.from(key ?? '', 'base64'))
      .update(text)
      .digest('base64');
  const address = `${(endpoint ?? '').replace(/\/$/, '')}/${name}`;
  const version = '2021-12-02';
  const date = new Date().toUTCString();
  const path = `/${account}${new URL(address).pathname}`;
  const text = `PUT${'\n'.repeat(12)}x-ms-date:${date}\nx-ms-version:${version}\n${path}\nrestype:container`;
  const created = await fetch(`${address}?restype=container`, {
    method: 'PUT',
    headers: {
      'x-ms-date': date,
      'x-ms-version': version,
      authorization: `SharedKey ${account}:${sign(text)}`,
    },
  });
  if (!created.ok) throw new Error(`${address}: ${created.status} ${await created.text()}`);
  const expires = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
  // "Create a service SAS": the string to sign, for versions since 2020-12-06.
  const fields = ['rcwdl', '', expires, `/blob/${account}/${name}`, '', '', '', version, 'c'];
  const parameters = { sp: 'rcwdl', se: expires, sv: version, sr: 'c' };
  const sig = sign([...fields, '', '', '', '', '', '', ''].join('\n'));
  return `${address}?${new URLSearchParams({ ...parameters, sig }).toString()}`;
}
