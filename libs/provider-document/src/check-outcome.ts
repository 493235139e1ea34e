import { parseOrder, QueryError } from '#query';
import { checkFields, listFields } from './list-fields.js';
import type { DocumentReader, Path } from './document-reader.js';
import type { Action, OperationSource } from './source.js';

/** Checks that an operation has the result that its action needs: rows, a record, or none. */
export function checkOutcome(
  reader: DocumentReader,
  place: Path,
  id: string,
  source: OperationSource,
  action: Action,
  hasNoRecord: boolean,
): void {
  const { rows, record, result, then } = source;
  const results = [rows, record, result, then].filter((one) => one !== undefined);
  if (results.length > 1)
    reader.fault(place, 'an operation can have only one of rows, record, result and then');
  if (action === 'query' && source.rows === undefined)
    reader.fault(
      place,
      'a list has no rows',
      'Add rows: where the records are, such as this.steps.list.items.',
    );
  if ((action === 'read' || action === 'patch') && source.rows !== undefined)
    reader.fault(place, `a ${action} operation takes record, not rows`);
  if (!['query', 'delete'].includes(action) && results.length === 0 && !hasNoRecord)
    reader.fault(
      place,
      'the operation has no record',
      'Add record: where it is, or then: the operation that reads it.',
    );
  if (action === 'patch' && source.current === undefined)
    reader.fault(
      place,
      'a patch needs current',
      'Name the operation that reads the record before it is patched.',
    );
  checkFields(reader, place, id, source);
  checkOrder(reader, place, id, source);
  if (source.page !== undefined && action !== 'query')
    reader.fault([...place, 'page'], 'only lists are paged');
}

function checkOrder(
  reader: DocumentReader,
  place: Path,
  id: string,
  { order, fields }: OperationSource,
): void {
  if (order === undefined) return;
  try {
    parseOrder(order, listFields(id, fields));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    reader.fault([...place, 'order'], error.message, error.remediation);
  }
}
