import { isId } from '#config';
import { notFound } from '#contract';
import type { ListQuery, Reader, RequestRecord } from '#store';

/** Finds a call by the id of its record or of its request. @throws ApiError 404 */
export async function findRequest(tx: Reader, idOrRequestId: string): Promise<RequestRecord> {
  const found = isId(idOrRequestId)
    ? await tx.requestRecords.get(idOrRequestId)
    : await newestOf(tx, idOrRequestId);
  if (found === undefined) throw notFound('request', idOrRequestId);
  return found;
}

/** Finds the last call of a request: a job makes several, and clients may choose an id of their own twice. */
async function newestOf(tx: Reader, requestId: string): Promise<RequestRecord | undefined> {
  const newest: ListQuery = {
    filters: [],
    orders: [{ field: 'name', direction: 'desc' }],
    limit: 1,
    total: false,
  };
  const { rows } = await tx.requestRecords.list(newest, { requestId });
  return rows[0];
}
