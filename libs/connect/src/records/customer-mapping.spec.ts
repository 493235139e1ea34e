import { describe, expect, it } from '@jest/globals';
import { customerMapping } from './customer-mapping.js';

describe('the mapping of a customer', () => {
  it('finds the shared templates for OCSF', () => {
    const data =
      'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.device = this.apply("ocsf.device")\n';
    const record = { uid: 'd-1', hostname: 'build01', type: 'server' };
    expect(customerMapping('devices:1', data)(record)).toEqual({
      device: { type_id: 1, type: 'Server', uid: 'd-1', hostname: 'build01', name: 'build01' },
    });
  });
});
