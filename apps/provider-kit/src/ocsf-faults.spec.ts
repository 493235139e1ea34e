import { describe, expect, it } from '@jest/globals';
import { type OperationId, operations } from '#contract';
import { ocsfFaults, returnsOcsf } from './ocsf-faults.js';

describe('the lint of OCSF in tests', () => {
  it('finds a record that lost its class, of every operation that returns OCSF', () => {
    const ids = [...operations.keys()].filter(returnsOcsf);
    expect(ids.length).toBeGreaterThan(45);
    for (const id of ids)
      expect([id, ocsfFaults(id, [{ message: 'without a class' }])]).toEqual([
        id,
        ['/class_uid undefined is not a class of the contract'],
      ]);
  });

  it.each<OperationId>(['ticketing_get_ticket', 'edr_query_ioa', 'edr_query_iocs'])(
    'leaves the records of %s alone',
    (id) => {
      expect(ocsfFaults(id, { message: 'no event' })).toEqual([]);
    },
  );

  it('has nothing to say of a list without rows, or of work that goes on', () => {
    expect(ocsfFaults('edr_query_alerts', [])).toEqual([]);
    expect(ocsfFaults('edr_query_alerts', undefined)).toEqual([]);
  });
});
