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
