/** The facts that sending an operation and reading its response need. */
export interface DescribedOperation {
  id: string;
  method: string;
  /** `/v1/ticketing/tickets/{ticketId}`; a parameter with `*` has several segments. */
  path: string;
  /** The query parameter that leads to the next page of a list. */
  next: 'cursor' | 'start_after' | undefined;
  /** The field of the last record that `start_after` takes. */
  after: string;
  isFile: boolean;
  isUpload: boolean;
  /** True if it supports `Idempotency-Key`. */
  takesKey: boolean;
  /** True if the service may ask a provider over and over before it answers. */
  polls: boolean;
}

/** Reads a line of the generated groups, such as `accounts_list GET /v1/accounts after=id`. */
export function describeOperation(line: string): DescribedOperation {
  const [id = '', method = '', path = '', ...marks] = line.split(' ');
  const after = marks.find((mark) => mark.startsWith('after='))?.slice('after='.length) ?? '';
  const hasCursor = marks.includes('cursor');
  return {
    id,
    method,
    path,
    next: hasCursor ? 'cursor' : after === '' ? undefined : 'start_after',
    after,
    isFile: marks.includes('file'),
    isUpload: marks.includes('upload'),
    takesKey: marks.includes('key'),
    polls: marks.includes('polls'),
  };
}
